import Terminal

/// Screens of the emulated terminal as an SVG image: one, or several that follow one another without an end. It has no
/// script, its colors follow the viewer's preference for light or dark, and it stands still for a viewer who prefers
/// reduced motion, or whose program does not animate.
package struct ScreenPicture {
  /// What the terminal shows for a while.
  package struct Shot {
    package let dark: ScreenEmulator
    let light: ScreenEmulator
    package let caption: String
    let seconds: Double

    /// - Parameters:
    ///   - dark: The screen of a terminal with a dark background.
    ///   - light: The same text in the colors for a light background.
    package init(dark: ScreenEmulator, light: ScreenEmulator, caption: String = "", seconds: Double = 1) {
      (self.dark, self.light, self.caption, self.seconds) = (dark, light, caption, seconds)
    }
  }

  private let title: String
  private let shots: [Shot]
  private let still: Int
  private let size: Size

  /// - Parameters:
  ///   - title: What a screen reader says.
  ///   - shots: At least one; all of one size.
  ///   - still: The index of the shot that stands for all.
  package init(_ title: String, _ shots: [Shot], still: Int = 0) {
    (self.title, self.shots, self.still) = (title, shots, still)
    size = shots[still].dark.size
  }

  /// The sizes in user units.
  fileprivate static let (cellWidth, cellHeight, padding) = (8.4, 18.0, 12.0)

  package var svg: String {
    var sheet = StyleSheet()
    let hasCaption = shots.contains { !$0.caption.isEmpty }
    let width = Double(size.columns) * Self.cellWidth + 2 * Self.padding
    let height = Double(size.rows + (hasCaption ? 2 : 0)) * Self.cellHeight + 2 * Self.padding
    let strips = shots[still].dark.grid.indices.map { row in
      Strip(shots.map { Self.elements(of: ScreenRow($0, row), &sheet) })
    }
    let caption = Strip(shots.map { Self.caption($0.caption) })
    let all = strips + (hasCaption ? [caption] : [])
    // What several rows of the picture show, or one row several times, is in it once.
    let parts = Strip.distinct(all.flatMap(\.contents))
    let moves = all.contains { $0.contents.count > 1 }
    var lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(width)) \(number(height))" role="img" \
      font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" \
      xml:space="preserve">
      <title>\(Self.escaped(title))</title>
      """
    ]
    var motions: [String] = []
    var body = ["<rect width=\"100%\" height=\"100%\" rx=\"8\" class=\"paper\"/>"]
    for (index, strip) in all.enumerated() where strip.contents != [""] {
      let y = Self.padding + Double(index < size.rows ? index : size.rows + 1) * Self.cellHeight
      guard moves else {
        body.append(
          "<g transform=\"translate(\(number(Self.padding)),\(number(y)))\">\(strip.contents[0])</g>")
        continue
      }
      let places = strip.contents.enumerated().filter { !$0.element.isEmpty }.map { place, content in
        "<use href=\"#p\(parts[content] ?? 0)\""
          + (place == 0 ? "/>" : " y=\"\(number(Double(place) * Self.cellHeight))\"/>")
      }
      body.append(
        """
        <svg x="\(number(Self.padding))" y="\(number(y))" width="\(number(width - 2 * Self.padding))" \
        height="\(number(Self.cellHeight))"><g class="r\(index)">\(places.joined())</g></svg>
        """)
      motions.append(
        motion(".r\(index)", strip.order.map { "translateY(\(number(-Double($0) * Self.cellHeight))px)" }))
    }
    if let carets {
      body.append(
        "<rect class=\"caret\" width=\"2\" height=\"\(number(Self.cellHeight - 2))\"/>")
      motions.append(motion(".caret", carets))
    }
    lines.append(
      "<style>\ng rect{shape-rendering:crispEdges}\n\((sheet.rules + motions).joined(separator: "\n"))"
    )
    if moves { lines.append("@media (prefers-reduced-motion:reduce){*{animation:none!important}}") }
    lines.append("</style>")
    if moves {
      lines.append("<defs>")
      for (content, index) in parts.sorted(by: { $0.value < $1.value }) where !content.isEmpty {
        lines.append("<g id=\"p\(index)\">\(content)</g>")
      }
      lines.append("</defs>")
    }
    return (lines + body + ["</svg>", ""]).joined(separator: "\n")
  }

  /// Where the cursor is in each shot; nil if it is in none.
  private var carets: [String]? {
    guard shots.contains(where: \.dark.isCursorVisible) else { return nil }
    return shots.map { shot in
      let (column, row) = shot.dark.cursor
      guard shot.dark.isCursorVisible else { return "translateY(-99px)" }
      let x = Self.padding + Double(column) * Self.cellWidth
      let y = Self.padding + Double(row) * Self.cellHeight + 1
      return "translate(\(number(x))px,\(number(y))px)"
    }
  }

  /// The rules of an element that has a place in each shot.
  private func motion(_ selector: String, _ places: [String]) -> String {
    let name = selector.dropFirst()
    var frames: [String] = []
    let length = shots.reduce(0) { $0 + $1.seconds }
    var (time, shown) = (0.0, "")
    for (shot, place) in zip(shots, places) {
      if place != shown {
        let share = Int((time / length * 100_000).rounded())
        let digits = String(share % 1_000 + 1_000).dropFirst()
        frames.append("\(share / 1_000).\(digits)%{transform:\(place)}")
      }
      (time, shown) = (time + shot.seconds, place)
    }
    let standing = "\(selector){transform:\(places[still])"
    guard frames.count > 1 else { return "\(standing)}" }
    return "\(standing);animation:\(name) \(number(length))s step-end infinite}"
      + "\n@keyframes \(name){\(frames.joined())}"
  }
}

/// The contents that a row of the picture shows in turn, each once, and which of them in each shot.
private struct Strip {
  private(set) var contents: [String] = []
  let order: [Int]

  init(_ shown: [String]) {
    let places = Self.distinct(shown)
    contents = places.sorted { $0.value < $1.value }.map(\.key)
    order = shown.map { places[$0] ?? 0 }
  }

  /// The index of each text by its first appearance.
  static func distinct(_ texts: [String]) -> [String: Int] {
    var places: [String: Int] = [:]
    for text in texts where places[text] == nil { places[text] = places.count }
    return places
  }
}

/// The cells of a row, each with its styles on a dark and on a light background.
private struct ScreenRow {
  struct Look: Hashable {
    let dark: String
    let light: String

    /// Whether it is visible on spaces.
    var fillsBlanks: Bool {
      dark.split(separator: ";").contains { ["4", "7", "48"].contains($0) || $0.hasPrefix("10") }
    }
  }

  struct Run {
    let column: Int
    var columns = 0
    var text = ""
    let look: Look

    var isASCII: Bool { text.utf8.allSatisfy { $0 < 128 } }
  }

  /// Cells of one look, from left to right. A character whose width differs between fonts is a run of its own unless it
  /// continues a line, and so is what follows two blanks, so that columns are aligned in any font.
  private(set) var runs: [Run] = []

  init(_ shot: ScreenPicture.Shot, _ row: Int) {
    for (column, (cell, other)) in zip(shot.dark.grid[row], shot.light.grid[row]).enumerated() {
      if cell.text.isEmpty {
        runs[runs.count - 1].columns += 1
        continue
      }
      let look = Look(dark: cell.style, light: other.style)
      let isPlainBlank = cell.text == " " && cell.style.isEmpty && other.style.isEmpty
      if let last = runs.last, last.look == look || isPlainBlank && !last.look.fillsBlanks,
        continues(last, with: cell.text)
      {
        runs[runs.count - 1].text += cell.text
        runs[runs.count - 1].columns += 1
      } else {
        runs.append(Run(column: column, columns: 1, text: cell.text, look: look))
      }
    }
  }

  private func continues(_ run: Run, with text: String) -> Bool {
    guard text.utf8.count == 1, run.isASCII else {
      return text == "─" && run.text.hasSuffix(text)
    }
    return text == " " || !run.text.hasSuffix("  ")
  }
}

extension ScreenPicture {
  private static func elements(of row: ScreenRow, _ sheet: inout StyleSheet) -> String {
    row.runs.map { elements($0, &sheet) }.joined()
  }

  private static func elements(_ run: ScreenRow.Run, _ sheet: inout StyleSheet) -> String {
    let classes = sheet.classes(of: run.look)
    var elements = ""
    if let background = classes.background {
      elements += """
        <rect x="\(number(Double(run.column) * cellWidth))" width="\(number(Double(run.columns) * cellWidth))" \
        height="\(number(cellHeight))" class="\(background)"/>
        """
    }
    let blanks = run.text.prefix { $0 == " " }.count
    let text = run.text.dropFirst(blanks)
    guard let end = text.lastIndex(where: { $0 != " " }) else { return elements }
    let shown = String(text[...end])
    if let arms = shown.first.flatMap({ boxArms[$0] }) {
      let column = Double(run.column)
      return elements
        + "<path d=\"\(outline(arms, from: column, columns: run.columns))\" class=\"\(classes.text)\"/>"
    }
    let fit = run.isASCII ? " textLength=\"\(number(Double(shown.count) * cellWidth))\"" : ""
    let x = number(Double(run.column + blanks) * cellWidth)
    return elements + "<text x=\"\(x)\" y=\"13.5\"\(fit) class=\"\(classes.text)\">\(escaped(shown))</text>"
  }

  /// The arms of a character that draws lines: left, right, up, down. Fonts leave gaps between them.
  private static let boxArms: [Character: String] = [
    "─": "lr", "│": "ud", "╭": "rd", "╮": "ld", "╰": "ru", "╯": "lu", "┌": "rd", "┐": "ld", "└": "ru",
    "┘": "lu", "├": "rud", "┤": "lud", "┬": "lrd", "┴": "lru", "┼": "lrud",
  ]

  /// The arms as rectangles. Only a horizontal line has several columns.
  private static func outline(_ arms: String, from column: Double, columns: Int) -> String {
    let (left, right) = (column * cellWidth, (column + Double(columns)) * cellWidth)
    let (x, y) = (left + cellWidth / 2, cellHeight / 2)
    func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> String {
      "M\(number(x)) \(number(y))h\(number(width))v\(number(height))h\(number(-width))z"
    }
    if arms == "lr" { return box(left, y - 0.5, right - left, 1) }
    return arms.map { arm in
      switch arm {
      case "l": box(left, y - 0.5, x - left + 0.5, 1)
      case "r": box(x - 0.5, y - 0.5, right - x + 0.5, 1)
      case "u": box(x - 0.5, 0, 1, y + 0.5)
      default: box(x - 0.5, y - 0.5, 1, cellHeight - y + 0.5)
      }
    }.joined()
  }

  private static func caption(_ text: String) -> String {
    text.isEmpty ? "" : "<text x=\"8.4\" y=\"13.5\" class=\"caption\">\(escaped(text))</text>"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}

/// The classes of the looks in a picture, with their colors on a dark and on a light background.
private struct StyleSheet {
  private var names: [ScreenRow.Look: (text: String, background: String?)] = [:]
  private var dark: [String] = []
  private var light: [String] = []

  mutating func classes(of look: ScreenRow.Look) -> (text: String, background: String?) {
    if let known = names[look] { return known }
    let (onDark, onLight) = (SGRStyle(look.dark, .dark), SGRStyle(look.light, .light))
    let text = "t\(names.count)"
    dark.append(".\(text){fill:\(onDark.text)\(onDark.attributes)}")
    light.append(".\(text){fill:\(onLight.text)\(onLight.attributes)}")
    var background: String?
    if let fill = onDark.background, let other = onLight.background {
      background = "b\(names.count)"
      dark.append(".b\(names.count){fill:\(fill)}")
      light.append(".b\(names.count){fill:\(other)}")
    }
    names[look] = (text, background)
    return (text, background)
  }

  var rules: [String] {
    Self.common(.dark) + dark + ["@media (prefers-color-scheme:light){"] + Self.common(.light) + light + ["}"]
  }

  private static func common(_ colors: TerminalColors) -> [String] {
    [
      ".paper{fill:\(colors.background)}", ".caption{fill:\(colors.named[14]);font-weight:bold}",
      ".caret{fill:\(colors.text)}",
    ]
  }
}

/// The colors of a terminal, as `#rrggbb`.
private struct TerminalColors {
  let text: String
  let background: String
  /// The sixteen that have names.
  let named: [String]

  static let dark = TerminalColors(
    text: "#d8d8d8", background: "#16181d",
    named: [
      "#3b4048", "#f47067", "#6bc46d", "#daaa3f", "#6cb6ff", "#dcbdfb", "#56d4dd", "#d8d8d8", "#7d8590",
      "#ff938a", "#8ddb8c", "#eac55f", "#96d0ff", "#e2c5ff", "#76e3ea", "#ffffff",
    ])
  static let light = TerminalColors(
    text: "#242424", background: "#fdfdfd",
    named: [
      "#24292f", "#cf222e", "#116329", "#8a6100", "#0969da", "#8250df", "#1b7c83", "#6e7781", "#57606a",
      "#a40e26", "#1a7f37", "#9a6700", "#218bff", "#a475f9", "#0b6e78", "#8c959f",
    ])
}

/// The meaning of the SGR parameters of a cell (ECMA-48).
private struct SGRStyle {
  var text: String
  var background: String?
  /// As declarations of CSS.
  var attributes = ""

  init(_ style: String, _ colors: TerminalColors) {
    text = colors.text
    var words = style.split(separator: ";").map { Int($0) ?? 0 }[...]
    var isReversed = false
    while let word = words.popFirst() {
      switch word {
      case 0:
        (text, background, attributes, isReversed) = (colors.text, nil, "", false)
      case 1: attributes += ";font-weight:bold"
      case 2: attributes += ";opacity:.65"
      case 3: attributes += ";font-style:italic"
      case 4: attributes += ";text-decoration:underline"
      case 7: isReversed = true
      case 30...37: text = colors.named[word - 30]
      case 38: text = Self.color(&words, colors) ?? text
      case 40...47: background = colors.named[word - 40]
      case 48: background = Self.color(&words, colors)
      case 90...97: text = colors.named[word - 82]
      case 100...107: background = colors.named[word - 92]
      default: break
      }
    }
    if isReversed { (text, background) = (background ?? colors.background, text) }
  }

  /// A direct color, or one of the named ones by its number.
  private static func color(_ words: inout ArraySlice<Int>, _ colors: TerminalColors) -> String? {
    let kind = words.popFirst()
    if kind == 5 { return words.popFirst().flatMap { 0..<16 ~= $0 ? colors.named[$0] : nil } }
    let parts = words.prefix(3)
    words = words.dropFirst(3)
    return "#\(parts.map { String(String($0 + 256, radix: 16).dropFirst()) }.joined())"
  }
}

/// A number with at most one decimal.
private func number(_ value: Double) -> String {
  let tenths = Int((abs(value) * 10).rounded())
  let digits = tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  return value < 0 && tenths > 0 ? "-\(digits)" : digits
}
