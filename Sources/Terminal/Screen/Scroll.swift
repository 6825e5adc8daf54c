/// Rows of the screen moved up or down together by the terminal.
struct Scroll: Hashable {
  /// The rows that take part.
  let region: ClosedRange<Int>
  /// Rows the text moves up; negative: down. Never 0, and less than the region's height.
  let distance: Int

  /// What the screen holds after it; rows that came in are blank.
  func applied(to lines: [Line]) -> [Line] {
    var scrolled = lines
    for row in region {
      scrolled[row] = region.contains(row + distance) ? lines[row + distance] : Line()
    }
    return scrolled
  }

  /// Scrolls that may pay: by the distance at which most rows find their text again, over the rows that do, each
  /// end also one row further (where a row moved and changed, as the selected one does at the edge).
  /// At most four; none when hardly any row moved.
  static func candidates(from old: [Line], to new: [Line]) -> [Scroll] {
    let changed = new.indices.filter { new[$0] != old[$0] }
    guard let top = changed.first, let bottom = changed.last, bottom - top >= 3 else { return [] }
    let stayed = (top...bottom).count - changed.count
    guard let best = bestDistance(from: old, to: new, in: top...bottom), best.rows.count >= stayed + 2,
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
  private static func bestDistance(
    from old: [Line], to new: [Line], in rows: ClosedRange<Int>
  ) -> (distance: Int, rows: [Int])? {
    let furthest = rows.count / 2
    var best: (distance: Int, rows: [Int])?
    for distance in (-furthest...furthest) where distance != 0 {
      let moved = rows.filter { row in
        rows.contains(row + distance) && !new[row].pieces.isEmpty && new[row] == old[row + distance]
      }
      if moved.count > best?.rows.count ?? 0 { best = (distance, moved) }
    }
    return best
  }
}
