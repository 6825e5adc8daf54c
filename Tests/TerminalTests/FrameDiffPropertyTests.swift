import TestSupport
import Testing
import Text

@testable import Terminal

/// Whatever frames follow each other, the screen is what the last one is alone.
@Suite struct FrameDiffPropertyTests {
  private static let models: [WidthModel] = [.codePoints, .clusters]

  @Test(arguments: models, models)
  func `The difference of two frames ends in the same screen as the second alone.`(
    believed: WidthModel, actual: WidthModel
  ) {
    var frames = RandomFrames(model: believed, seed: 1)
    for round in 0..<40 {
      var old: Frame?
      var screen = ScreenEmulator(frames.size, actual)
      for _ in 0..<8 {
        let new = frames.next()
        if old?.canvas != new.canvas { screen.resize(to: new.canvas.size) }
        screen.write(frames.diff.bytes(from: old, to: new))
        var fresh = ScreenEmulator(new.canvas.size, actual)
        fresh.write(frames.diff.bytes(from: nil, to: new))
        #expect(screen.rows == fresh.rows, "round \(round)")
        #expect(screen.grid == fresh.grid, "round \(round)")
        #expect(screen.isCursorVisible == (new.caret != nil))
        if let caret = new.caret { #expect(screen.cursor == (caret.column, caret.row)) }
        #expect(screen.style == "" && screen.link == "")
        #expect(screen.region == 0...new.canvas.size.rows - 1 && screen.unknown.isEmpty)
        #expect(screen.modes.isDisjoint(with: ["2026", "7"]))
        old = new
      }
    }
  }

  @Test(arguments: models)
  func `A terminal that measures as believed shows the frame's own text.`(model: WidthModel) {
    var frames = RandomFrames(model: model, seed: 2)
    for _ in 0..<100 {
      let frame = frames.next()
      var screen = ScreenEmulator(frame.canvas.size, model)
      screen.write(frames.diff.bytes(from: nil, to: frame))
      let rows = screen.rows.map { row in String(row.reversed().drop { $0 == " " }.reversed()) }
      #expect(rows.joined(separator: "\n") == frame.text)
    }
  }

  @Test(arguments: models, models)
  func `An error of measure stays in its cell.`(believed: WidthModel, actual: WidthModel) {
    var frames = RandomFrames(model: believed, seed: 3)
    for _ in 0..<100 {
      var line = Line()
      line.append(frames.text(upTo: 5))
      line.advance(to: 6)
      line.append("n")
      line.advance(to: 30)
      let canvas = Canvas(size: Size(columns: 40, rows: 1), widthModel: believed)
      var screen = ScreenEmulator(canvas.size, actual)
      screen.write(frames.diff.bytes(from: nil, to: Frame(canvas, lines: [line])))
      #expect(screen.grid[0][6].text == "n")
      #expect(screen.grid[0][7...].allSatisfy { $0.text == " " })
    }
  }
}

/// Frames of hard text that follow each other as a pager's do: one row changes, rows scroll, the size changes.
struct RandomFrames {
  private static let clusters = [
    "a", "b", " ", " ", "é", "e\u{301}", "日", "本", "한", "ﾊ", "ﾟ", "👍", "❤️", "👩‍👩‍👧", "🇯🇵", "1️⃣", "👍🏽", "☕︎", "ไ", "ก็",
    "…",
  ]
  private static let styles: [Style] = [
    .plain, .plain, Style(attributes: .bold), Style(attributes: .reverse), Style(foreground: .indexed(3)),
    Style(foreground: .rgb(1, 2, 3), background: .indexed(200)),
  ]

  private static let links = [nil, nil, Link("https://example.org/1"), Link("https://example.org/2")]

  private(set) var size = Size(columns: 40, rows: 12)
  var diff = FrameDiff(colors: .direct)
  private let model: WidthModel
  private var random: SeededGenerator
  private var lines: [Line] = []

  init(model: WidthModel, seed: UInt64) {
    self.model = model
    random = SeededGenerator(seed: seed)
  }

  mutating func next() -> Frame {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: lines = (0..<size.rows).map { _ in line() }
    case 1...3: scroll()
    case 4:
      size = Size(columns: .random(in: 1...50, using: &random), rows: .random(in: 1...16, using: &random))
    case 5: break
    default: for _ in 0..<3 { change(.random(in: 0..<size.rows, using: &random)) }
    }
    diff.isSynchronized = Bool.random(using: &random)
    diff.isXtermLike = Int.random(in: 0..<4, using: &random) > 0
    return Frame(Canvas(size: size, widthModel: model), lines: lines, caret: caret())
  }

  mutating func text(upTo count: Int) -> Sanitized {
    let clusters = (0..<Int.random(in: 0...count, using: &random)).map { _ in
      Self.clusters.randomElement(using: &random)
    }
    return Sanitized(clusters.compactMap { $0 }.joined())
  }

  private mutating func caret() -> Frame.Position? {
    guard Bool.random(using: &random) else { return nil }
    return Frame.Position(
      column: .random(in: 0..<size.columns, using: &random), row: .random(in: 0..<size.rows, using: &random))
  }

  private mutating func scroll() {
    let distance = Int.random(in: 1...4, using: &random)
    guard lines.count > distance + 2 else { return }
    if Bool.random(using: &random) {
      lines.removeSubrange(1...distance)
      lines += (0..<distance).map { _ in line() }
    } else {
      lines.insert(contentsOf: (0..<distance).map { _ in line() }, at: 1)
      lines.removeLast(distance)
    }
    if Bool.random(using: &random) { change(lines.count - 2) }
  }

  private mutating func change(_ row: Int) {
    while lines.count <= row { lines.append(Line()) }
    lines[row] = line()
  }

  private mutating func line() -> Line {
    var line = Line()
    for cell in 0..<Int.random(in: 0...4, using: &random) {
      line.append(
        text(upTo: 6), style: Self.styles.randomElement(using: &random) ?? .plain,
        link: Self.links.randomElement(using: &random) ?? nil)
      if Int.random(in: 0..<4, using: &random) > 0 {
        line.advance(to: (cell + 1) * 11, style: Self.styles.randomElement(using: &random) ?? .plain)
      }
    }
    return line
  }
}
