import Text

extension OutputFormat {
  package static let template = OutputFormat(
    name: "template", summary: "a custom line per row, such as --template '{name}: {@link}'",
    options: [.null], needsTemplate: true
  ) { TemplateLines(outputOptions: $0) }
}

/// Writes one row per line. Values are exact, as in csv.
private struct TemplateLines: DocumentWriter {
  /// The options, with the literals and columns of a `RowTemplate`.
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
  /// The columns as typed, in order; a column may occur more than once.
  package private(set) var columns: [String] = []

  package init(_ text: String) throws(ColumnSelectionError) {
    let parts: [BracedPart]
    do { parts = try BracedPart.parts(of: text) } catch {
      throw ColumnSelectionError(text, "\(error.problem) in template \"\(text)\"", remedy: error.remedy)
    }
    for part in parts {
      switch part {
      case .literal(let literal): literals[literals.count - 1] = Self.unescaped(literal)
      case .braced("*"):
        throw ColumnSelectionError("*", "\"*\" selects all columns and cannot be used in a template")
      case .braced(let column):
        columns.append(column)
        literals.append("")
      }
    }
  }

  private static func unescaped(_ literal: String) -> String {
    literal.replacing(/\\([nt\\])/) { $0.1 == "n" ? "\n" : $0.1 == "t" ? "\t" : "\\" }
  }
}
