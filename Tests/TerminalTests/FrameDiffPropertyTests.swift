import TestSupport
import Testing
import Text

@testable import Terminal

/// Whatever frames follow each other, and whatever width the terminal uses for text that is not ASCII, the screen
/// equals that of the last frame drawn alone, and ASCII is at its columns in the frame.
@Suite struct FrameDiffPropertyTests {
  private static let models: [WidthModel] = [.codePoints, .clusters]
  private static let habits = OddTerminal.known + OddTerminal.random(seeds: 1...4)

  @Test(arguments: models, habits)
  func `[D8] The difference of two frames ends in the same screen as the second frame alone.`(
    believed: WidthModel, terminal: OddTerminal
  ) {
    var frames = RandomFrames(model: believed, seed: 1)
    for round in Seeds.first(1) {
      let broken = Self.brokenRules(of: 8, &frames, on: terminal)
      #expect(broken.isEmpty, "round \(round)")
    }
  }

  @Test(arguments: RandomFrames.clusters.filter { $0.utf8.count > 1 })
  func `[D8] A single cluster that the terminal measures differently leaves nothing stale.`(cluster: String) {
    for believed in Self.models {
      var frames = RandomFrames(model: believed, seed: 4, often: cluster)
      for width in 0...2 {
        let terminal = OddTerminal("\(cluster) takes \(width)") { text in
          text == cluster ? width : Sanitized(text).width(believed)
        }
        #expect(
          Self.brokenRules(of: Seeds.first(2).count, &frames, on: terminal) == [], "\(terminal)")
      }
    }
  }

  @Test(arguments: models)
  func `A terminal that measures as expected shows the text of the frame.`(model: WidthModel) {
    var frames = RandomFrames(model: model, seed: 2)
    for _ in 0..<100 {
      let frame = frames.next()
      var screen = ScreenEmulator(frame.canvas.size, model)
      screen.write(frames.diff.bytes(from: nil, to: frame))
      let rows = screen.rows.map { row in String(row.reversed().drop { $0 == " " }.reversed()) }
      #expect(rows.joined(separator: "\n") == frame.text)
    }
  }

  @Test(arguments: models, habits)
  func `[D8] A wrong width does not affect other cells.`(believed: WidthModel, terminal: OddTerminal) {
    var frames = RandomFrames(model: believed, seed: 3)
    for _ in 0..<100 {
      var line = Line()
      line.append(frames.text(upTo: 5))
      line.advance(to: 6)
      line.append("n")
      line.advance(to: 30)
      let canvas = Canvas(size: Size(columns: 40, rows: 1), widthModel: believed)
      var screen = ScreenEmulator(canvas.size, terminal.habits)
      screen.write(frames.diff.bytes(from: nil, to: Frame(canvas, lines: [line])))
      #expect(screen.grid[0][6].text == "n")
      #expect(screen.grid[0][7...].allSatisfy { $0.text == " " })
    }
  }

  /// Draws frames one over the other, and returns the problems of the screen.
  private static func brokenRules(
    of count: Int, _ frames: inout RandomFrames, on terminal: OddTerminal
  ) -> [String] {
    var broken: [String] = []
    var old: Frame?
    var screen = ScreenEmulator(frames.size, terminal.habits)
    for number in 0..<count {
      let new = frames.next()
      if old?.canvas != new.canvas { screen.resize(to: new.canvas.size) }
      screen.write(frames.diff.bytes(from: old, to: new))
      var fresh = ScreenEmulator(new.canvas.size, terminal.habits)
      fresh.write(frames.diff.bytes(from: nil, to: new))
      for row in screen.grid.indices where screen.grid[row] != fresh.grid[row] {
        broken.append("frame \(number), row \(row): \(screen.rows[row]) instead of \(fresh.rows[row])")
      }
      for row in screen.grid.indices where !screen.shows(new.row(row), at: row) {
        broken.append(
          "frame \(number), row \(row): ASCII of \(new.row(row).plainText) in \(screen.rows[row])")
      }
      let isRestored =
        screen.style == "" && screen.link == "" && screen.region == 0...new.canvas.size.rows - 1
        && screen.unknown.isEmpty && screen.modes.isDisjoint(with: ["2026", "7"])
      if !isRestored { broken.append("frame \(number) left style, link, region or modes") }
      if screen.isCursorVisible != (new.caret != nil) { broken.append("frame \(number): caret shown or not") }
      if let caret = new.caret, screen.cursor != (caret.column, caret.row) {
        broken.append("frame \(number): caret")
      }
      old = new
    }
    return broken
  }
}

extension ScreenEmulator {
  /// Whether each ASCII cell is at its column, apart from marks that joined it.
  fileprivate func shows(_ row: Row, at y: Int) -> Bool {
    row.cells.indices.allSatisfy { column in
      let cell = row[column]
      guard cell.isCertain, !cell.isBlank else { return true }
      return grid[y][column].text.utf8.first == row.bytes(of: cell).first
    }
  }
}

/// A terminal with its own rules for widths.
struct OddTerminal: CustomTestStringConvertible {
  let testDescription: String
  var habits: ScreenEmulator.Habits

  init(_ description: String, _ habits: ScreenEmulator.Habits) {
    testDescription = description
    self.habits = habits
  }

  init(_ description: String, width: @escaping @Sendable (String) -> Int) {
    self.init(description, ScreenEmulator.Habits(.clusters(width)))
  }

  static let known = [
    OddTerminal("code points", ScreenEmulator.Habits(.codePoints)),
    OddTerminal("clusters", ScreenEmulator.Habits(.clusters)),
    OddTerminal("ambiguous is wide", ScreenEmulator.Habits(WidthModel(.clusters, ambiguousIsWide: true))),
    OddTerminal("no column") { _ in 0 }, OddTerminal("one column") { _ in 1 },
    OddTerminal("two columns") { _ in 2 },
  ]

  /// Terminals that give each cluster, or each scalar, a random width.
  static func random(seeds: ClosedRange<UInt64>) -> [OddTerminal] {
    seeds.flatMap { seed in
      [false, true].map { isByScalar in
        var habits = ScreenEmulator.Habits(
          isByScalar
            ? .scalars { width(of: String($0), seed) } : .clusters { width(of: $0, seed) })
        habits.pushesLeftAtEdge = seed % 2 == 0
        habits.attachesAfterMove = seed / 2 % 2 == 0
        return OddTerminal("\(isByScalar ? "scalars" : "clusters") by chance, seed \(seed)", habits)
      }
    }
  }

  private static func width(of text: String, _ seed: UInt64) -> Int {
    let number = text.utf8.reduce(seed &* 1_099_511_628_211) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    var generator = SeededGenerator(seed: number)
    return Int.random(in: 0...2, using: &generator)
  }
}

/// Frames of difficult text that follow each other as in a pager: a letter or a row changes, rows scroll, the size
/// changes.
struct RandomFrames {
  static let clusters = [
    "a", "b", " ", " ", "é", "e\u{301}", "日", "本", "한", "ﾊ", "ﾟ", "👍", "❤️", "👩‍👩‍👧", "🇯🇵", "1️⃣", "👍🏽", "☕︎", "ไ", "ก็",
    "…", "я", "Ω", "ł", "▌", "│", "→", "\u{1F8B0}", "\u{1F8BA}", "\u{378}", "क्षि", "ש", "\u{E000}",
  ]
  private static let styles: [Style] = [
    .plain, .plain, Style(attributes: .bold), Style(attributes: .reverse), Style(foreground: .indexed(3)),
    Style(foreground: .rgb(1, 2, 3), background: .indexed(200)),
  ]
  private static let links = [nil, nil, Link("https://example.org/1"), Link("https://example.org/2")]

  private struct Cell {
    var clusters: [String]
    var style: Style
    var link: Link?
    /// The start of the next cell, and the style of the spaces before it; nil when the text ends the cell.
    var end: (column: Int, style: Style)?
  }

  private(set) var size = Size(columns: 40, rows: 12)
  var diff = FrameDiff(colors: .direct)
  private let model: WidthModel
  /// A cluster that is used for every third place.
  private let frequent: String?
  private var random: SeededGenerator
  private var rows: [[Cell]] = []

  init(model: WidthModel, seed: UInt64, often frequent: String? = nil) {
    self.model = model
    self.frequent = frequent
    random = SeededGenerator(seed: seed)
  }

  mutating func next() -> Frame {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: rows = (0..<size.rows).map { _ in row() }
    case 1...3: scroll()
    case 4:
      size = Size(columns: .random(in: 1...50, using: &random), rows: .random(in: 1...16, using: &random))
    case 5: break
    case 6: for _ in 0..<3 { replace(.random(in: 0..<size.rows, using: &random)) }
    default: for row in rows.indices { edit(row) }
    }
    diff.isSynchronized = Bool.random(using: &random)
    diff.isXtermLike = Int.random(in: 0..<4, using: &random) > 0
    return Frame(Canvas(size: size, widthModel: model), lines: rows.map(line), caret: caret())
  }

  mutating func text(upTo count: Int) -> Sanitized { Sanitized(clusters(upTo: count).joined()) }

  private mutating func clusters(upTo count: Int) -> [String] {
    (0..<Int.random(in: 0...count, using: &random)).map { _ in cluster() }
  }

  private mutating func cluster() -> String {
    if let frequent, Int.random(in: 0..<3, using: &random) == 0 { return frequent }
    return Self.clusters.randomElement(using: &random) ?? "a"
  }

  private mutating func caret() -> Frame.Position? {
    guard Bool.random(using: &random) else { return nil }
    return Frame.Position(
      column: .random(in: 0..<size.columns, using: &random), row: .random(in: 0..<size.rows, using: &random))
  }

  private mutating func scroll() {
    let distance = Int.random(in: 1...4, using: &random)
    guard rows.count > distance + 2 else { return }
    if Bool.random(using: &random) {
      rows.removeSubrange(1...distance)
      rows += (0..<distance).map { _ in row() }
    } else {
      rows.insert(contentsOf: (0..<distance).map { _ in row() }, at: 1)
      rows.removeLast(distance)
    }
    if Bool.random(using: &random) { edit(rows.count - 2) }
  }

  private mutating func replace(_ row: Int) {
    while rows.count <= row { rows.append([]) }
    rows[row] = self.row()
  }

  /// Changes one cluster of a row, or the style of one cell.
  private mutating func edit(_ row: Int) {
    guard let cell = rows[row].indices.randomElement(using: &random) else { return }
    let count = rows[row][cell].clusters.count
    let place = Int.random(in: 0...count, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: rows[row][cell].style = style()
    case 1: rows[row][cell].clusters.insert(cluster(), at: place)
    case 2 where place < count: rows[row][cell].clusters.remove(at: place)
    case 3 where place < count: rows[row][cell].clusters[place] = cluster()
    case 3: rows[row][cell].clusters.removeAll()
    default: break
    }
  }

  private mutating func style() -> Style { Self.styles.randomElement(using: &random) ?? .plain }

  private mutating func row() -> [Cell] {
    (0..<Int.random(in: 0...4, using: &random)).map { number in
      Cell(
        clusters: clusters(upTo: Int.random(in: 0..<6, using: &random) == 0 ? 40 : 6), style: style(),
        link: Self.links.randomElement(using: &random) ?? nil,
        end: Int.random(in: 0..<4, using: &random) > 0 ? ((number + 1) * 11, style()) : nil)
    }
  }

  private func line(_ row: [Cell]) -> Line {
    var line = Line()
    for cell in row {
      line.append(Sanitized(cell.clusters.joined()), style: cell.style, link: cell.link)
      if let end = cell.end { line.advance(to: end.column, style: end.style) }
    }
    return line
  }
}
