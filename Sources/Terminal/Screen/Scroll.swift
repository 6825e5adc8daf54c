/// Rows of the screen moved up or down together by the terminal.
struct Scroll: Hashable {
  /// The rows that take part.
  let region: ClosedRange<Int>
  /// Rows the text moves up; negative: down. Never 0, and less than the region's height.
  let distance: Int

  /// Where each row of the screen comes from after it; nil: it is blank.
  func sources(ofRows count: Int) -> [Int?] {
    (0..<count).map { row in
      guard region.contains(row) else { return row }
      return region.contains(row + distance) ? row + distance : nil
    }
  }

  /// Scrolls that may pay: by the distance at which most rows find their text again, over the rows that do, each
  /// end also one row further (where a row moved and changed, as the selected one does at the edge).
  /// At most four; none when hardly any row moved.
  /// - Parameter changed: the rows that differ, from the top.
  static func candidates(from old: [Line], to new: [Line], changed: [Int]) -> [Scroll] {
    guard let top = changed.first, let bottom = changed.last, bottom - top >= 3 else { return [] }
    let stayed = (top...bottom).count - changed.count
    guard stayed + 2 <= changed.count, let best = bestDistance(from: old, to: new, in: top...bottom),
      best.rows.count >= stayed + 2,
      let first = best.rows.first, let last = best.rows.last
    else { return [] }
    let region = min(first, first + best.distance)...max(last, last + best.distance)
    let uppers = top < region.lowerBound ? [region.lowerBound, region.lowerBound - 1] : [region.lowerBound]
    let lowers =
      bottom > region.upperBound ? [region.upperBound, region.upperBound + 1] : [region.upperBound]
    return uppers.flatMap { upper in
      lowers.map { Scroll(region: upper...$0, distance: best.distance) }
    }
  }

  /// The distance, and the rows of the new picture whose text was that far below (above, if negative) in the old.
  /// Up to half of the rows. O(rows²) in whole numbers: each line is read once.
  private static func bestDistance(
    from old: [Line], to new: [Line], in rows: ClosedRange<Int>
  ) -> (distance: Int, rows: [Int])? {
    var numbers: [Line: Int] = [:]
    for row in rows where !old[row].pieces.isEmpty && numbers[old[row]] == nil {
      numbers[old[row]] = numbers.count
    }
    let oldNumbers = rows.map { numbers[old[$0]] }
    let newNumbers = rows.map { numbers[new[$0]] }
    let furthest = rows.count / 2
    var best: (distance: Int, rows: [Int])?
    for distance in (-furthest...furthest) where distance != 0 {
      let moved = newNumbers.indices.filter { row in
        oldNumbers.indices.contains(row + distance) && newNumbers[row] != nil
          && newNumbers[row] == oldNumbers[row + distance]
      }
      if moved.count > best?.rows.count ?? 0 { best = (distance, moved.map { $0 + rows.lowerBound }) }
    }
    return best
  }
}
