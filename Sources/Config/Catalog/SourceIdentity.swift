import Search

/// The top-level keys that identify a source; they are read before the rest.
struct SourceIdentity: Sendable, Hashable {
  private(set) var id = ""
  private(set) var aliases: [String] = []
  /// The source this one extends.
  private(set) var base: String?
  private(set) var isEnabled = true

  static let table = KeyTable<SourceIdentity>(
    "", "", SourceIdentity(),
    [
      SourceKey("schema", "`1`, required", "The schema version.") { reader, _ in checkSchema(&reader) },
      SourceKey(
        "id", KeyKind(words: "a name") { name(&$0, $1) }, \.id,
        required: "the name of the source, like \"mine\"",
        "The name of the source: `a-z`, `0-9` and `-`. With the id of a built-in source, this document overrides it key by key."
      ),
      SourceKey(
        "extends", KeyKind(words: "an id") { name(&$0, $1) }, \.base,
        "The source to inherit from: all keys not set here are taken from it. Credentials are inherited only for the same origin."
      ),
      SourceKey("aliases", KeyKind(words: "names") { names(&$0, $1) }, \.aliases, "Other names."),
      SourceKey("enabled", .bool, \.isEnabled, "Whether the source can be used."),
    ])

  private init() {}

  /// Nil if there is no valid id.
  init?(_ reader: inout TableReader) {
    self = Self.table.value(&reader)
    if id.isEmpty { return nil }
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

  private static func name(_ reader: inout TableReader, _ key: String) -> String? {
    reader.string(key).flatMap { name($0, key, &reader) }
  }

  private static func names(_ reader: inout TableReader, _ key: String) -> [String] {
    reader.strings(key).compactMap { name($0.text, key, &reader, at: $0.position) }
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
