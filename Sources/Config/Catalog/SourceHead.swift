import Search

/// The top-level keys that identify a source; they are read before the rest.
struct SourceIdentity: Sendable, Hashable {
  let id: String
  let aliases: [String]
  /// The source this one extends.
  let base: String?
  let isEnabled: Bool

  init(id: String, aliases: [String], base: String?, isEnabled: Bool) {
    self.id = id
    self.aliases = aliases
    self.base = base
    self.isEnabled = isEnabled
  }

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

/// The names at the start of a document, found without parsing the rest, because most runs need only one
/// source.
///
/// Only simple syntax is recognized: one `key = value` per line before the first table, strings without
/// escapes, lists on one line. For anything else, the whole document is parsed.
struct SourceHead: Sendable, Hashable {
  let id: String
  let aliases: [String]?
  let base: String?
  let isEnabled: Bool?

  /// Nil if the names use other syntax, or are invalid.
  init?(scanning bytes: [UInt8]) {
    var values: [String: Value] = [:]
    var rest = bytes[...]
    while !rest.isEmpty {
      let text = rest.prefix { $0 != UInt8(ascii: "\n") }
      rest = rest[text.endIndex...].dropFirst()
      var line = HeadLine(text)
      if line.beginsTable { break }
      guard !line.isBlank else { continue }
      guard let key = line.key(), let value = line.value(), line.isBlank else { return nil }
      guard values.updateValue(value, forKey: key) == nil else { return nil }
    }
    self.init(values)
  }

  private init?(_ values: [String: Value]) {
    guard values["schema"] == .number("1"), case .text(let id)? = values["id"], SourceName.isValid(id)
    else { return nil }
    self.id = id
    switch values["aliases"] {
    case nil: aliases = nil
    case .list(let names)? where names.allSatisfy(SourceName.isValid): aliases = names
    case .text(let name)? where SourceName.isValid(name): aliases = [name]
    default: return nil
    }
    switch values["extends"] {
    case nil: base = nil
    case .text(let name)? where SourceName.isValid(name): base = name
    default: return nil
    }
    switch values["enabled"] {
    case nil: isEnabled = nil
    case .flag(let flag)?: isEnabled = flag
    default: return nil
    }
  }

  /// Merges the head over another with the same id, which provides the missing keys.
  func overlaying(_ other: SourceHead) -> SourceHead {
    SourceHead(
      id: id, aliases: aliases ?? other.aliases, base: base ?? other.base,
      isEnabled: isEnabled ?? other.isEnabled)
  }

  private init(id: String, aliases: [String]?, base: String?, isEnabled: Bool?) {
    self.id = id
    self.aliases = aliases
    self.base = base
    self.isEnabled = isEnabled
  }

  enum Value: Hashable {
    case text(String)
    case list([String])
    case flag(Bool)
    /// As written.
    case number(String)
  }
}

extension SourceIdentity {
  init(_ head: SourceHead) {
    self.init(
      id: head.id, aliases: head.aliases ?? [], base: head.base, isEnabled: head.isEnabled ?? true)
  }
}

/// Parses one line of a document if it uses only simple syntax; otherwise the results are nil.
struct HeadLine {
  private var rest: ArraySlice<UInt8>

  init(_ line: ArraySlice<UInt8>) {
    rest = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    skipBlanks()
  }

  var beginsTable: Bool { rest.first == UInt8(ascii: "[") }

  /// Whether only a comment is left.
  var isBlank: Bool { rest.isEmpty || rest.first == UInt8(ascii: "#") }

  /// A bare or dotted key, including the `=` after it.
  mutating func key() -> String? {
    let name = rest.prefix { $0.isBareKeyByte || $0 == UInt8(ascii: ".") }
    rest = rest[name.endIndex...]
    skipBlanks()
    return !name.isEmpty && take("=") ? String(decoding: name, as: UTF8.self) : nil
  }

  mutating func value() -> SourceHead.Value? {
    defer { skipBlanks() }
    switch rest.first {
    case UInt8(ascii: "\""): return string().map { .text($0) }
    case UInt8(ascii: "["): return list().map { .list($0) }
    default:
      let word = rest.prefix(while: \.isBareKeyByte)
      rest = rest[word.endIndex...]
      if word.elementsEqual("true".utf8) { return .flag(true) }
      if word.elementsEqual("false".utf8) { return .flag(false) }
      let isNumber = !word.isEmpty && word.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      return isNumber ? .number(String(decoding: word, as: UTF8.self)) : nil
    }
  }

  private mutating func list() -> [String]? {
    guard take("[") else { return nil }
    var texts: [String] = []
    while !take("]") {
      guard let text = string() else { return nil }
      texts.append(text)
      skipBlanks()
      if !take(","), rest.first != UInt8(ascii: "]") { return nil }
    }
    return texts
  }

  private mutating func string() -> String? {
    guard rest.first == UInt8(ascii: "\"") else { return nil }
    let text = rest.dropFirst().prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    guard text.endIndex < rest.endIndex, rest[text.endIndex] == UInt8(ascii: "\"") else { return nil }
    rest = rest[(text.endIndex + 1)...]
    return String(validating: text, as: UTF8.self)
  }

  /// Consumes a character and the whitespace after it.
  private mutating func take(_ sign: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: sign) else { return false }
    rest = rest.dropFirst()
    skipBlanks()
    return true
  }

  private mutating func skipBlanks() {
    rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  }
}
