import Terminal

extension ScreenEmulator.Cell {
  fileprivate var isPlainBlank: Bool { text == " " && style.isEmpty }
}

/// A screen of the emulated terminal as an SVG image, with direct colors.
package struct ScreenPicture {
  /// Colors as `#rrggbb`.
  package struct Colors: Sendable {
    let text: String
    let background: String

    package static let dark = Colors(text: "#d8d8d8", background: "#16181d")
    package static let light = Colors(text: "#242424", background: "#fdfdfd")
  }

  private let screen: ScreenEmulator
  private let colors: Colors

  package init(_ screen: ScreenEmulator, _ colors: Colors) {
    (self.screen, self.colors) = (screen, colors)
  }

  /// The sizes in user units.
  private static let (cellWidth, cellHeight, padding) = (8.4, 18.0, 12.0)

  package var svg: String {
    let (width, height) = (
      Double(screen.size.columns) * Self.cellWidth + 2 * Self.padding,
      Double(screen.size.rows) * Self.cellHeight + 2 * Self.padding
    )
    let lines = screen.grid.indices.flatMap { row in runs(ofRow: row).flatMap { elements($0, row: row) } }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.number(width)) \(Self.number(height))" \
      font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
      <rect width="100%" height="100%" rx="8" fill="\(colors.background)"/>
      \(lines.joined(separator: "\n"))
      </svg>

      """
  }

  private struct Run {
    let column: Int
    var columns = 0
    var text = ""
    let style: String

    /// Whether its style is visible on spaces.
    var fillsBlanks: Bool { style.split(separator: ";").contains { ["4", "7", "48"].contains($0) } }
  }

  /// Cells of one style, from left to right. A character whose width differs between fonts is a run of its own, and
  /// so is what follows two blanks, so that columns are aligned in any font.
  private func runs(ofRow row: Int) -> [Run] {
    var runs: [Run] = []
    for (column, cell) in screen.grid[row].enumerated() {
      if cell.text.isEmpty {
        runs[runs.count - 1].columns += 1
        continue
      }
      let isPlain = cell.text.utf8.count == 1
      if let last = runs.last, last.style == cell.style || cell.isPlainBlank && !last.fillsBlanks, isPlain,
        last.text.utf8.allSatisfy({ $0 < 128 }),
        cell.text == " " || !last.text.hasSuffix("  ")
      {
        runs[runs.count - 1].text += cell.text
        runs[runs.count - 1].columns += 1
      } else {
        runs.append(Run(column: column, columns: 1, text: cell.text, style: cell.style))
      }
    }
    return runs
  }

  private func elements(_ run: Run, row: Int) -> [String] {
    let look = SGRStyle(run.style, colors)
    let x = Self.padding + Double(run.column) * Self.cellWidth
    let y = Self.padding + Double(row) * Self.cellHeight
    let width = Self.number(Double(run.columns) * Self.cellWidth)
    var elements: [String] = []
    if let background = look.background {
      elements.append(
        "<rect x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" width=\"\(width)\" "
          + "height=\"\(Self.number(Self.cellHeight))\" fill=\"\(background)\"/>")
    }
    let blanks = run.text.prefix { $0 == " " }.count
    let text = run.text.dropFirst(blanks)
    guard let end = text.lastIndex(where: { $0 != " " }) else { return elements }
    let shown = String(text[...end])
    let isASCII = shown.utf8.allSatisfy { $0 < 128 }
    let length = Self.number(Double(isASCII ? shown.count : run.columns) * Self.cellWidth)
    let left = Self.number(x + Double(blanks) * Self.cellWidth)
    let baseline = Self.number(y + 13.5)
    let fit = isASCII ? " textLength=\"\(length)\"" : ""
    elements.append(
      "<text x=\"\(left)\" y=\"\(baseline)\"\(fit) fill=\"\(look.text)\"\(look.attributes) "
        + "xml:space=\"preserve\">\(Self.escaped(shown))</text>")
    return elements
  }

  /// The meaning of the SGR parameters of a cell.
  private struct SGRStyle {
    var text: String
    var background: String?
    var attributes = ""

    init(_ style: String, _ colors: Colors) {
      text = colors.text
      var words = style.split(separator: ";")[...]
      var isReversed = false
      while let word = words.popFirst() {
        switch word {
        case "1": attributes += " font-weight=\"bold\""
        case "2": attributes += " opacity=\"0.6\""
        case "4": attributes += " text-decoration=\"underline\""
        case "7": isReversed = true
        case "38" where words.first == "2": text = Self.color(&words)
        case "48" where words.first == "2": background = Self.color(&words)
        default: break
        }
      }
      if isReversed { (text, background) = (background ?? colors.background, text) }
    }

    private static func color(_ words: inout ArraySlice<Substring>) -> String {
      let parts = words.dropFirst().prefix(3)
      words = words.dropFirst(4)
      let digits = parts.map { part in
        let text = String(Int(part) ?? 0, radix: 16)
        return text.count < 2 ? "0\(text)" : text
      }
      return "#\(digits.joined())"
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  /// A number with at most one decimal.
  private static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
