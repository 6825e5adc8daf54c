/// The document of a source before it is decoded: overlays by name are applied, `extends` is not.
struct SourceDocument: Sendable {
  private(set) var identity: SourceIdentity
  private(set) var tree: TOMLTable
  let file: String
  let provenance: SourceProvenance
  let trust: SourceTrust
  private(set) var notes: [String] = []

  init(
    _ document: TOMLDocument, provenance: SourceProvenance, trust: SourceTrust
  ) throws(ConfigError) {
    var reader = TableReader(document: document.root, file: document.file)
    guard let identity = SourceIdentity(&reader) else {
      // Without an id nothing can be laid under it: what is wrong with the rest can be told too.
      if document.root["extends"] == nil { _ = try SourceDecoding.source(document) }
      throw ConfigError(reader.problems)
    }
    self.identity = identity
    self.tree = document.root
    self.file = document.file
    self.provenance = provenance
    self.trust = trust
  }

  /// This document over the one it extends, whose names it does not inherit.
  func extending(_ base: SourceDocument) -> SourceDocument {
    var base = base
    for key in ["id", "aliases", "extends", "enabled"] { base.tree.remove(key) }
    return laid(over: base)
  }

  /// This document over one of the same id.
  func overlaying(_ base: SourceDocument) -> SourceDocument {
    var result = laid(over: base)
    var reader = TableReader(document: result.tree, file: file)
    result.identity = SourceIdentity(&reader) ?? identity
    return result
  }

  /// Its keys win, tables are joined key by key, anything else replaces. Credentials are inherited for the
  /// same origin only.
  private func laid(over base: SourceDocument) -> SourceDocument {
    var inherited = base.tree
    var result = self
    result.notes = base.notes + notes
    if inherited["auth"] != nil, OriginChange.isMade(by: tree, to: base.tree) {
      inherited.remove("auth")
      if tree["auth"] == nil {
        result.notes.append(
          "source \(identity.id) asks another origin than the source it is made from, so it does not inherit [auth]"
        )
      }
    }
    result.tree = inherited.overlaid(by: tree)
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

/// Whether a document sends requests somewhere else than the one it is made from. In doubt it does: then
/// credentials are not inherited.
private enum OriginChange {
  static func isMade(by overlay: TOMLTable, to base: TOMLTable) -> Bool {
    let former = url(of: base).map(origin)
    let origin = url(of: overlay).map(origin) ?? former
    guard let origin, origin == former else { return true }
    let options = overlay["options"]?.table?.entries ?? []
    return origin.contains("{") && options.contains { origin.contains($0.key) }
  }

  private static func url(of tree: TOMLTable) -> String? { tree["request"]?.table?["url"]?.string }

  /// Scheme and host as written, placeholders included.
  private static func origin(_ url: String) -> String {
    let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
    let end = url[start...].firstIndex { "/?#".contains($0) } ?? url.endIndex
    return String(url[..<end])
  }
}
