import Search

/// The top-level keys that identify a source; they are read before the rest.
struct SourceIdentity: Sendable, Hashable {
  let id: String
  let aliases: [String]
  /// The source this one extends.
  let base: String?
  let isEnabled: Bool

  /// Nil if there is no valid id.
  init?(_ reader: inout TableReader) {
    Self.checkSchema(&reader)
    reader.require("id", "the name of the source, like \"mine\"")
    let id = reader.string("id").flatMap { Self.name($0, "id", &reader) }
    let base = reader.string("extends").flatMap { Self.name($0, "extends", &reader) }
    let aliases = reader.strings("aliases").compactMap {
      Self.name($0.text, "aliases", &reader, at: $0.position)
    }
    isEnabled = reader.bool("enabled") ?? true
    guard let id else { return nil }
    self.id = id
    self.base = base
    self.aliases = aliases
  }

  /// The names in the head of a document, which are found without parsing the rest, because most runs need only
  /// one source. Nil if there is any problem with them.
  init?(head: TOMLTable, file: String) {
    var reader = TableReader(document: head, file: file)
    guard let identity = SourceIdentity(&reader), reader.problems.isEmpty else { return nil }
    self = identity
  }

  private static func checkSchema(_ reader: inout TableReader) {
    reader.require("schema", "write schema = 1")
    guard let version = reader.value("schema"), version.content != .integer(1) else { return }
    reader.report("expected 1, the only version", for: "schema")
  }

  private static func name(
    _ text: String, _ key: String, _ reader: inout TableReader, at position: FilePosition? = nil
  ) -> String? {
    if SourceName.isValid(text) { return text }
    reader.report(
      "expected lowercase letters, digits and -, not starting with -, found \(Wording.quoted(text))",
      for: key, at: position)
    return nil
  }
}
