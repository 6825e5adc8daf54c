package import Terminal
package import Text

/// The parts of a terminal that frames use: a grid of cells, a cursor, a style and a scroll region.
package struct ScreenEmulator {
  package struct Cell: Equatable {
    /// Empty for the columns of a wide cluster after the first.
    package let text: String
    package let style: String
    /// The parameters of OSC 8; empty without a link.
    package let link: String

    /// A space keeps only a style that is visible on it.
    init(text: String = " ", style: String = "", link: String = "") {
      self.text = text
      self.link = link
      let shows = style.split(separator: ";").contains {
        ["4", "7", "9", "48"].contains($0) || $0.hasPrefix("10")
      }
      self.style = text == " " && !shows ? "" : style
    }
  }

  package private(set) var size: Size
  package private(set) var grid: [[Cell]]
  package private(set) var isCursorVisible = true
  package private(set) var cursor = (column: 0, row: 0)
  package private(set) var style = ""
  package private(set) var link = ""
  package private(set) var region: ClosedRange<Int>
  package private(set) var modes: Set<String> = []
  package private(set) var unknown: [String] = []
  private let habits: Habits
  /// Whether the cursor is directly after the last drawn text.
  private var hasJustDrawn = false

  package init(_ size: Size, _ widthModel: WidthModel) {
    self.init(size, Habits(widthModel))
  }

  package init(_ size: Size, _ habits: Habits) {
    self.size = size
    self.habits = habits
    grid = Array(repeating: Array(repeating: Cell(), count: size.columns), count: size.rows)
    region = 0...size.rows - 1
  }

  /// Keeps the top left corner, as terminals do.
  package mutating func resize(to new: Size) {
    for row in grid.indices { grid[row] = Array(grid[row].prefix(new.columns)) }
    grid = Array(grid.prefix(new.rows))
    for row in grid.indices { grid[row] += Array(repeating: Cell(), count: new.columns - grid[row].count) }
    while grid.count < new.rows { grid.append(Array(repeating: Cell(), count: new.columns)) }
    size = new
    region = 0...new.rows - 1
    cursor = (min(cursor.column, new.columns - 1), min(cursor.row, new.rows - 1))
  }

  package var rows: [String] { grid.map { $0.map(\.text).joined() } }

  package mutating func write(_ bytes: [UInt8]) {
    var rest = String(decoding: bytes, as: UTF8.self)[...]
    while !rest.isEmpty {
      let text = rest.prefix { $0 != "\u{1B}" && $0 != "\n" }
      if !text.isEmpty { draw(String(text)) }
      rest = rest.dropFirst(text.count)
      if rest.first == "\n" {
        if cursor.row == region.upperBound { scroll(by: 1) } else { cursor.row += 1 }
        rest = rest.dropFirst()
      } else if rest.hasPrefix("\u{1B}[") {
        rest = control(rest.dropFirst(2))
      } else if !rest.isEmpty {
        rest = string(rest)
      }
    }
  }

  private mutating func draw(_ text: String) {
    for (text, width) in habits.drawn(text) {
      guard width > 0 else {
        attach(text)
        continue
      }
      var column = cursor.column
      if column + width > size.columns {
        guard habits.pushesLeftAtEdge, width <= min(2, size.columns) else { continue }
        column = size.columns - width
      }
      for covered in column..<column + width { blank(covered) }
      grid[cursor.row][column] = Cell(text: text, style: style, link: link)
      for covered in (column + 1)..<max(column + 1, column + width) {
        grid[cursor.row][covered] = Cell(text: "", style: style, link: link)
      }
      cursor.column = min(column + width, size.columns - 1)
      hasJustDrawn = true
    }
  }

  /// Text without a column is added to the cell before the cursor.
  private mutating func attach(_ text: String) {
    guard cursor.column > 0, hasJustDrawn || habits.attachesAfterMove else { return }
    var column = cursor.column - 1
    while column > 0, grid[cursor.row][column].text.isEmpty { column -= 1 }
    let cell = grid[cursor.row][column]
    grid[cursor.row][column] = Cell(text: cell.text + text, style: cell.style, link: cell.link)
  }

  /// Overwriting part of a cluster erases the rest of it.
  private mutating func blank(_ column: Int) {
    var start = column
    while start > 0, grid[cursor.row][start].text.isEmpty { start -= 1 }
    repeat {
      grid[cursor.row][start] = Cell()
      start += 1
    } while start < size.columns && grid[cursor.row][start].text.isEmpty
  }

  private mutating func control(_ rest: Substring) -> Substring {
    let body = rest.prefix { !$0.isLetter }
    let final = rest.dropFirst(body.count).first ?? " "
    let numbers = body.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    if final != "m" { hasJustDrawn = false }
    switch (final, body.first) {
    case ("h", "?"), ("l", "?"): set(String(body.dropFirst()), final == "h")
    case ("n", _): break
    case ("H", _):
      cursor = (
        max(1, numbers.count > 1 ? numbers[1] : 1) - 1, min(max(1, numbers.first ?? 1), size.rows) - 1
      )
    case ("G", _): cursor.column = max(1, numbers.first ?? 1) - 1
    case ("K", _): for column in cursor.column..<size.columns { erase(column) }
    case ("X", _):
      for column in cursor.column..<min(size.columns, cursor.column + max(1, numbers.first ?? 1)) {
        erase(column)
      }
    case ("J", _) where numbers.first ?? 0 == 0:
      for column in cursor.column..<size.columns { erase(column) }
      for row in cursor.row + 1..<max(cursor.row + 1, size.rows) {
        grid[row] = Array(repeating: Cell(), count: size.columns)
      }
    case ("J", _): grid = Array(repeating: Array(repeating: Cell(), count: size.columns), count: size.rows)
    case ("m", _): style = body.isEmpty ? "" : style.isEmpty ? String(body) : "\(style);\(body)"
    case ("r", _):
      region = numbers.count == 2 ? numbers[0] - 1...numbers[1] - 1 : 0...size.rows - 1
      cursor = (0, 0)
    case ("S", _): scroll(by: max(1, numbers.first ?? 1))
    case ("T", _): scroll(by: -max(1, numbers.first ?? 1))
    default: unknown.append("CSI \(body)\(final)")
    }
    return rest.dropFirst(body.count + 1)
  }

  private mutating func string(_ rest: Substring) -> Substring {
    guard let end = rest.dropFirst().firstIndex(of: "\u{1B}") else { return "" }
    if rest.hasPrefix("\u{1B}]8;") {
      link = String(rest[..<end].dropFirst(4))
      if link == ";" { link = "" }
    }
    return rest[end...].dropFirst(2)
  }

  private mutating func set(_ mode: String, _ isOn: Bool) {
    if mode == "25" { isCursorVisible = isOn }
    if isOn { modes.insert(mode) } else { modes.remove(mode) }
  }

  private mutating func erase(_ column: Int) {
    blank(column)
    grid[cursor.row][column] = Cell(text: " ", style: style)
  }

  private mutating func scroll(by distance: Int) {
    let before = grid
    for row in region {
      let source = row + distance
      grid[row] = region.contains(source) ? before[source] : Array(repeating: Cell(), count: size.columns)
    }
  }
}

extension ScreenEmulator {
  /// How a terminal draws text, independently of what the program assumes.
  package struct Habits: Sendable {
    /// Columns of text that is not ASCII, per cluster or per scalar.
    package enum Measure: Sendable {
      case model(WidthModel)
      case clusters(@Sendable (String) -> Int)
      case scalars(@Sendable (Unicode.Scalar) -> Int)
    }

    package var measure: Measure
    /// Whether a wide cluster in the last column moves to the last two, as in kitty and VTE. Otherwise it
    /// is dropped.
    package var pushesLeftAtEdge = true
    /// Whether text without a column is added to the cell before the cursor in any position, as in tmux.
    /// Otherwise it is added only to the text just drawn, as in xterm.
    package var attachesAfterMove = true

    package init(_ model: WidthModel) { measure = .model(model) }
    package init(_ measure: Measure) { self.measure = measure }

    fileprivate func drawn(_ text: String) -> [(String, Int)] {
      switch measure {
      case .model(let model): Self.clusters(text, model).map { ($0.text, $0.width) }
      case .clusters(let width):
        Self.clusters(text, .codePoints).map { ($0.text, $0.text.utf8.count == 1 ? 1 : width($0.text)) }
      case .scalars(let width):
        text.unicodeScalars.map { (String($0), $0.isASCII ? 1 : width($0)) }
      }
    }

    private static func clusters(_ text: String, _ model: WidthModel) -> [(text: String, width: Int)] {
      let sanitized = Sanitized(text)
      return sanitized.clusters(model).map { (sanitized[$0.utf8].string, $0.width) }
    }
  }
}
