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

  /// A file given on the command line.
  func document(ofExternal path: String) throws(ConfigError) -> SourceDocument {
    try documentAndText(ofExternal: path).document
  }

  /// The document and the bytes it was parsed from, so that the text that was checked is the text that is
  /// kept.
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
