import Search

/// The credentials that a document does not inherit because it requests another origin: they are inherited
/// only for the same origin, or for a host that `auth.hosts` lists.
struct OriginChange {
  let base: TOMLTable
  let overlay: TOMLTable

  /// - Parameter merged: The overlay merged over the base.
  /// - Returns: Nil if the origin is the same, or allowed.
  init?(by overlay: TOMLTable, to base: TOMLTable, giving merged: TOMLTable) {
    let previous = RequestOrigin(base)
    let origin = RequestOrigin(merged)
    if previous.spelling == origin.spelling { return nil }
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
    if let request = tree["request"]?.table {
      tree.replace("request", with: withoutSecrets(request, &removed))
    }
    return (tree, removed)
  }

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

  private func placesForeignSecret(_ value: TOMLValue) -> Bool {
    let names = value.strings.compactMap { try? Template($0) }.flatMap(\.placeholders).compactMap(
      \.secretName)
    return names.contains { overlay["secrets"]?.table?[$0] == nil }
  }
}

/// The origin that the requests of a document go to.
private struct RequestOrigin {
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

  /// The part before the path, including placeholders.
  private static func start(of url: String) -> String {
    let bytes = Array(url.utf8)
    let authority = bytes.indices.first { bytes[$0...].starts(with: "//".utf8) }.map { $0 + 2 } ?? 0
    let end = bytes[authority...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
    return String(decoding: bytes[..<end], as: UTF8.self)
  }
}

extension TOMLValue {
  /// The text of a scalar, or the texts of a list of scalars.
  fileprivate var strings: [String] {
    if case .array(let elements) = content { return elements.compactMap(\.scalarText) }
    return [scalarText].compactMap(\.self)
  }
}

extension TOMLTable {
  /// Replaces the value of a key with a table.
  fileprivate mutating func replace(_ key: String, with table: TOMLTable) {
    guard var entry = entry(key) else { return }
    entry.value.content = .table(table)
    set(entry)
  }
}
