package import Search

/// The columns of a document: those specified by the user, or else the source's.
///
/// A name refers to the source's column with that name, or else to the member of the rows; if there is
/// neither, it is an error. This is checked when the first rows are loaded, everything else before.
package struct ColumnSelection: Sendable {
  /// The maximum number of members for `*`, because a reply may have any number of keys.
  static let mostKeys = 1_000

  let source: Source
  /// Nil if none were specified.
  private let names: [ColumnName]?

  /// The source's own columns, and whole rows in json and jsonl.
  package init(columnsOf source: Source) {
    self.source = source
    names = nil
  }

  /// Parses `--columns a,b.c,@link`; each column may occur once.
  package init(parsing list: String, of source: Source) throws(ColumnSelectionError) {
    let entries = ColumnName.entries(of: list)
    for (index, entry) in entries.enumerated() where entries[..<index].contains(entry) {
      throw ColumnSelectionError(entry, "column \"\(entry)\" is listed twice")
    }
    try self.init(entries, of: source)
  }

  /// Parses columns in the syntax of `--columns`.
  package init(_ entries: [String], of source: Source) throws(ColumnSelectionError) {
    var names: [ColumnName] = []
    for entry in entries {
      let name = try ColumnName(entry)
      if case .reserved(let reserved) = name { _ = try Self.column(reserved, of: source) }
      names.append(name)
    }
    self.source = source
    self.names = names
  }

  var isWholeRows: Bool { names == nil }

  var takesAllKeys: Bool {
    names?.contains { if case .allKeys = $0 { true } else { false } } ?? false
  }

  /// Whether keys that first occur on later pages have no column, although all keys of the first page do.
  func leavesLateKeys(_ wanted: DefaultColumns) -> Bool {
    takesAllKeys || names == nil && source.columns.isEmpty && wanted == .all
  }

  /// Whether the keys of the first page determine the columns.
  var needsKeys: Bool {
    names?.contains { name in
      switch name {
      case .allKeys: true
      case .name(let text, _): !source.columns.contains { $0.name == text }
      case .path, .reserved: false
      }
    } ?? false
  }

  /// The columns of a list that begins with the rows of `pages`, with these member names.
  ///
  /// - Parameter wanted: The format's default columns.
  func columns(
    of pages: [OutputRows], keys: [String], _ wanted: DefaultColumns = .all
  ) throws(ColumnSelectionError) -> [OutputColumn] {
    guard let names else {
      let own = ownColumns(pages).filter { wanted != .shown || !$0.isHidden }
      return own.isEmpty ? [.wholeValue] : own.map { OutputColumn($0) }
    }
    let own = needsKeys ? ownColumns(pages) : source.columns
    var columns: [OutputColumn] = []
    for name in names { columns += try self.columns(name, own: own, keys: keys) }
    return columns.isEmpty && takesAllKeys ? [.wholeValue] : columns
  }

  /// The known columns if there are no rows.
  var columnsWithoutRows: [OutputColumn] {
    guard let names else { return source.columns.map { OutputColumn($0) } }
    return names.flatMap { (try? columns($0, own: source.columns, keys: nil)) ?? [] }
  }

  private func ownColumns(_ pages: [OutputRows]) -> [Column] {
    guard source.columns.isEmpty else { return source.columns }
    return Column.guessed(
      from: pages.map { DocumentRows(reply: $0.reply, nodes: $0.nodes) }, limit: Self.mostKeys)
  }

  /// The columns that an entry refers to.
  ///
  /// - Parameter keys: The members of the first rows; nil if there are no rows.
  private func columns(
    _ name: ColumnName, own: [Column], keys: [String]?
  ) throws(ColumnSelectionError) -> [OutputColumn] {
    switch name {
    case .allKeys:
      return (keys ?? []).prefix(Self.mostKeys).filter { !isNamed($0) }.compactMap(OutputColumn.init(key:))
    case .reserved(let reserved): return [try Self.column(reserved, of: source)]
    case .path(let text, let path): return [OutputColumn(name: text, at: path)]
    case .name(let text, let path):
      if let column = own.first(where: { $0.name == text }) { return [OutputColumn(column)] }
      guard keys?.contains(text) ?? true else { throw unknown(text, own: own.map(\.name), keys: keys ?? []) }
      return [OutputColumn(name: text, at: path)]
    }
  }

  private func unknown(_ name: String, own: [String], keys: [String]) -> ColumnSelectionError {
    ColumnSelectionError(
      name, "no column \"\(name)\" in source \(source.id)",
      among: own + keys.filter { !own.contains($0) }, remedy: "to use it as a path, write $.\(name)")
  }

  /// Whether a key has a separate entry in addition to `*`.
  private func isNamed(_ key: String) -> Bool {
    names?.contains { if case .name(key, _) = $0 { true } else { false } } ?? false
  }

  private static func column(
    _ reserved: ReservedColumn, of source: Source
  ) throws(ColumnSelectionError) -> OutputColumn {
    guard let column = reserved.column(of: source) else {
      throw ColumnSelectionError(
        reserved.rawValue, "source \(source.id) has no \(reserved.rawValue)",
        remedy: "set rows.\(reserved == .link ? "link" : "key") in the source")
    }
    return column
  }
}

extension OutputColumn {
  /// The row itself, if rows are not objects.
  fileprivate static var wholeValue: OutputColumn { OutputColumn(name: "value", at: .root) }

  /// A member of the row by its name, which may contain any characters.
  fileprivate init?(key: String) {
    guard let path = try? JSONPath("[\(JSONText.quoted(key))]") else { return nil }
    self.init(name: key, at: path)
  }

  init(name: String, at path: JSONPath) {
    self.init(Column(name: name, value: ValueExpression([.path(path)])))
  }
}
