private import Text

extension Catalog {
  /// Problems with what the settings say about sources: unknown names, or anything the source cannot have.
  package func problems(of layers: SettingsLayers) -> [ConfigProblem] {
    var problems = overlayProblems + problems(ofStandard: layers)
    for overlay in overlays where problems.count < ConfigError.mostProblems {
      problems += self.problems(in: overlay)
    }
    return problems
  }

  /// Problems with the default source.
  private func problems(ofStandard layers: SettingsLayers) -> [ConfigProblem] {
    guard let name = layers.settings.search.source, !isKnown(name) else { return [] }
    return [
      ConfigProblem(
        at: layers.origin(of: "search.source").place, table: "[search]", key: "source",
        unknown(name, among: listings.flatMap { [$0.identity.id] + $0.identity.aliases }))
    ]
  }

  /// Problems with what an overlay adds to a source, even a disabled one. Problems of the source itself are
  /// not reported here.
  private func problems(in overlay: SourceOverlay) -> [ConfigProblem] {
    let file = overlay.position.file
    guard let document = try? listings.first(where: { $0.identity.id == overlay.name })?.document() else {
      return SourceDecoder.problems(ofPart: overlay.tree, file: file).map(named)
    }
    do throws(ConfigError) {
      _ = try decoded(document)
      return []
    } catch { return error.problems.filter { $0.place.file == file } }
  }

  private func isKnown(_ name: String) -> Bool {
    listing(named: name) != nil || broken.contains { $0.name == name }
  }

  private func unknown(_ name: String, among names: [String]) -> String {
    let near = NearestName.nearest(to: name, among: names)
    let advice =
      near.isEmpty
      ? "To list sources, run: riffle sources list"
      : "Did you mean \(near.map { "\"\($0)\"" }.joined(separator: " or "))?"
    return "unknown source \(Wording.quoted(name)). \(advice)"
  }

  // MARK: Names

  /// Unknown names in an overlay: the source itself, and options it sets. Called on a catalog without
  /// overlays.
  func problems(ofNamesIn overlay: SourceOverlay) -> [ConfigProblem] {
    guard let listing = listings.first(where: { $0.identity.id == overlay.name }) else {
      return broken.contains { $0.name == overlay.name } ? [] : [misnamed(overlay)]
    }
    guard let document = try? listing.document(), let tree = try? derived(document).0.tree
    else { return [] }
    let options = tree["options"]?.table?.entries.map(\.key) ?? []
    let unknownNames = overlay.choices.lazy.filter { !options.contains($0.key) }
    return unknownNames.prefix(ConfigError.mostProblems).map { choice in
      let advice =
        options.isEmpty ? "It has no options" : Wording.suggestion(for: choice.key, among: options)
      return ConfigProblem(
        at: .position(choice.position), table: "[sources.\(overlay.name).options]", key: choice.key,
        "the source has no such option. \(advice)")
    }
  }

  private func misnamed(_ overlay: SourceOverlay) -> ConfigProblem {
    let message =
      if let id = listing(named: overlay.name)?.identity.id {
        "this is an alias. Write [sources.\(id)]"
      } else {
        unknown(overlay.name, among: listings.map(\.identity.id))
      }
    return ConfigProblem(
      at: .position(overlay.position), table: "[sources]", key: TableReader.name([overlay.name]), message)
  }

  /// The problem with the names used in the overlay.
  func named(_ problem: ConfigProblem) -> ConfigProblem {
    guard case .position(let position) = problem.place else { return problem }
    let owner = overlays.first { $0.position.file == position.file && $0.contains(position) }
    return owner?.named(problem, at: position) ?? problem
  }
}

extension SourceOverlay {
  fileprivate func contains(_ position: FilePosition) -> Bool { tree.contains(position) }

  fileprivate func named(_ problem: ConfigProblem, at position: FilePosition) -> ConfigProblem {
    if let choice = choices.first(where: { $0.value.position == position }) {
      return ConfigProblem(
        at: problem.place, table: "[sources.\(name).options]", key: choice.key, problem.message)
    }
    let isElement = problem.table.hasPrefix("[[")
    let inner = problem.table.drop { $0 == "[" }.prefix { $0 != "]" }
    let path = ["sources", name, String(inner)].filter { !$0.isEmpty }.joined(separator: ".")
    return ConfigProblem(
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
