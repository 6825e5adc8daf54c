/// A scroll of a region of rows, performed by the terminal.
struct Scroll: Hashable {
  /// The rows of the scroll region.
  let region: ClosedRange<Int>
  /// The number of rows the text moves up; negative if down. Never 0, and less than the region's height.
  let distance: Int

  /// The row each row of the screen is moved from; nil if it becomes blank.
  func sources(ofRows count: Int) -> [Int?] {
    (0..<count).map { row in
      guard region.contains(row) else { return row }
      return region.contains(row + distance) ? row + distance : nil
    }
  }

  /// Scrolls that may save bytes: they use the distance by which most rows have moved, and the region of
  /// those rows, with each end optionally one row further (for a row that moved and changed, such as the
  /// selected one at an edge). At most four; none if hardly any rows moved.
  /// - Parameter changed: The rows that differ, from the top.
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

  /// The distance, and the rows of the new frame whose text was that far below (above, if negative) in the
  /// old frame. At most half of the rows. O(rows²) integer comparisons; each line is hashed once.
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
