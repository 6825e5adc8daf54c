/// Reads sources from the user's folder, and from files elsewhere.
struct SourceFolder: Sendable {
  /// Absolute; nil if there is no home.
  let path: String?
  let files: FileAccess
  let user: UInt32

  /// The documents in the folder, sorted by name; empty if the folder does not exist.
  func sources() throws(ConfigError) -> [(name: String, path: String)] {
    guard let path else { return [] }
    let names: [String]
    do { names = try files.list(path) } catch {
      if error == .missing { return [] }
      throw ConfigError([ConfigProblem(at: .named(path), error.description)])
    }
    return names.filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }.sorted()
      .map { (String($0.dropLast(5)), "\(path)/\($0)") }
  }

  /// A file of the folder. Its text is read now, and parsed when needed.
  func listing(ofOwn path: String) throws(ConfigError) -> SourceListing {
    let file = try read(path)
    return try SourceListing(file.bytes, file: path, provenance: .user(path: path)) {
      () throws(ConfigError) in
      try document(ofOwn: path, file)
    }
  }

  /// A file of the folder.
  func document(ofOwn path: String) throws(ConfigError) -> SourceDocument {
    try document(ofOwn: path, try read(path))
  }

  private func document(ofOwn path: String, _ file: FileAccess.File) throws(ConfigError) -> SourceDocument {
    let trust = self.path.map { SourceTrust(path, file.status, in: $0, PathSafety(files: files, user: user)) }
    return try SourceDocument(
      TOMLDocument(file.bytes, file: path), provenance: .user(path: path),
      trust: trust ?? .untrusted(Self.elsewhere))
  }

  /// A file given on the command line, and the bytes it was parsed from, so that the text that was checked is
  /// the text that is kept.
  func documentAndText(
    ofExternal path: String
  ) throws(ConfigError) -> (document: SourceDocument, text: [UInt8]) {
    let bytes = try read(path).bytes
    let document = try SourceDocument(
      TOMLDocument(bytes, file: path), provenance: .path(path), trust: .untrusted(Self.elsewhere))
    return (document, bytes)
  }

  private static let elsewhere = "is not in your source folder"

  /// The path within the folder, however the path is written; nil for a file elsewhere.
  func ownPath(of path: String) -> String? {
    guard let folder = self.path else { return nil }
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
    let parent = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    guard let place = try? files.canonical(parent), let own = try? files.canonical(folder), place == own
    else { return nil }
    return "\(folder)/\(name)"
  }

  private func read(_ path: String) throws(ConfigError) -> FileAccess.File {
    do { return try files.read(path) } catch {
      throw ConfigError([ConfigProblem(at: .named(path), error.description)])
    }
  }
}

/// A source of the catalog: its names, and a closure that reads its document when needed.
struct SourceListing: Sendable {
  let identity: SourceIdentity
  /// The name of the document in messages.
  let file: String
  let provenance: SourceProvenance
  /// The keys before the first header; nil if the names could only be found by parsing the document.
  private let head: TOMLTable?
  private let read: @Sendable () throws(ConfigError) -> SourceDocument

}

extension SourceListing {
  /// Creates a listing for a parsed document.
  init(_ document: SourceDocument) {
    self.init(
      identity: document.identity, file: document.file, provenance: document.provenance, head: nil,
      read: { () throws(ConfigError) in document })
  }

  /// Creates a listing whose document is parsed when needed, or immediately if there is a problem with its
  /// head.
  ///
  /// - Parameter read: Parses the document.
  init(
    _ bytes: [UInt8], file: String, provenance: SourceProvenance,
    read: @escaping @Sendable () throws(ConfigError) -> SourceDocument
  ) throws(ConfigError) {
    if let head = TOMLDocument.head(of: bytes, file: file),
      let identity = SourceIdentity(head: head, file: file)
    {
      self.init(identity: identity, file: file, provenance: provenance, head: head, read: read)
    } else {
      self.init(try read())
    }
  }

  /// Parses the document.
  ///
  /// - Throws: All problems with its text.
  func document() throws(ConfigError) -> SourceDocument { try read() }

  /// This source merged over one with the same id.
  func overlaying(_ base: SourceListing) throws(ConfigError) -> SourceListing {
    guard let head, let joined = base.head?.overlaid(by: head),
      let identity = SourceIdentity(head: joined, file: file)
    else { return SourceListing(try document().overlaying(try base.document())) }
    return SourceListing(
      identity: identity, file: file, provenance: provenance, head: joined,
      read: { [read] () throws(ConfigError) in try read().overlaying(try base.document()) })
  }
}
