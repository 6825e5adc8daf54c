private import Search

/// `[sources.NAME]` of a settings file: what it lays over the source of that name.
package struct SourceOverlay: Sendable, Hashable {
  package let name: String
  /// Where its name stands.
  package let position: FilePosition
  /// A part of a source's document.
  let tree: TOMLTable
  /// The options whose default is set: `options.sort = "stars"`.
  let choices: [TOMLTable.Entry]

  /// Nil when it is no table.
  init?(_ entry: TOMLTable.Entry, _ reader: inout TableReader) {
    guard var tree = entry.value.table else {
      reader.report(
        "expected a table, like \(entry.key).enabled = false, found \(entry.value.kindName)",
        forMember: entry, of: "sources")
      return nil
    }
    if let id = tree.entry("id") {
      reader.report(
        "the source has its name from the header; leave id out", inside: ["sources", entry.key, "id"],
        at: id.position)
    }
    name = entry.key
    position = entry.position
    choices = tree["options"]?.table?.entries.filter { $0.value.table == nil } ?? []
    tree.setDefaults(choices)
    self.tree = tree
  }
}

extension TOMLTable {
  /// Each choice as the table of its option.
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

// MARK: Telling

extension SourceOverlay {
  /// Each value, except those that look like a secret: such a file is refused, but not by everyone who tells
  /// its values.
  var report: [SettingReport] { Self.report(tree, path: ["sources", name], isSecret: false) }

  /// Recursion is bounded by the depth of a document, which the parser limits.
  private static func report(_ table: TOMLTable, path: [String], isSecret: Bool) -> [SettingReport] {
    table.entries.flatMap { entry in
      let path = path + [TOMLText.key(entry.key)]
      let isSecret =
        isSecret || LiteralSecret.isLikely(header: entry.key) || LiteralSecret.isLikely(parameter: entry.key)
      if let inner = entry.value.table, !inner.entries.isEmpty {
        return report(inner, path: path, isSecret: isSecret)
      }
      return [
        SettingReport(
          key: path.joined(separator: "."), value: isSecret ? "(hidden)" : entry.value.inlineText,
          origin: .file(entry.value.position))
      ]
    }
  }
}
