import Text

extension OutputFormat {
  static let html = OutputFormat(
    name: "html", summary: "an HTML table", fileEndings: ["html"], style: HTMLTable.self)
}

/// A `<table>` with a heading and a body; numbers are aligned to the right.
private enum HTMLTable: TableStyle {
  static let look = TableLook(
    left: "<tr><td", gap: "</td><td", right: "</td></tr>", bottom: .init("</tbody>\n</table>"),
    withoutColumns: "<table>\n<tbody>\n</tbody>\n</table>\n", isCut: false, escaped: escaped)

  static func opening(_ titles: [String], _ columns: [TableColumn]) -> String {
    let heading = "<thead>\n<tr><th\(titles.joined(separator: "</th><th"))</th></tr>\n</thead>\n"
    return "<table>\n\(titles.isEmpty ? "" : heading)<tbody>\n"
  }

  /// The cell, beginning with the attributes of its start tag.
  static func cell(_ text: String, in column: TableColumn, isCut: Bool) -> String {
    switch column.alignment {
    case .leading: ">\(text)"
    case .trailing: " style=\"text-align: right\">\(text)"
    case .center: " style=\"text-align: center\">\(text)"
    }
  }

  /// Adds `<br>` before each line break and keeps the line break itself.
  @Sendable private static func escaped(_ text: String) -> String {
    var previous: Unicode.Scalar?
    return text.replacingScalars { scalar in
      defer { previous = scalar }
      switch scalar {
      case "&": return "&amp;"
      case "<": return "&lt;"
      case ">": return "&gt;"
      case "\"": return "&quot;"
      case "'": return "&#39;"
      default: return scalar.isLineBreak && !(previous == "\r" && scalar == "\n") ? "<br>\(scalar)" : nil
      }
    }
  }
}
