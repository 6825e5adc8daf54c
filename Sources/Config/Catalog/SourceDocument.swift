import HTTPValues
import Search

/// The document of a source before decoding: overlays of the same name are merged, `extends` is not.
struct SourceDocument: Sendable {
  private(set) var identity: SourceIdentity
  private(set) var tree: TOMLTable
  let file: String
  let provenance: SourceProvenance
  private(set) var trust: SourceTrust
  private(set) var notes: [String] = []
  /// Whether credentials of a document it extends were withheld from it.
  private var lacksCredentials = false

  init(_ document: TOMLDocument, provenance: SourceProvenance, trust: SourceTrust) throws(ConfigError) {
    var reader = TableReader(document: document.root, file: document.file)
    guard let identity = SourceIdentity(&reader) else {
      // Without an id, no other document can be merged under it, so all of its problems can be reported now.
      if document.root["extends"] == nil { _ = try SourceDecoder.source(document) }
      let others = SourceDecoder.problems(ofPart: document.root, file: document.file)
      throw ConfigError(reader.problems + others.filter { !reader.problems.contains($0) })
    }
    self.identity = identity
    self.tree = document.root
    self.notes = tree.replaceFormerNames(of: identity.id)
    self.file = document.file
    self.provenance = provenance
    self.trust = trust
  }

  /// This document merged over the one it extends, without inheriting its names.
  func extending(_ base: SourceDocument) -> SourceDocument {
    var base = base
    for key in SourceIdentity.table.keys.map(\.name) + ["verified"] where key != "schema" {
      base.tree.remove(key)
    }
    return laid(over: base)
  }

  /// This document merged over one with the same id.
  func overlaying(_ base: SourceDocument) -> SourceDocument {
    var result = laid(over: base)
    var reader = TableReader(document: result.tree, file: file)
    result.identity = SourceIdentity(&reader) ?? identity
    return result
  }

  /// This document merged under an overlay of the settings file, whose trust is `trust`.
  func overlaid(by overlay: SourceOverlay, _ trust: SourceTrust) -> SourceDocument {
    var top = self
    top.tree = overlay.tree
    top.notes = top.tree.replaceFormerNames(of: identity.id)
    var result = top.overlaying(self)
    if !trust.isTrusted { result.trust = trust }
    return result
  }

  /// Merges the document over a base: tables are merged recursively, any other value replaces the base's.
  /// Credentials are inherited only for the same origin.
  private func laid(over base: SourceDocument) -> SourceDocument {
    var result = self
    result.notes = base.notes + notes
    result.lacksCredentials = base.lacksCredentials || lacksCredentials
    result.tree = base.tree.overlaid(by: tree)
    if let change = OriginChange(by: tree, to: base.tree, giving: result.tree) {
      let (inherited, removed) = change.harmlessBase
      result.tree = inherited.overlaid(by: tree)
      if !removed.isEmpty {
        result.lacksCredentials = true
        result.notes.append(note(on: removed, of: base))
      }
    }
    // Without the credential, its other settings are meaningless.
    if result.lacksCredentials, let auth = result.tree["auth"]?.table,
      auth.entries.allSatisfy({ ["optional", "benefit", "help", "hosts", "account"].contains($0.key) })
    {
      result.tree.remove("auth")
    }
    return result
  }

  /// Why settings with credentials are not inherited, and what to do.
  private func note(on removed: [String], of base: SourceDocument) -> String {
    let other =
      base.identity.id == identity.id
      ? "was moved to another origin" : "uses another origin than the source it extends"
    let remedy =
      removed.contains("[auth]")
      ? ". To send a credential there, also set auth.from, like auth.from = [\"env:NAME\"]" : ""
    return """
      source \(identity.id) \(other), so it does not inherit \(removed.joined(separator: ", "))\(remedy)
      """
  }
}

extension TOMLTable {
  /// Tables are merged recursively; any other value of the other table replaces the one here. Recursion is
  /// bounded by the depth of a document, which the parser limits.
  func overlaid(by other: TOMLTable) -> TOMLTable {
    var result = self
    for var entry in other.entries {
      if let own = self[entry.key]?.table, let others = entry.value.table {
        entry.value.content = .table(own.overlaid(by: others))
      }
      result.set(entry)
    }
    return result
  }
}

extension TOMLTable {
  /// Replaces names of earlier drafts of the schema, which are read until version 1.0.
  ///
  /// - Returns: A note for each.
  fileprivate mutating func replaceFormerNames(of source: String) -> [String] {
    var notes: [String] = []
    func note(_ former: String, _ name: String) {
      notes.append("source \(source): \(former) is now \(name). The former name works until version 1.0")
    }
    if var rows = self["rows"]?.table, let former = rows.entry("key"), rows["id"] == nil {
      rows.remove("key")
      rows.set(Entry(key: "id", position: former.position, value: former.value))
      setTable("rows", rows)
      note("rows.key", "rows.id")
    }
    if var pagination = self["pagination"]?.table, pagination["next_origin"]?.string == "reply",
      let index = pagination.index(of: "next_origin")
    {
      pagination.setContent(.string("response"), at: index)
      setTable("pagination", pagination)
      note("next_origin = \"reply\"", "next_origin = \"response\"")
    }
    return notes
  }

  private mutating func setTable(_ key: String, _ table: TOMLTable) {
    if let index = index(of: key) { setContent(.table(table), at: index) }
  }
}

/// The top-level keys that identify a source.
struct SourceIdentity: Sendable, Hashable {
  private(set) var id = ""
  private(set) var aliases: [String] = []
  /// The source this one extends.
  private(set) var base: String?
  private(set) var isEnabled = true
  /// Whether it is only a base of other sources.
  private(set) var isAbstract = false

  static let table = KeyTable<SourceIdentity>(
    "", "", SourceIdentity(),
    [
      SourceKey("schema", "`1`, required", "The schema version.") { reader, _ in checkSchema(&reader) },
      SourceKey(
        "id", KeyKind(words: "a name") { name(&$0, $1) }, \.id,
        required: "the name of the source, like \"mine\"",
        "The name of the source: `a-z`, `0-9` and `-`. With the id of a built-in source, this document overrides its settings one by one."
      ),
      SourceKey(
        "extends", KeyKind(words: "the id of a source") { name(&$0, $1) }, \.base,
        "The source to inherit from: it supplies every setting that is not set here. Credentials are inherited only for the same origin."
      ),
      SourceKey("aliases", KeyKind(words: "a list of names") { names(&$0, $1) }, \.aliases, "Other names."),
      SourceKey("enabled", .bool, \.isEnabled, "Whether the source can be used."),
      SourceKey(
        "abstract", .bool, \.isAbstract,
        "Whether the document is only a base that other sources extend, such as the sources of one service. Its `request.url` is the server."
      ),
    ])

  private init() {}

  /// Reads the identity; nil if there is no valid id.
  init?(_ reader: inout TableReader) {
    self = Self.table.value(&reader)
    if id.isEmpty { return nil }
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
      "invalid name \(Wording.quoted(text)): use a-z, 0-9 and -, and start with a letter or digit",
      for: key, at: position)
    return nil
  }
}

/// The credentials that a document does not inherit because it requests another origin: they are inherited
/// only for the same origin, or for a host that `auth.hosts` lists.
private struct OriginChange {
  let base: TOMLTable
  let overlay: TOMLTable

  /// Creates a change; nil if the origin is the same, or allowed. `merged` is the overlay merged over the base.
  init?(by overlay: TOMLTable, to base: TOMLTable, giving merged: TOMLTable) {
    let previous = RequestOrigin(base)
    let origin = RequestOrigin(merged)
    if previous.spelling == origin.spelling || previous.isCompleted(by: origin) { return nil }
    let hosts = [base, overlay].flatMap { $0["auth"]?.table?["hosts"]?.strings ?? [] }
    if let standard = origin.standard, standard.isListed(in: hosts) { return nil }
    self.base = base
    self.overlay = overlay
  }

  /// The base without its credentials, and the keys that were removed, in TOML notation.
  var harmlessBase: (tree: TOMLTable, removed: [String]) {
    var tree = base
    var removed: [String] = []
    for table in ["auth", "secrets"] where tree[table] != nil {
      tree.remove(table)
      if overlay[table] == nil { removed.append("[\(table)]") }
    }
    if let scheme { tree.set(scheme) }
    if let request = tree["request"]?.table {
      tree.replace("request", with: withoutSecrets(request, &removed))
    }
    return (tree, removed)
  }

  /// How the base sends its credential, for an overlay that names a credential of its own but no scheme; nil for a
  /// scheme that requests tokens, since its settings decide where secrets go.
  private var scheme: TOMLTable.Entry? {
    guard var entry = base.entry("auth"), let auth = entry.value.table, let own = overlay["auth"]?.table,
      own["type"] == nil, own["from"] != nil,
      let type = auth["type"]?.string, Self.plainSchemes.contains(where: { $0.name == type })
    else { return nil }
    var scheme = TOMLTable()
    let keys = ["type", "optional", "account"] + Self.plainSchemes.flatMap { $0.keys.map(\.name) }
    for setting in auth.entries where keys.contains(setting.key) { scheme.set(setting) }
    entry.value.content = .table(scheme)
    return entry
  }

  private static let plainSchemes: [AuthScheme] = [.bearer, .basic, .header, .query]

  /// The request without the fields that contain a secret the overlay does not declare itself.
  private func withoutSecrets(_ request: TOMLTable, _ removed: inout [String]) -> TOMLTable {
    var request = request
    for key in ["params", "headers"] {
      guard var fields = request[key]?.table else { continue }
      for field in fields.entries where placesForeignSecret(field.value) {
        fields.remove(field.key)
        removed.append("\(key).\(field.key)")
      }
      request.replace(key, with: fields)
    }
    for key in ["body", "variables"] {
      guard let body = request[key]?.table else { continue }
      request.replace(key, with: withoutSecrets(body: body, at: key, &removed))
    }
    if var additions = request["when"]?.table {
      for addition in additions.entries {
        if let table = addition.value.table {
          additions.replace(addition.key, with: withoutSecrets(table, &removed))
        }
      }
      request.replace("when", with: additions)
    }
    return request
  }

  /// The body, or a table in it, without the fields that contain a secret the overlay does not declare itself.
  /// Recursion is bounded by the depth of a document.
  private func withoutSecrets(body: TOMLTable, at path: String, _ removed: inout [String]) -> TOMLTable {
    var body = body
    for member in body.entries {
      let path = "\(path).\(member.key)"
      if let table = member.value.table {
        body.replace(member.key, with: withoutSecrets(body: table, at: path, &removed))
      } else if placesForeignSecret(member.value) {
        body.remove(member.key)
        removed.append(path)
      }
    }
    return body
  }

  /// Whether a value is a string with a secret that the overlay does not declare itself, or a list that contains one at
  /// any depth.
  private func placesForeignSecret(_ value: TOMLValue) -> Bool {
    let names = value.texts.compactMap { try? Template(body: $0) }.flatMap(\.placeholders).compactMap(
      \.secretName)
    return names.contains { overlay["secrets"]?.table?[$0] == nil }
  }
}

/// The origin that the requests of a document go to.
struct RequestOrigin {
  /// Scheme and host as written, with all options that may affect them. Two spellings of the same origin are
  /// considered different, in which case credentials are not inherited.
  struct Spelling: Equatable {
    let text: String
    /// `default`, `values` and `charset` of each option in the spelling.
    var options: [String: [String: [String]]] = [:]
  }

  private(set) var spelling: Spelling
  /// The origin if no option is chosen; nil if one must be.
  let standard: Origin?

  init(_ tree: TOMLTable) {
    let url = tree["request"]?.table?["url"]?.string ?? ""
    spelling = Spelling(text: Self.start(of: url))
    let template = try? Template(url)
    var defaults: [String: String] = [:]
    for (placeholder, part) in template?.addressPlaceholders ?? [] where part != .path && part != .query {
      guard let option = tree["options"]?.table?[placeholder.name]?.table else { continue }
      for key in ["default", "values", "charset"] {
        spelling.options[placeholder.name, default: [:]][key] = option[key]?.strings
      }
      defaults[placeholder.name] = (option["default"] ?? option["values"])?.strings.first
    }
    standard = template?.filled { defaults[$0] }.flatMap { try? WebURL($0) }?.origin
  }

  /// Whether the other origin differs only in options that have no value here and are required. A credential here
  /// belongs to no origin yet, so it belongs to the one that the user chooses.
  func isCompleted(by other: RequestOrigin) -> Bool {
    func isOpen(_ option: [String: [String]]) -> Bool { option["default"] == nil && option["values"] == nil }
    guard spelling.text == other.spelling.text, standard == nil else { return false }
    return spelling.options.allSatisfy { name, option in
      isOpen(option) ? other.spelling.options[name]?["values"] == nil : other.spelling.options[name] == option
    }
  }

  /// The part before the path, including placeholders.
  private static func start(of url: String) -> String {
    let bytes = Array(url.utf8)
    let authority = bytes.indices.first { bytes[$0...].starts(with: "//".utf8) }.map { $0 + 2 } ?? 0
    let end = bytes[authority...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
    return String(decoding: bytes[..<end], as: UTF8.self)
  }
}

extension TOMLValue {
  /// The string of a scalar, or the strings of a list of scalars.
  fileprivate var strings: [String] { elements.compactMap(\.scalarText) }
}

extension TOMLValue {
  /// All strings in the value. Recursion is bounded by the depth of a document.
  fileprivate var texts: [String] {
    switch content {
    case .array(let elements): elements.flatMap(\.texts)
    case .table(let table): table.entries.flatMap(\.value.texts)
    default: scalarText.map { [$0] } ?? []
    }
  }
}

extension TOMLTable {
  /// Replaces the value of a key with a table.
  mutating func replace(_ key: String, with table: TOMLTable) {
    guard var entry = entry(key) else { return }
    entry.value.content = .table(table)
    set(entry)
  }
}
