package import Search

/// A valid source, its provenance, and whether it may use credentials.
package struct CatalogEntry: Sendable {
  package let source: Source
  package let provenance: SourceProvenance
  package let trust: SourceTrust
  /// The document after merging overlays and extended documents.
  package let tree: TOMLTable
  /// The position of its overlay in the settings file, if any.
  package let overlay: FilePosition?
  /// Notes for the user.
  package let notes: [String]

  /// A copy with a source that was modified for one run.
  package func with(_ source: Source) -> CatalogEntry {
    CatalogEntry(
      source: source, provenance: provenance, trust: trust, tree: tree, overlay: overlay, notes: notes)
  }
}

/// Where a source comes from.
package enum SourceProvenance: Sendable, Hashable, CustomStringConvertible {
  case builtIn
  /// A file in the user's sources folder; it may be merged over a built-in source with the same name.
  case user(path: String)
  /// A file given on the command line.
  case path(String)

  package var description: String {
    switch self {
    case .builtIn: "built in"
    case .user(let path), .path(let path): path
    }
  }
}

/// Whether a source may use credentials: it may if it is built in, or is a file in the user's sources folder
/// that no other user can change.
package enum SourceTrust: Sendable, Hashable {
  case trusted
  /// The reason, as the end of a sentence about the file.
  case untrusted(String)

  package var isTrusted: Bool { self == .trusted }
}
