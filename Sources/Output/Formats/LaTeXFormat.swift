import Text

extension OutputFormat {
  static let latex = OutputFormat(
    name: "latex", summary: "a tabular environment in LaTeX", fileEndings: ["tex"], style: LaTeXTable.self)
}

/// A LaTeX table, which is never truncated, because it is meant to be parsed.
private enum LaTeXTable: TableStyle {
  private static let line = TableLook.Rule("\\hline")
  static let look = TableLook(
    left: "", gap: " & ", right: " \\\\", heading: line, bottom: .init("\\hline\n\\end{tabular}"),
    isCut: false, escaped: escaped)

  static func opening(_ titles: [String], _ columns: [TableColumn]) -> String {
    let alignments = columns.map { column in
      switch column.alignment {
      case .leading: "l"
      case .trailing: "r"
      case .center: "c"
      }
    }
    let heading = titles.isEmpty ? "" : look.line(titles) + look.rule(look.heading, [])
    return "\\begin{tabular}{\(alignments.joined())}\n\\hline\n\(heading)"
  }

  /// The text on one line, with a command for each character that LaTeX does not print as it is.
  @Sendable private static func escaped(_ text: String) -> String {
    let line = text.onOneLine(breaks: " ").replacingScalars { scalar in
      switch scalar {
      case "{", "}", "$", "&", "#", "_", "%": "\\\(scalar)"
      case "\\": "\\textbackslash{}"
      case "^": "\\textasciicircum{}"
      case "~": "\\textasciitilde{}"
      // These would be different characters in the default font.
      case "<": "\\textless{}"
      case ">": "\\textgreater{}"
      case "|": "\\textbar{}"
      default: nil
      }
    }
    // After the end of a row, `[` and `*` would be arguments of `\\`.
    let first = line.unicodeScalars.first { $0 != " " }
    return first == "[" || first == "*" ? "{}\(line)" : line
  }
}
