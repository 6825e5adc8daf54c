private import Search

/// `[sources.NAME]` of a settings file: changes to the source with that name.
package struct SourceOverlay: Sendable, Hashable {
  package let name: String
  /// The position of its name.
  package let position: FilePosition
  /// A partial source document.
  let tree: TOMLTable
  /// The table as written in the file.
  private let written: TOMLTable
  /// The options whose default is set: `options.sort = "stars"`.
  let choices: [TOMLTable.Entry]

  /// Nil if it is not a table.
  init?(_ entry: TOMLTable.Entry, _ reader: inout TableReader) {
    guard var tree = entry.value.table else {
      reader.report(
        "expected a table, like \(entry.key).enabled = false, found \(entry.value.kindName)",
        forMember: entry, of: "sources")
      return nil
    }
    if let id = tree.entry("id") {
      reader.report(
        "remove id: the table header names the source", inside: ["sources", entry.key, "id"],
        at: id.position)
    }
    name = entry.key
    position = entry.position
    written = tree
    choices = tree["options"]?.table?.entries.filter { $0.value.table == nil } ?? []
    tree.setDefaults(choices)
    self.tree = tree
  }
}

extension TOMLTable {
  /// Merges each default into the table of its option.
  fileprivate mutating func setDefaults(_ choices: [Entry]) {
    guard var options = entry("options"), var table = options.value.table else { return }
    for choice in choices {
      var wrapped = choice
      var option = TOMLTable()
      option.set(Entry(key: "default", position: choice.position, value: choice.value))
      wrapped.value = TOMLValue(.table(option), at: choice.value.position)
      table.set(wrapped)
    }
    options.value.content = .table(table)
    set(options)
  }
}

// MARK: Reporting

extension SourceOverlay {
  /// Every value, except those that look like a secret: a file with such a value is rejected, but not by
  /// every command that prints it.
  var report: [ReportedSetting] { Self.report(written, path: ["sources", TOMLText.key(name)]) }

  /// Recursion is bounded by the depth of a document, which the parser limits.
  ///
  /// - Parameter table: The path within a source, such as `["secrets"]`.
  private static func report(
    _ table: TOMLTable, path: [String], in part: [String] = []
  ) -> [ReportedSetting] {
    table.entries.flatMap { entry in
      let path = path + [TOMLText.key(entry.key)]
      let isHidden = entry.mayHoldSecret(in: part)
      if let inner = entry.value.table, !inner.entries.isEmpty, !isHidden {
        return report(inner, path: path, in: part + [entry.key])
      }
      return [
        ReportedSetting(
          key: path.joined(separator: "."), value: isHidden ? "(hidden)" : entry.value.inlineText,
          origin: .file(entry.value.position))
      ]
    }
  }
}

extension TOMLTable.Entry {
  /// Whether the value may be a credential that is written literally instead of referenced (`env:NAME`). An
  /// unknown key in a table of secrets may be one.
  fileprivate func mayHoldSecret(in part: [String]) -> Bool {
    if let table = value.table {
      if table.entries.isEmpty { return false }
    } else if value.mayHoldSecret {
      return true
    }
    switch (part.first, part.count) {
    case ("secrets", 1): return value.table == nil
    case ("secrets", _), ("auth", _):
      let names = part.first == "auth" ? Self.authKeys : Self.secretKeys
      return !names.contains(key) || key.hasSuffix("from") && !value.namesCredentials
    case (_, 0) where key == "secrets" || key == "auth": return value.table == nil
    default: break
    }
    return switch part.last {
    case "params", "headers": LiteralSecret.isLikely(header: key)
    default: LiteralSecret.isLikely(member: key)
    }
  }

  private static let secretKeys: Set = ["from", "optional"]
  private static let authKeys: Set = [
    "type", "header", "prefix", "param", "from", "user_from", "optional", "hosts",
  ]
}

extension TOMLValue {
  fileprivate var namesCredentials: Bool {
    switch content {
    case .string(let text): ["env:", "cmd:", "file:"].contains { text.hasPrefix($0) }
    case .array(let elements): elements.allSatisfy(\.namesCredentials)
    case .integer, .float, .bool, .date, .table: false
    }
  }

  /// Recursion is bounded by the depth of a document.
  fileprivate var mayHoldSecret: Bool {
    switch content {
    case .string(let text): text.contains("://") && text.contains("@")
    case .array(let elements): elements.contains(where: \.mayHoldSecret)
    case .table(let table):
      table.entries.contains { LiteralSecret.isLikely(member: $0.key) || $0.value.mayHoldSecret }
    case .integer, .float, .bool, .date: false
    }
  }
}
