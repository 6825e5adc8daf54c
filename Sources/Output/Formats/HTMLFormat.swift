import Text

extension OutputFormat {
  static let html = OutputFormat(
    name: "html", summary: "an HTML table", fileEndings: ["html"], options: [.header], defaultColumns: .shown
  ) { HTMLTable(outputOptions: $0) }
}

/// A `<table>` with a heading and a body; numbers are aligned to the right.
private struct HTMLTable: DocumentWriter {
  let outputOptions: OutputOptions

  func begin(with preview: [OutputRows], into output: inout [UInt8]) {
    output += "<table>\n".utf8
    if outputOptions.hasHeader, !outputOptions.columns.isEmpty {
      let titles = outputOptions.columns.map { outputOptions.shown($0.title) }
      output += "<thead>\n\(row(titles, element: "th"))</thead>\n".utf8
    }
    output += "<tbody>\n".utf8
  }

  func append(_ rows: OutputRows, into output: inout [UInt8]) {
    for node in rows.nodes {
      let cells = outputOptions.columns.map { $0.rendered(at: node, in: rows, on: outputOptions) }
      output += row(cells, element: "td").utf8
    }
  }

  func end(into output: inout [UInt8]) { output += "</tbody>\n</table>\n".utf8 }

  private func row(_ texts: [String], element: String) -> String {
    let cells = zip(texts, outputOptions.columns).map { text, column in
      "<\(element)\(Self.attribute(column.alignment))>\(Self.escaped(text))</\(element)>"
    }
    return "<tr>\(cells.joined())</tr>\n"
  }

  private static func attribute(_ alignment: Alignment) -> String {
    switch alignment {
    case .leading: ""
    case .trailing: " style=\"text-align: right\""
    case .center: " style=\"text-align: center\""
    }
  }

  /// Adds `<br>` before each line break and keeps the line break itself.
  private static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: mayNeedEscape) else { return text }
    var escaped = ""
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default:
        if scalar.isLineBreak && !(previous == "\r" && scalar == "\n") { escaped += "<br>" }
        escaped.unicodeScalars.append(scalar)
      }
      previous = scalar
    }
    return escaped
  }

  private static func mayNeedEscape(_ byte: UInt8) -> Bool {
    #"&<>"'"#.utf8.contains(byte) || String.mayBreakLines(byte)
  }
}
