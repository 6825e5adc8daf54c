/// The document of a source before decoding: overlays of the same name are merged, `extends` is not.
struct SourceDocument: Sendable {
  private(set) var identity: SourceIdentity
  private(set) var tree: TOMLTable
  let file: String
  let provenance: SourceProvenance
  private(set) var trust: SourceTrust
  private(set) var notes: [String] = []

  init(
    _ document: TOMLDocument, provenance: SourceProvenance, trust: SourceTrust
  ) throws(ConfigError) {
    var reader = TableReader(document: document.root, file: document.file)
    guard let identity = SourceIdentity(&reader) else {
      // Without an id, no other document can be merged under it, so all of its problems can be reported now.
      if document.root["extends"] == nil { _ = try SourceDecoder.source(document) }
      let others = SourceDecoder.problems(ofPart: document.root, file: document.file)
      throw ConfigError(reader.problems + others.filter { !reader.problems.contains($0) })
    }
    self.identity = identity
    self.tree = document.root
    self.file = document.file
    self.provenance = provenance
    self.trust = trust
  }

  /// This document merged over the one it extends, without inheriting its names.
  func extending(_ base: SourceDocument) -> SourceDocument {
    var base = base
    for key in ["id", "aliases", "extends", "enabled"] { base.tree.remove(key) }
    return laid(over: base)
  }

  /// This document merged over one with the same id.
  func overlaying(_ base: SourceDocument) -> SourceDocument {
    var result = laid(over: base)
    var reader = TableReader(document: result.tree, file: file)
    result.identity = SourceIdentity(&reader) ?? identity
    return result
  }

  /// This document merged under an overlay of the settings file.
  ///
  /// - Parameter trust: The trust in the settings file.
  func overlaid(by overlay: SourceOverlay, _ trust: SourceTrust) -> SourceDocument {
    var top = self
    top.tree = overlay.tree
    top.notes = []
    var result = top.overlaying(self)
    if !trust.isTrusted { result.trust = trust }
    return result
  }

  /// Merges the document over a base: tables are merged recursively, any other value replaces the base's.
  /// Credentials are inherited only for the same origin.
  private func laid(over base: SourceDocument) -> SourceDocument {
    var result = self
    result.notes = base.notes + notes
    result.tree = base.tree.overlaid(by: tree)
    guard let change = OriginChange(by: tree, to: base.tree, giving: result.tree) else { return result }
    let (inherited, removed) = change.harmlessBase
    result.tree = inherited.overlaid(by: tree)
    if !removed.isEmpty {
      result.notes.append(
        """
        source \(identity.id) uses another origin than the source it extends, so it does not inherit \
        \(removed.joined(separator: ", "))
        """)
    }
    return result
  }
}

extension TOMLTable {
  /// Recursion is bounded by the depth of a document, which the parser limits.
  fileprivate func overlaid(by other: TOMLTable) -> TOMLTable {
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
