/// The differences between two rows.
extension Row {
  /// Columns to be drawn.
  enum Change: Equatable {
    /// Each column is drawn over the old one, to the row's last column if the rest is blank.
    case cells(Range<Int>)
    /// The columns are erased and drawn, because their old content would show through, or is at unknown
    /// positions.
    case span(Range<Int>)
  }

  /// The longest run of unchanged columns that is cheaper to write again than to skip: about the length of a
  /// cursor move.
  private static let bridgeableGap = 7

  /// The changes that turn `old` into this row, from left to right. All other columns already look as if the
  /// row had been drawn on a blank one, however wide the terminal draws non-ASCII text.
  func changes(from old: Row) -> [Change] {
    var changes: [Change] = []
    var zones = Row.zones(of: self, over: old)[...]
    var column = 0
    /// Whether unchanged columns since the last change may be written again.
    var canBridge = false
    while column < max(cells.count, old.cells.count) {
      let zone = zones.first.flatMap { $0.lowerBound == column ? $0 : nil }
      let next = zone?.upperBound ?? column + 1
      defer {
        if zone != nil { zones.removeFirst() }
        column = next
      }
      if let zone, differs(from: old, in: zone) {
        let zone = zone.lowerBound..<(zone.upperBound < cells.count ? zone.upperBound : columns)
        changes.append(canBeDrawnOver(old, in: zone) ? .cells(zone) : .span(zone))
      } else if zone == nil, !agrees(with: old, at: column) {
        let end = column < cells.count ? next : columns
        if canBridge, case .cells(let last)? = changes.last, column - last.upperBound <= Row.bridgeableGap {
          changes[changes.count - 1] = .cells(last.lowerBound..<end)
        } else {
          changes.append(.cells(column..<end))
        }
        canBridge = true
      }
      if zone != nil { canBridge = false }
      if changes.last?.end == columns { break }
    }
    return changes
  }

  private func differs(from old: Row, in zone: Range<Int>) -> Bool {
    zone.contains { !agrees(with: old, at: $0) } || spans(in: zone) != old.spans(in: zone)
  }

  private func spans(in zone: Range<Int>) -> ArraySlice<UncertainSpan> {
    uncertainSpans.drop { !zone.contains($0.clusters.lowerBound) }
      .prefix { zone.contains($0.clusters.lowerBound) }
  }

  /// Whether a zone needs no erasing: it is certain now and every column is written, or its only uncertain
  /// span is unchanged.
  private func canBeDrawnOver(_ old: Row, in zone: Range<Int>) -> Bool {
    let spans = spans(in: zone)
    guard let span = spans.first else {
      return zone.upperBound == columns
        || zone.count(where: { self[$0].isBlank }) <= Row.bridgeableGap
    }
    return spans.count == 1 && old.uncertainSpans.contains(span)
      && span.clusters.allSatisfy { agrees(with: old, at: $0) }
      && zone.allSatisfy { (span.clusters.lowerBound..<span.end).contains($0) || !self[$0].isBlank }
  }

  /// The zones that uncertain clusters of either row may touch, ascending; overlapping ones are joined. They
  /// start and end next to columns that are certain in both rows. A cluster that the terminal gives no column
  /// joins the one before it. One that is too wide is cut at the span's end, as it was in the old row.
  private static func zones(of new: Row, over old: Row) -> [Range<Int>] {
    let touched =
      new.uncertainSpans.map { $0.clusters.lowerBound..<min(new.columns, max($0.end, $0.reach)) }
      + old.uncertainSpans.map { $0.clusters.lowerBound..<$0.end }
    var zones: [Range<Int>] = []
    for range in touched.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      let start = max(0, range.lowerBound - 1)
      if let last = zones.last, start < last.upperBound {
        zones[zones.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        zones.append(start..<range.upperBound)
      }
    }
    return zones
  }
}

extension Row.Change {
  var end: Int {
    switch self {
    case .cells(let columns), .span(let columns): columns.upperBound
    }
  }
}
