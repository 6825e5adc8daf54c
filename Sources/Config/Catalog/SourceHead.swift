private import Search

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
