package import Search

/// A source that can be used, where it comes from, and whether it may use credentials.
package struct CatalogueEntry: Sendable {
  package let source: Source
  package let provenance: SourceProvenance
  package let trust: SourceTrust
  /// The document with all that is laid over it or extended by it.
  package let tree: TOMLTable
  /// Where the settings file changes it, if it does.
  package let overlay: FilePosition?
  /// Worth telling the user.
  package let notes: [String]

  /// The same with a source that was changed for one run.
  package func with(_ source: Source) -> CatalogueEntry {
    CatalogueEntry(
      source: source, provenance: provenance, trust: trust, tree: tree, overlay: overlay, notes: notes)
  }
}

/// Where a source comes from.
package enum SourceProvenance: Sendable, Hashable, CustomStringConvertible {
  case builtIn
  /// A file in the user's folder of sources; it may add to a built-in source of the same name.
  case user(path: String)
  /// A file named on the command line.
  case path(String)

  package var description: String {
    switch self {
    case .builtIn: "built in"
    case .user(let path), .path(let path): path
    }
  }
}

/// Whether a source may use credentials: it may when it is built in, or is a file in the user's own folder
/// of sources that nobody else can change.
package enum SourceTrust: Sendable, Hashable {
  case trusted
  /// Why not, as the end of a sentence about the file.
  case untrusted(String)

  package var isTrusted: Bool { self == .trusted }
}
