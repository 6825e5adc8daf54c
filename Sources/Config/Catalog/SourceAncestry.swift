import HTTPValues
import Search
private import Text

extension Catalog {
  /// A source and the sources above it (`[parent]`), the topmost first. The list begins below a parent whose value is
  /// chosen, or that is not the row of a source.
  ///
  /// - Parameter options: The chosen options, by name.
  package func lineage(
    of entry: CatalogEntry, options: [String: String]
  ) throws(CatalogError) -> [CatalogEntry] {
    var lineage = [entry]
    while let child = lineage.first, let parent = child.source.parent, options[parent.name] == nil,
      case .source(let name) = parent.rows
    {
      do throws(ConfigError) {
        try lineage.insert(self.parent(name, of: child, in: lineage, options), at: 0)
      } catch {
        throw .invalid(error)
      }
    }
    return lineage
  }

  /// The child sources of this one, by name. Those with problems are omitted.
  package func children(of id: String) -> [CatalogEntry] {
    let entries = documents(maybeUnder: id).compactMap { document -> CatalogEntry? in
      guard document.identity.isEnabled, !document.identity.isAbstract,
        let (whole, _) = try? derived(document),
        whole.tree["parent"]?.table?["source"]?.string == id, let entry = try? decoded(document),
        parentProblems(of: entry).isEmpty
      else { return nil }
      return entry
    }
    return entries.sorted { $0.source.id < $1.source.id }
  }

  /// The documents that mention a source, and those that extend one of them: no others can hang under its rows.
  private func documents(maybeUnder id: String) -> [SourceDocument] {
    var found = documents(mentioning: id)
    var ids = Set(found.map(\.identity.id))
    var next = 0
    while next < found.count {
      let base = found[next].identity.id
      found += documents(mentioning: base).filter {
        $0.identity.base == base && ids.insert($0.identity.id).inserted
      }
      next += 1
    }
    return found
  }

  /// The problems of the parents of a source.
  package func parentProblems(of entry: CatalogEntry) -> [ConfigDiagnostic] {
    do { _ = try lineage(of: entry, options: [:]) } catch {
      if case .invalid(let error) = error { return error.problems }
    }
    return []
  }

  private func parent(
    _ name: String, of child: CatalogEntry, in lineage: [CatalogEntry], _ options: [String: String]
  ) throws(ConfigError) -> CatalogEntry {
    func failure(_ message: String, in entry: CatalogEntry) -> ConfigError {
      let position = entry.tree["parent"]?.table?["source"]?.position
      return ConfigError([
        ConfigDiagnostic(
          at: position.map { .position($0) } ?? .named("source \(entry.source.id)"), table: "[parent]",
          key: "source",
          message)
      ])
    }
    guard let listing = listings.first(where: { $0.id == name }) else {
      let nearest = NearestName.nearest(to: name, among: listings.map(\.id))
      throw failure(Wording.unknownSource(name, nearest: nearest), in: child)
    }
    if lineage.contains(where: { $0.source.id == name }) {
      throw failure("\(Wording.quoted(name)) is this source, or has it as a parent", in: child)
    }
    guard lineage.count <= Parent.deepest else {
      throw failure("there are more than \(Parent.deepest) parents, one above the other", in: child)
    }
    let entry = try decoded(try listing.document())
    for below in lineage where below.source.options.contains(where: { $0.name == child.source.parent?.name })
    {
      if let problem = below.source.problem(withRowsOf: entry.source, options) {
        let rows = below.source.id == child.source.id ? "its rows" : "rows above it"
        throw failure("\(rows) \(problem)", in: below)
      }
    }
    return entry
  }
}

extension Source {
  /// The reason why values of a source's rows must not be placed in requests of this one: they would be sent along with
  /// a credential to an origin that they do not come from. Nil if they may be placed.
  fileprivate func problem(withRowsOf other: Source, _ options: [String: String]) -> String? {
    guard authorization != nil || !secrets.isEmpty, let origin = origin(options: options),
      let otherOrigin = other.origin(options: options), origin != otherOrigin,
      !otherOrigin.isListed(in: parent?.hosts ?? [])
    else { return nil }
    return """
      come from \(otherOrigin), but this source sends a credential to \(origin). To allow that, add \
      hosts = [\(Wording.quoted(otherOrigin.hostWithPort))]
      """
  }
}
