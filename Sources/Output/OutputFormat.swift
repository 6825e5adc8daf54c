/// How rows become bytes: one value writes one document from its beginning to its end, page by page, and
/// does no I/O. A new format is one file and one entry in `OutputFormats.all`.
package protocol OutputFormat: Sendable {
  /// What `--format` calls it.
  static var name: String { get }
  /// One line for help and manual.
  static var summary: String { get }
  /// The options that mean something to it; any other is a mistake.
  static var options: Set<FormatOption> { get }
  /// The endings of file names that choose it, in lower case and without the dot.
  static var fileEndings: [String] { get }
  /// Whether a document can be cut behind any row and continued there: nothing stands behind the rows, and none depends
  /// on another.
  static var isResumable: Bool { get }

  /// Which columns it has when none are named.
  static var ownColumns: OwnColumns { get }

  init(_ sheet: Sheet)

  /// Appends what stands before the first row.
  ///
  /// - Parameter preview: rows by which widths are chosen: those of the first page, or all that will come;
  ///   empty when there are none.
  mutating func begin(with preview: [OutputRows], into output: inout [UInt8])
  /// Appends rows in order, whole ones only: O(bytes of the rows).
  mutating func append(_ rows: OutputRows, into output: inout [UInt8])
  /// Appends what makes the document whole, however the run ended; without rows too.
  mutating func end(into output: inout [UInt8])
}

extension OutputFormat {
  package static var fileEndings: [String] { [] }
  package static var isResumable: Bool { false }
  package static var ownColumns: OwnColumns { .all }
}

/// The columns of a document for which none are named.
package enum OwnColumns: Sendable, Hashable {
  /// Those of the source, else all keys of the first page.
  case all
  /// Those that a table begins with.
  case shown
  /// None: the API's own objects.
  case wholeRows
}

/// An option that some formats have no use for, as the command line spells it.
package enum FormatOption: String, Sendable, CaseIterable {
  case header
  case csvSafe = "csv-safe"
  /// Rows that end with NUL.
  case null

  /// The formats it means something to.
  package var formats: [String] { OutputFormats.all.filter { $0.options.contains(self) }.map { $0.name } }
}

/// The formats `--format` knows.
package enum OutputFormats {
  package static let all: [any OutputFormat.Type] = [
    TableFormat<PlainStyle>.self, TableFormat<PsqlStyle>.self, TableFormat<GridStyle>.self,
    TableFormat<MarkdownStyle>.self, HTMLFormat.self, CSVFormat.self, TSVFormat.self, JSONFormat.self,
    JSONLinesFormat.self, TemplateFormat.self,
  ]

  /// The format that the ending of a file's name chooses; nil for a name without an ending.
  ///
  /// - Throws: for an ending that is none of a format's.
  package static func name(forFile path: String) throws(UnknownFileEnding) -> String? {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    // A dot at the start hides a file.
    guard let dot = name.dropFirst().lastIndex(of: ".") else { return nil }
    let ending = name[name.index(after: dot)...].lowercased()
    if ending.isEmpty { return nil }
    guard let format = all.first(where: { $0.fileEndings.contains(ending) }) else {
      throw UnknownFileEnding(ending: ending)
    }
    return format.name
  }

  package static func named(_ name: String) -> (any OutputFormat.Type)? { all.first { $0.name == name } }
}

/// A file's name asks for a format that there is not.
package struct UnknownFileEnding: Error, Sendable, Hashable, CustomStringConvertible {
  package let ending: String

  package var description: String {
    let known = OutputFormats.all.flatMap { $0.fileEndings }.map { ".\($0)" }
    return
      "no format for .\(ending). Use one of \(known.joined(separator: " ")), or name a format with --format"
  }
}
