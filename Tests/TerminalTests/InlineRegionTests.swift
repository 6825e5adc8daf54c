import TestSupport
import Testing
import Text

@testable import Terminal

/// Tests drawing below the prompt.
@Suite struct InlineRegionTests {
  @Test(
    arguments: [
      ("15", InlineHeight.lines(15)), ("40%", .percent(40)), ("4", .lines(4)), ("100%", .percent(100)),
      ("0", nil), ("3", nil), ("-1", nil), ("200%", nil), ("0%", nil), ("abc", nil), ("", nil), ("%", nil),
      ("4.5", nil),
    ])
  func `A height is a number of lines or a share of them.`(text: String, height: InlineHeight?) {
    #expect(InlineHeight(text) == height)
  }

  /// - Parameters:
  ///   - cursor: Column and row.
  ///   - expected: The first row and the number of rows, and the row of the prompt afterwards.
  @Test(
    arguments: [
      ("10", 20, (0, 3), (3, 10, 3)), ("10", 20, (0, 15), (10, 10, 10)), ("10", 20, (5, 3), (4, 10, 3)),
      ("10", 20, (5, 19), (10, 10, 9)), ("50%", 20, (0, 19), (10, 10, 10)), ("10%", 20, (0, 0), (0, 4, 0)),
      ("30", 20, (0, 7), (0, 20, 0)), ("30", 20, (5, 7), (1, 19, 0)), ("4", 1, (5, 0), (0, 1, 0)),
    ])
  func `The lines are below the prompt, for which the screen is scrolled.`(
    height: String, rows: Int, cursor: (Int, Int), expected: (Int, Int, Int)
  ) throws {
    let region = InlineRegion(
      try #require(InlineHeight(height)), below: Frame.Position(column: cursor.0, row: cursor.1),
      screenRows: rows)
    #expect((region.top, region.rows, region.prompt.row) == expected)
    #expect(region.prompt.column == cursor.0)
  }

  @Test func `Scrolling keeps the lines above the prompt, and leaving brings the prompt back.`() throws {
    var screen = ScreenEmulator(Size(columns: 10, rows: 6), .codePoints)
    screen.write(Array("\u{1B}[4Hone\u{1B}[5Htwo\u{1B}[6Hbelow\u{1B}[6H".utf8))
    let region = InlineRegion(.lines(4), below: Frame.Position(column: 0, row: 5), screenRows: 6)
    screen.write(Array(region.reserving.utf8))
    #expect(screen.rows.map { $0.prefix(4) } == ["one ", "two ", "    ", "    ", "    ", "    "])
    screen.write(Array("\u{1B}[3Hdrawn\u{1B}[6Hdrawn".utf8))
    screen.write(Array(region.leaving.utf8))
    #expect(screen.rows.map { $0.prefix(4) } == ["one ", "two ", "    ", "    ", "    ", "    "])
    #expect(screen.cursor == (0, 2))
  }

  @Test(arguments: 0..<30) func `Frames below a prompt leave the lines above alone.`(seed: UInt64) {
    var frames = RandomFrames(model: .codePoints, seed: seed)
    let above = 3
    var frame: Frame?
    var screen = ScreenEmulator(Size(columns: 1, rows: 1), .codePoints)
    for _ in 0..<40 {
      let next = frames.next()
      let size = next.canvas.size
      if frame?.canvas != next.canvas {
        screen = ScreenEmulator(Size(columns: size.columns, rows: above + size.rows), .codePoints)
        for row in 1...above { screen.write(Array("\u{1B}[\(row)H#".utf8)) }
        frame = nil
      }
      frames.diff.top = above
      var fresh = screen
      screen.write(frames.diff.bytes(from: frame, to: next))
      fresh.write(frames.diff.bytes(from: nil, to: next))
      #expect(screen.rows == fresh.rows)
      #expect(screen.rows.prefix(above).allSatisfy { $0.hasPrefix("#") })
      #expect(screen.cursor.row == above + next.cursorRow(wrappedTo: nil))
      frame = next
    }
  }

  @Test func `The position of the cursor is found among what was typed.`() {
    var bytes = Array("j\u{1B}[A\u{1B}[1;7Rk".utf8)
    #expect(TakenTerminal.takePosition(from: &bytes) == Frame.Position(column: 6, row: 0))
    #expect(bytes == Array("j\u{1B}[Ak".utf8))
    #expect(TakenTerminal.takePosition(from: &bytes) == nil)
    var half = Array("\u{1B}[1;".utf8)
    #expect(TakenTerminal.takePosition(from: &half) == nil)
  }
}

/// Tests the whole loop below a prompt, in a real terminal controlled by the tests.
@Suite(.takesTurns, .serialized, .timeLimit(.minutes(1))) struct InlineLoopTests {
  private func start(_ height: String, typedAhead: String = "") throws -> PseudoTerminal {
    try PseudoTerminal(
      "TerminalTestProgram", rows: 20, environment: ["HEIGHT=\(height)"], typedAhead: typedAhead)
  }

  @Test func `The lines below the prompt are drawn on without the alternate screen, and erased at the end.`()
    throws
  {
    let terminal = try start("8")
    #expect(terminal.hasShown("␛[6n"))
    terminal.type("␛[5;1R")
    #expect(terminal.hasShown("␛[12;2H␛[2m0 of 100000"))
    terminal.type("q")
    #expect(terminal.ending() == .exit(0))
    #expect(!terminal.output.contains("1049"))
    #expect(!terminal.output.contains("␛[2J"))
    #expect(terminal.output.contains("␛[5H␛[J␛[5H␛[23;0t"))
    #expect(terminal.isAsFound)
  }

  @Test func `Near the bottom, the screen is scrolled, and the prompt returns to its column.`() throws {
    let terminal = try start("50%")
    #expect(terminal.hasShown("␛[6n"))
    terminal.type("␛[20;7R")
    #expect(terminal.hasShown("␛[9999H" + String(repeating: "\n", count: 10)))
    #expect(terminal.hasShown("␛[20;2H␛[2m0 of 100000"))
    terminal.type("q")
    #expect(terminal.ending() == .exit(0))
    #expect(terminal.output.contains("␛[11H␛[J␛[10;7H"))
  }

  @Test func `Without an answer, the whole screen is used.`() throws {
    let terminal = try start("8")
    #expect(terminal.hasShown("␛[?1049h"))
    #expect(terminal.hasShown("␛[20;2H␛[2m0 of 100000"))
    terminal.type("q")
    #expect(terminal.ending() == .exit(0))
    #expect(terminal.output.contains("␛[?1049l"))
  }

  @Test func `Keys typed before the answer are handled in order.`() throws {
    let terminal = try start("8", typedAhead: "j")
    #expect(terminal.hasShown("␛[6n"))
    terminal.type("j␛[1;1Rj")
    #expect(terminal.shows("3 of 100000", within: .seconds(20)))
  }

  @Test func `After a resize, the lines are found again.`() throws {
    let terminal = try start("50%")
    #expect(terminal.hasShown("␛[6n"))
    terminal.type("␛[3;1R")
    #expect(terminal.hasShown("␛[12;2H␛[2m0 of 100000"))
    terminal.resize(columns: 60, rows: 16)
    #expect(terminal.hasShown("␛[6n", times: 2))
    terminal.type("␛[2;1R")
    #expect(terminal.hasShown("␛[9;2H␛[2m0 of 100000"))
    terminal.type("q")
    #expect(terminal.ending() == .exit(0))
    #expect(terminal.output.contains("␛[2H␛[J␛[2H"))
  }

  /// The lines have 7, 0 and 12 columns, and the caret is in the fourth one.
  @Test(arguments: [(nil, 3), (20, 3), (12, 3), (11, 4), (6, 5), (4, 6)])
  func `[52] Above the caret, lines that a narrower terminal has wrapped count as several.`(
    columns: Int?, row: Int
  ) {
    let texts = ["1234567  ", "", "123456789012"]
    var frame = Frame(Canvas(size: Size(columns: 20, rows: 5), widthModel: .clusters))
    frame.lines = texts.map { Line(Sanitized($0)) }
    frame.caret = Frame.Position(column: 3, row: 3)
    #expect(frame.cursorRow(wrappedTo: columns) == row)
    frame.caret = nil
    #expect(frame.cursorRow(wrappedTo: columns) == 0)
  }

  @Test func `The mouse is where it is in the lines.`() {
    let region = InlineRegion(.lines(8), below: Frame.Position(column: 0, row: 4), screenRows: 20)
    #expect(region.located(Mouse(action: .press, column: 2, row: 6))?.row == 2)
    #expect(region.located(Mouse(action: .press, column: 2, row: 3)) == nil)
    #expect(region.located(Mouse(action: .press, column: 2, row: 12)) == nil)
  }

  @Test func `Ctrl-Z erases the lines, and they are drawn below the prompt at that time.`() throws {
    let terminal = try start("8")
    #expect(terminal.hasShown("␛[6n"))
    terminal.type("␛[5;1R")
    #expect(terminal.hasShown("␛[12;2H␛[2m0 of 100000"))
    terminal.type("\u{1A}")
    // No shell can continue the group, so it is not stopped.
    #expect(terminal.hasShown("␛[6n", times: 2))
    #expect(terminal.output.contains("␛[5H␛[J␛[5H"))
    terminal.type("␛[9;1R")
    #expect(terminal.hasShown("␛[16;2H␛[2m0 of 100000"))
    terminal.type("q")
    #expect(terminal.ending() == .exit(0))
  }

  @Test func `A crash erases the lines and returns to the prompt.`() throws {
    let terminal = try start("8")
    #expect(terminal.hasShown("␛[6n"))
    terminal.type("␛[5;1R")
    #expect(terminal.hasShown("␛[12;2H␛[2m0 of 100000"))
    terminal.type("S")
    #expect(terminal.ending() == .signal(11))
    #expect(terminal.output.contains("␛[5H␛[J␛[5H"))
    #expect(terminal.isAsFound)
  }
}

extension PseudoTerminal {
  /// Whether the program writes a text so often in time, even before this is called.
  fileprivate func hasShown(_ text: String, times: Int = 1) -> Bool {
    waits(atMost: .seconds(20)) { $0.output.ranges(of: text).count >= times }
  }
}
