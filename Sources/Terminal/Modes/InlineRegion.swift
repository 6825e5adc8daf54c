/// How many lines below the prompt the program draws on, in place of the alternate screen: a number, or a share of the
/// terminal's lines in percent.
package enum InlineHeight: Hashable, Sendable {
  case lines(Int)
  case percent(Int)

  /// The fewest lines on which everything has a place.
  package static let minLines = 4

  /// Parses `15` and `40%`.
  package init?(_ text: String) {
    let isShare = text.hasSuffix("%")
    guard let number = Int(isShare ? text.dropLast() : text[...]),
      isShare ? 1...100 ~= number : number >= Self.minLines
    else { return nil }
    self = isShare ? .percent(number) : .lines(number)
  }

  func lines(of rows: Int) -> Int {
    switch self {
    case .lines(let lines): lines
    case .percent(let share): max(Self.minLines, rows * share / 100)
    }
  }
}

/// The lines below the prompt that the program draws on. If the prompt is close to the bottom, the screen is scrolled to
/// make room.
struct InlineRegion: Hashable {
  /// The first row.
  let top: Int
  let rows: Int
  /// Where the program found the cursor, which returns there.
  let prompt: Frame.Position
  /// The number of rows that the screen is scrolled by to make room.
  private let scrolled: Int

  /// - Parameter cursor: Where the prompt left the cursor. A line that it has begun is kept.
  init(_ height: InlineHeight, below cursor: Frame.Position, screenRows: Int) {
    let begun = cursor.column == 0 || screenRows == 1 ? 0 : 1
    rows = min(height.lines(of: screenRows), screenRows - begun)
    let row = min(cursor.row, screenRows - 1)
    scrolled = max(0, row + begun + rows - screenRows)
    top = row + begun - scrolled
    prompt = Frame.Position(column: cursor.column, row: row - scrolled)
  }

  /// The sequences that make room.
  var reserving: String {
    if scrolled == 0 { return "" }
    return ControlSequence.moveCursor(column: 0, row: top + scrolled) + ControlSequence.eraseBelow
      + ControlSequence.moveToLastRow + String(repeating: "\n", count: scrolled)
  }

  /// The sequences that erase the lines and return to the prompt.
  var leaving: String {
    ControlSequence.moveCursor(column: 0, row: top) + ControlSequence.eraseBelow
      + ControlSequence.moveCursor(column: prompt.column, row: prompt.row)
  }

  /// The region after the size of the terminal has changed, which may have moved its lines.
  ///
  /// - Parameters:
  ///   - cursor: Where the cursor is now; nil if the terminal does not report it.
  ///   - row: The row of the region that the cursor was on.
  func moved(_ height: InlineHeight, cursor: Frame.Position?, onRow row: Int, screenRows: Int) -> InlineRegion
  {
    let top = cursor.map { max(0, $0.row - row) } ?? self.top
    let promptRow = max(0, top - (self.top - prompt.row))
    return InlineRegion(
      height, below: Frame.Position(column: prompt.column, row: promptRow), screenRows: screenRows)
  }

  /// The same report with its place in the region; nil if it is outside.
  func located(_ mouse: Mouse) -> Mouse? {
    guard top..<top + rows ~= mouse.row else { return nil }
    return Mouse(action: mouse.action, column: mouse.column, row: mouse.row - top)
  }
}
