extension Sanitized {
  /// The clusters of the text in order, measured according to the model.
  package func clusters(_ model: WidthModel) -> Clusters { Clusters(text: self, model: model) }
}

/// The clusters of a text, segmented and measured lazily. Together they cover its UTF-8 without gaps.
package struct Clusters: Sequence, Sendable {
  let text: Sanitized
  let model: WidthModel

  package func makeIterator() -> Iterator { Iterator(text: text, model: model) }

  package struct Iterator: IteratorProtocol, Sendable {
    private let text: Sanitized
    private let model: WidthModel
    /// In ASCII text every byte is a cluster, so no scalar needs to be decoded.
    @usableFromInline let isASCII: Bool
    @usableFromInline let end: Int
    @usableFromInline var offset = 0

    init(text: Sanitized, model: WidthModel) {
      self.text = text
      self.model = model
      isASCII = text.string.utf8Span.isKnownASCII
      end = text.string.utf8.count
    }

    @inlinable
    package mutating func next() -> Cluster? {
      guard offset < end else { return nil }
      let cluster =
        isASCII ? Cluster(utf8: offset..<(offset + 1), width: 1) : clusterAtOffset()
      offset = cluster.utf8.upperBound
      return cluster
    }

    @usableFromInline
    func clusterAtOffset() -> Cluster { text.string.utf8Span.span.cluster(at: offset, model) }
  }
}

extension Span<UInt8> {
  /// The cluster that begins at a byte offset of sanitized UTF-8.
  func cluster(at start: Int, _ model: WidthModel) -> Cluster {
    let first = scalar(at: start)
    let next = start + first.length
    // ASCII never joins, and a plain scalar always ends the preceding cluster.
    if next == count || self[next] < 0x80 || CellWidth[scalar(at: next).value].isPlain {
      return Cluster(utf8: start..<next, aloneIs: first.value, model)
    }
    return longCluster(at: start, model)
  }

  private func longCluster(at start: Int, _ model: WidthModel) -> Cluster {
    var measure = ClusterMeasure(model)
    let first = scalar(at: start)
    let traits = CellWidth[first.value]
    measure.add(first.value, traits)
    var boundary = ClusterBoundary(first: traits)
    var end = start + first.length
    while end < count {
      let next = scalar(at: end)
      let traits = CellWidth[next.value]
      guard boundary.absorbs(traits) else { break }
      // A scalar beyond the end of the cluster by UAX #29 takes no column.
      if !boundary.isSealed { measure.add(next.value, traits) }
      end += next.length
    }
    return Cluster(utf8: start..<end, width: measure.width)
  }
}

extension Cluster {
  /// A cluster of one scalar.
  fileprivate init(utf8: Range<Int>, aloneIs scalar: UInt32, _ model: WidthModel) {
    let traits = CellWidth[scalar]
    if traits.isPlain {
      self.init(utf8: utf8, width: traits.columns(ambiguousIsWide: model.ambiguousIsWide))
    } else {
      var measure = ClusterMeasure(model)
      measure.add(scalar, traits)
      self.init(utf8: utf8, width: measure.width)
    }
  }
}
