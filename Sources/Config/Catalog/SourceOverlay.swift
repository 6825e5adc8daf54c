import HTTPValues
private import Search
private import Text

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

  /// Reads an overlay; nil if the entry is not a table.
  init?(_ entry: TOMLTable.Entry, _ reader: inout TableReader) {
    guard var tree = entry.value.table else {
      reader.report(
        "expected a table, like \(entry.key).enabled = false, found \(entry.value.kindName)",
        forMember: entry, of: "sources")
      return nil
    }
    if let id = tree.entry("id") {
      reader.report(
        "remove id: the table header names the source", inside: ["sources", entry.key, "id"], at: id.position)
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
    guard var options = self["options"]?.table else { return }
    for var choice in choices {
      var option = TOMLTable()
      option.set(Entry(key: "default", position: choice.position, value: choice.value))
      choice.value.content = .table(option)
      options.set(choice)
    }
    replace("options", with: options)
  }
}

// MARK: Reporting

extension SourceOverlay {
  /// Every value, except those that look like a secret: a file with such a value is rejected, but not by
  /// every command that prints it.
  var report: [ReportedSetting] { Self.report(written, path: ["sources", TOMLText.key(name)]) }

  /// `part` is the path within a source, such as `["secrets"]`. Recursion is bounded by the depth of a document,
  /// which the parser limits.
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
      let keys = (part.first == "auth" ? Authorization.manual : NamedSecret.manual).keys
      return !keys.contains { $0.name == key } || key.hasSuffix("from") && !value.namesCredentials
    case (_, 0) where key == "secrets" || key == "auth": return value.table == nil
    default: break
    }
    return switch part.last {
    case "params", "headers": SecretName.isLikely(header: key)
    default: SecretName.isLikely(member: key)
    }
  }
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
      table.entries.contains { SecretName.isLikely(member: $0.key) || $0.value.mayHoldSecret }
    case .integer, .float, .bool, .date: false
    }
  }
}

extension Catalog {
  /// Problems with the settings of sources: unknown names, or settings that the source cannot have.
  package func problems(of layers: SettingsLayers) -> [ConfigDiagnostic] {
    var problems = overlayProblems + problems(ofStandard: layers) + layers.actions.flatMap(problems)
    for overlay in overlays where problems.count < ConfigError.maxProblems {
      problems += self.problems(in: overlay)
    }
    return problems
  }

  private func problems(ofStandard layers: SettingsLayers) -> [ConfigDiagnostic] {
    guard let name = layers.settings.search.source, !hasSource(named: name) else { return [] }
    return [
      ConfigDiagnostic(
        at: layers.origin(of: "search.source").place, table: "[search]", key: "source",
        Wording.unknownSource(name, nearest: NearestName.nearest(to: name, among: names)))
    ]
  }

  /// The unknown sources of an action.
  private func problems(of action: WrittenAction) -> [ConfigDiagnostic] {
    action.sources.filter { !hasSource(named: $0.text) }.map { source in
      ConfigDiagnostic(
        at: .position(source.position), table: action.header, key: "sources",
        Wording.unknownSource(source.text, nearest: NearestName.nearest(to: source.text, among: names)))
    }
  }

  /// Problems with the additions of an overlay to a source, even a disabled one. Problems of the source itself are not
  /// reported here.
  private func problems(in overlay: SourceOverlay) -> [ConfigDiagnostic] {
    let file = overlay.position.file
    guard let document = try? document(id: overlay.name) else {
      return SourceDecoder.problems(ofPart: overlay.tree, file: file).map(named)
    }
    do throws(ConfigError) {
      if document.identity.isAbstract { return try problems(inBase: document, overlay) }
      _ = try decoded(document)
      return []
    } catch { return error.problems.filter { $0.place.file == file } }
  }

  /// Problems with the additions to an abstract document.
  private func problems(
    inBase document: SourceDocument, _ overlay: SourceOverlay
  ) throws(ConfigError) -> [ConfigDiagnostic] {
    let file = overlay.position.file
    let found = SourceDecoder.problems(ofPart: try derived(document).0.tree, file: document.file)
    let disabled = overlay.tree["enabled"].map {
      ConfigDiagnostic(
        at: .position($0.position), table: "", key: "enabled",
        "disable the sources that extend it: \(Self.listed(family(of: overlay.name)))")
    }
    return found.filter { $0.place.file == file }.map(named) + [disabled].compactMap(\.self).map(named)
  }

  // MARK: Names

  /// Unknown names in an overlay: the source itself, and options it sets. Called on a catalog without
  /// overlays.
  func problems(ofNamesIn overlay: SourceOverlay) -> [ConfigDiagnostic] {
    guard let listing = listings.first(where: { $0.id == overlay.name }) else {
      return [misnamed(overlay)]
    }
    guard let document = try? listing.document(), let tree = try? derived(document).0.tree else { return [] }
    let options = tree["options"]?.table?.entries.map(\.key) ?? []
    let shared = overlay.choices.compactMap { choice -> ConfigDiagnostic? in
      guard let base = serverBase(of: overlay.name), base.option == choice.key else { return nil }
      return ConfigDiagnostic(
        at: .position(choice.position), table: "[sources.\(overlay.name).options]", key: choice.key,
        """
        this is the server of \(Self.listed(family(of: base.id))). To set it for all of them, write \
        [sources.\(base.id).options]
        """)
    }
    if !shared.isEmpty { return shared }
    let unknownNames = overlay.choices.lazy.filter { !options.contains($0.key) }
    return unknownNames.prefix(ConfigError.maxProblems).map { choice in
      let advice = options.isEmpty ? "It has no options" : Wording.suggestion(for: choice.key, among: options)
      return ConfigDiagnostic(
        at: .position(choice.position), table: "[sources.\(overlay.name).options]", key: choice.key,
        "the source has no such option. \(advice)")
    }
  }

  /// The abstract document extended by a source that has the server as an option; nil if there is none.
  func serverBase(of id: String) -> (id: String, option: String)? {
    guard let document = try? document(id: id), let chain = try? chain(of: document) else { return nil }
    return chain.dropFirst().reversed().lazy.filter(\.identity.isAbstract).compactMap { base in
      RequestOrigin(base.tree).spelling.options.keys.min().map { (base.identity.id, $0) }
    }.first
  }

  private func misnamed(_ overlay: SourceOverlay) -> ConfigDiagnostic {
    let message =
      if let id = (try? document(named: overlay.name))?.identity.id {
        "this is an alias. Write [sources.\(id)]"
      } else {
        Wording.unknownSource(
          overlay.name, nearest: NearestName.nearest(to: overlay.name, among: listings.map(\.id)))
      }
    return ConfigDiagnostic(
      at: .position(overlay.position), table: "[sources]", key: TableReader.name([overlay.name]), message)
  }

  /// The problem with the names used in the overlay.
  func named(_ problem: ConfigDiagnostic) -> ConfigDiagnostic {
    guard let position = problem.place.position else { return problem }
    let owner = overlays.first { $0.position.file == position.file && $0.tree.contains(position) }
    return owner?.named(problem, at: position) ?? problem
  }
}

extension SourceOverlay {
  fileprivate func named(_ problem: ConfigDiagnostic, at position: FilePosition) -> ConfigDiagnostic {
    if let choice = choices.first(where: { $0.value.position == position }) {
      return ConfigDiagnostic(
        at: problem.place, table: "[sources.\(name).options]", key: choice.key, problem.message)
    }
    let isElement = problem.table.hasPrefix("[[")
    let inner = problem.table.drop { $0 == "[" }.prefix { $0 != "]" }
    let path = ["sources", name, String(inner)].filter { !$0.isEmpty }.joined(separator: ".")
    return ConfigDiagnostic(
      at: problem.place, table: isElement ? "[[\(path)]]" : "[\(path)]", key: problem.key, problem.message)
  }
}

extension TOMLTable {
  /// Whether a key or value of this table is at this position. Recursion is bounded by the depth of a
  /// document.
  fileprivate func contains(_ position: FilePosition) -> Bool {
    entries.contains { $0.position == position || $0.value.contains(position) }
  }
}

extension TOMLValue {
  fileprivate func contains(_ position: FilePosition) -> Bool {
    if self.position == position { return true }
    return switch content {
    case .table(let table): table.contains(position)
    case .array(let elements): elements.contains { $0.contains(position) }
    case .string, .integer, .float, .bool, .date: false
    }
  }
}
