extension Sanitized {
  /// The width of the text in columns, according to the model. O(1) for ASCII, O(n) otherwise.
  ///
  /// The width of two concatenated texts may be less than the sum of their widths, if clusters join: two flag
  /// letters.
  package func width(_ model: WidthModel) -> Int {
    let utf8 = string.utf8Span
    if utf8.isKnownASCII { return utf8.span.count }
    return switch model.measure {
    case .codePoints: utf8.span.columnsOfScalars(ambiguousIsWide: model.ambiguousIsWide)
    case .clusters: utf8.span.columnsOfClusters(model)
    }
  }
}

extension Span<UInt8> {
  fileprivate func columnsOfScalars(ambiguousIsWide: Bool) -> Int {
    var columns = 0
    var offset = 0
    while offset < count {
      let (scalar, length) = scalar(at: offset)
      columns += length == 1 ? 1 : CellWidth[scalar].columns(ambiguousIsWide: ambiguousIsWide)
      offset += length
    }
    return columns
  }

  fileprivate func columnsOfClusters(_ model: WidthModel) -> Int {
    var columns = 0
    var offset = 0
    while offset < count {
      let cluster = cluster(at: offset, model)
      columns += cluster.width
      offset = cluster.utf8.upperBound
    }
    return columns
  }
}
