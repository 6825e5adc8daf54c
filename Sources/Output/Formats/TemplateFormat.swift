extension OutputFormat {
  package static let template = OutputFormat(
    name: "template", summary: "a custom line per row, such as --template '{name}: {@link}'",
    options: [.null], needsTemplate: true
  ) { TemplateLines(outputOptions: $0) }
}

/// One row per line. Values are exact, as in csv.
private struct TemplateLines: DocumentWriter {
  /// Its literals and columns are those of a `RowTemplate`.
  let outputOptions: OutputOptions

  func append(_ rows: OutputRows, into output: inout [UInt8]) {
    for node in rows.nodes {
      for (literal, column) in zip(outputOptions.literals, outputOptions.columns) {
        output += literal.utf8
        output += outputOptions.text(of: column, at: node, in: rows).utf8
      }
      output += (outputOptions.literals.last ?? "").utf8
      output.append(outputOptions.rowEnd)
    }
  }
}

/// A parsed template such as `{name}: {@link}`. Columns are in braces, named as in `--columns`; `{{` and `}}`
/// are literal braces. Outside braces, `\n` is a line break, `\t` a tab, and `\\` a backslash; a backslash
/// before any other character is literal.
package struct RowTemplate: Sendable, Hashable {
  /// The text before, between, and after the columns: one more than there are columns.
  package private(set) var literals = [""]
  /// As typed, in order; a column may occur more than once.
  package private(set) var columns: [String] = []

  private static let escapes: [Character: Character] = ["n": "\n", "t": "\t", "\\": "\\"]

  package init(_ text: String) throws(ColumnSelectionError) {
    var rest = Substring(text)
    while let first = rest.popFirst() {
      switch first {
      case "{" where rest.first == "{", "}" where rest.first == "}":
        literals[literals.count - 1].append(first)
        rest.removeFirst()
      case "{":
        guard let end = rest.firstIndex(of: "}") else {
          throw ColumnSelectionError(
            text, "unmatched { in template \"\(text)\"", remedy: "write {{ for a literal brace")
        }
        let column = String(rest[..<end])
        guard column != "*" else {
          throw ColumnSelectionError(column, "\"*\" selects all columns and cannot be used in a template")
        }
        columns.append(column)
        literals.append("")
        rest = rest[rest.index(after: end)...]
      case "\\":
        let escaped = rest.first.flatMap { Self.escapes[$0] }
        if escaped != nil { rest.removeFirst() }
        literals[literals.count - 1].append(escaped ?? first)
      case "}":
        throw ColumnSelectionError(
          text, "unmatched } in template \"\(text)\"", remedy: "write }} for a literal brace")
      default:
        literals[literals.count - 1].append(first)
      }
    }
  }
}
