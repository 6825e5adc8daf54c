import FeedbackLoop
import Glibc
package import Search
private import Text

/// The catalog of sources: built-in ones, and the files in the user's folder. Documents are read only when
/// needed. A file with the id of a built-in source is merged over it, key by key; `[sources.NAME]` of the
/// settings file is merged over both.
package struct Catalog: Sendable {
  private(set) var listings: [SourceListing] = []
  /// Invalid files, by the name of the source they would define.
  private(set) var broken: [(name: String, path: String, error: ConfigError)] = []
  let overlays: [SourceOverlay]
  /// Problems with the names used in overlays.
  private(set) var overlayProblems: [ConfigProblem] = []
  private let folder: SourceFolder
  private let input: SearchInput

  /// - Parameters:
  ///   - builtIns: The built-in documents, with their names: the ids of the sources.
  ///   - folder: `…/riffle/sources`; nil if there is no home.
  ///   - user: The user id of the process.
  package init(
    builtIns: [(name: String, bytes: [UInt8])], folder: String?, files: FileAccess, user: UInt32,
    input: SearchInput = .standard, overlays: [SourceOverlay] = []
  ) {
    self.folder = SourceFolder(path: folder, files: files, user: user)
    self.input = input
    self.overlays = overlays
    listings = builtIns.map { SourceListing(builtIn: $0.bytes, id: $0.name) }
    addFolder()
    add(overlays, PathSafety(files: files, user: user))
  }

  private mutating func addFolder() {
    let sources: [(name: String, path: String)]
    do { sources = try folder.sources() } catch {
      broken.append(("", "", error))
      return
    }
    for (name, path) in sources {
      do throws(ConfigError) { try add(try folder.listing(ofOwn: path)) } catch {
        broken.append((name, path, error))
      }
    }
  }

  private mutating func add(_ listing: SourceListing) throws(ConfigError) {
    guard let index = listings.firstIndex(where: { $0.id == listing.id }) else {
      listings.append(listing)
      return
    }
    guard listings[index].provenance == .builtIn else {
      throw ConfigError([
        Self.problem(try listing.document(), "id", "\(listings[index].file) has the same id")
      ])
    }
    listings[index] = try listing.overlaying(listings[index])
  }

  private mutating func add(_ overlays: [SourceOverlay], _ safety: PathSafety) {
    guard let file = overlays.first?.position.file else { return }
    let trust = SourceTrust(settingsFile: file, safety)
    let plain = self
    for overlay in overlays {
      if overlayProblems.count < ConfigError.mostProblems {
        overlayProblems += plain.problems(ofNamesIn: overlay)
      }
      // An unreadable document is reported when it is requested.
      if let index = listings.firstIndex(where: { $0.id == overlay.name }),
        let document = try? listings[index].document()
      {
        listings[index] = SourceListing(document.overlaid(by: overlay, trust))
      }
    }
  }

  // MARK: Lookup

  /// Whether the name is the path of a file rather than the name of a source.
  package static func isPath(_ name: String) -> Bool { name.contains("/") || name.hasSuffix(".toml") }

  /// The source with this name or alias, or in the file with this path.
  package func entry(named name: String) throws(CatalogError) -> CatalogEntry {
    do throws(ConfigError) {
      if Self.isPath(name) { return try entry(at: name) }
      if let listing = listing(named: name) { return try entry(try listing.document()) }
    } catch { throw .invalid(error) }
    if let (_, _, error) = broken.first(where: { $0.name == name }) { throw .invalid(error) }
    throw .unknown(name: name, nearest: NearestName.nearest(to: name, among: names))
  }

  /// A file in the user's folder is the same source as by name, however its path is written.
  private func entry(at path: String) throws(ConfigError) -> CatalogEntry {
    if let own = folder.ownPath(of: path) {
      if let listing = listings.first(where: { $0.provenance == .user(path: own) }) {
        return try entry(try listing.document())
      }
      if let (_, _, error) = broken.first(where: { $0.path == own }) { throw error }
      // A file that the folder's listing ignores: a hidden file, or one without .toml.
      return try entry(try folder.document(ofOwn: own))
    }
    return try entry(try folder.documentAndText(ofExternal: path).document)
  }

  /// The source in a file, and the bytes it was read from.
  package func entry(file path: String) throws(CatalogError) -> (entry: CatalogEntry, text: [UInt8]) {
    do throws(ConfigError) {
      let (document, text) = try folder.documentAndText(ofExternal: path)
      return (try entry(document), text)
    } catch { throw .invalid(error) }
  }

  /// All enabled sources, by name, and the problems of the others.
  package func all() -> (entries: [CatalogEntry], problems: [ConfigProblem]) {
    var entries: [CatalogEntry] = []
    var problems = broken.flatMap(\.error.problems)
    for listing in listings where listing.identity.isEnabled {
      do throws(ConfigError) {
        let document = try listing.document()
        problems += clashes(of: document)
        let entry = try entry(document)
        problems += parentProblems(of: entry)
        entries.append(entry)
      } catch { problems += error.problems }
    }
    return (entries.sorted { $0.source.id < $1.source.id }, problems)
  }

  /// All ids and aliases.
  var names: [String] { listings.flatMap { [$0.id] + $0.identity.aliases } }

  /// Ids take precedence over aliases, and enabled sources over disabled ones.
  func listing(named name: String) -> SourceListing? {
    let own = listings.filter { $0.id == name }
    if let enabled = own.first(where: { $0.identity.isEnabled }) { return enabled }
    let matches = own + listings.filter { $0.identity.aliases.contains(name) }
    return matches.first { $0.identity.isEnabled } ?? matches.first
  }

  /// Nil if no source has this id.
  func document(id: String) throws(ConfigError) -> SourceDocument? {
    try listings.first { $0.id == id }?.document()
  }

  /// The aliases of a document that another source already uses.
  private func clashes(of document: SourceDocument) -> [ConfigProblem] {
    document.identity.aliases.compactMap { alias in
      guard let other = listing(named: alias), other.id != document.identity.id else { return nil }
      return Self.problem(
        document, "aliases", "\"\(alias)\" already names source \(other.id). Choose another alias")
    }
  }

  private func entry(_ document: SourceDocument) throws(ConfigError) -> CatalogEntry {
    guard document.identity.isEnabled else {
      throw ConfigError([named(Self.problem(document, "enabled", "this source is disabled"))])
    }
    return try decoded(document)
  }

  /// The entry of a document, whether it is enabled or not.
  func decoded(_ document: SourceDocument) throws(ConfigError) -> CatalogEntry {
    do throws(ConfigError) {
      let (document, trust) = try derived(document)
      let source = try SourceDecoder.source(document.tree, file: document.file, input: input)
      return CatalogEntry(
        source: source, provenance: document.provenance, trust: trust, tree: document.tree,
        overlay: overlay(on: document)?.position, notes: document.notes + QuotedQuery.notes(on: source))
    } catch { throw ConfigError(error.problems.map(named)) }
  }

  /// The overlay of the settings file for a document; nil for a document given by its path.
  private func overlay(on document: SourceDocument) -> SourceOverlay? {
    if case .path = document.provenance { return nil }
    return overlays.first { $0.name == document.identity.id }
  }

  /// The document merged over all documents it extends; trusted only if all of them are.
  func derived(_ document: SourceDocument) throws(ConfigError) -> (SourceDocument, SourceTrust) {
    var chain = [document]
    while let last = chain.last, let name = last.identity.base {
      let isLoop = chain.contains { $0.identity.id == name }
      let base = try? self.document(id: name)
      guard let base, !isLoop else {
        throw ConfigError(
          baseProblems(of: last, isLoop: isLoop)
            + chain.flatMap { SourceDecoder.problems(ofPart: $0.tree, file: $0.file) })
      }
      chain.append(base)
    }
    let trust = chain.map(\.trust).first { !$0.isTrusted } ?? .trusted
    var result = chain.removeLast()
    while let next = chain.popLast() { result = next.extending(result) }
    return (result, trust)
  }

  /// Why the source that a document extends is unavailable.
  private func baseProblems(of document: SourceDocument, isLoop: Bool) -> [ConfigProblem] {
    guard let name = document.identity.base else { return [] }
    if isLoop { return [Self.problem(document, "extends", "\"\(name)\" extends this source itself")] }
    var faults = broken.filter { $0.name == name }.flatMap(\.error.problems)
    do throws(ConfigError) { _ = try self.document(id: name) } catch { faults += error.problems }
    if !faults.isEmpty { return faults }
    let suggestion = Wording.suggestion(for: name, among: listings.map(\.id))
    return [Self.problem(document, "extends", "no source has the id \"\(name)\". \(suggestion)")]
  }

  private static func problem(_ document: SourceDocument, _ key: String, _ message: String) -> ConfigProblem {
    let position = document.tree[key]?.position
    return ConfigProblem(at: position.map { .position($0) } ?? .named(document.file), key: key, message)
  }
}

/// A valid source, its provenance, and whether it may use credentials.
package struct CatalogEntry: Sendable {
  /// May be replaced by one that was modified for one run.
  package var source: Source
  package let provenance: SourceProvenance
  package let trust: SourceTrust
  /// The document after merging overlays and extended documents.
  package let tree: TOMLTable
  /// The position of its overlay in the settings file, if any.
  package let overlay: FilePosition?
  /// Notes for the user.
  package let notes: [String]
}

extension CatalogEntry {
  /// A source of the program that is in no catalog.
  package init(ownDocument document: TOMLDocument) throws(ConfigError) {
    self.init(
      source: try SourceDecoder.source(document), provenance: .builtIn, trust: .trusted, tree: document.root,
      overlay: nil, notes: [])
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

/// Why a source is unavailable.
package enum CatalogError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is no source with this name.
  case unknown(name: String, nearest: [String])
  /// Its document is invalid.
  case invalid(ConfigError)

  package var description: String {
    switch self {
    case .unknown(let name, let nearest):
      Wording.unknownSource(name, nearest: nearest, orElse: ". To name a file, write ./\(name).toml")
    case .invalid(let error): error.description
    }
  }
}

// MARK: Where sources are read from

/// A source of the catalog: its names, and a closure that reads its document when needed.
struct SourceListing: Sendable {
  let id: String
  /// The name of the document in messages.
  let file: String
  let provenance: SourceProvenance
  private let heading: Heading
  /// Whether a string of the text can be this name. False only if none is.
  let mayMention: @Sendable (String) -> Bool
  /// Parses the document. It throws all problems with its text.
  let document: @Sendable () throws(ConfigError) -> SourceDocument

  var identity: SourceIdentity { heading.names.identity }
}

extension SourceListing {
  /// What stands before the first header of a document. Of a built-in source it is read when first asked for, since most runs
  /// need only one source, by its id.
  private final class Heading: Sendable {
    /// The keys are nil if the names could only be found by parsing the document.
    typealias Names = (identity: SourceIdentity, keys: TOMLTable?)

    private let known = Lock<Names?>(nil)
    private let read: @Sendable () -> Names

    init(_ names: @autoclosure @escaping @Sendable () -> Names) { read = names }

    var names: Names {
      known.withLock { known in
        let names = known ?? read()
        known = names
        return names
      }
    }
  }

  private init(
    _ identity: SourceIdentity, keys: TOMLTable?, file: String, provenance: SourceProvenance,
    mayMention: @escaping @Sendable (String) -> Bool,
    document: @escaping @Sendable () throws(ConfigError) -> SourceDocument
  ) {
    self.init(
      id: identity.id, file: file, provenance: provenance, heading: Heading((identity, keys)),
      mayMention: mayMention, document: document)
  }

  init(_ document: SourceDocument) {
    self.init(
      document.identity, keys: nil, file: document.file, provenance: document.provenance,
      mayMention: { _ in true },
      document: { () throws(ConfigError) in document })
  }

  /// A problem with the document is thrown when the document is read.
  init(builtIn bytes: [UInt8], id: String) {
    let file = "builtin:\(id)"
    self.init(
      id: id, file: file, provenance: .builtIn,
      heading: Heading(Self.names(ofBuiltIn: bytes, id: id, file: file)),
      mayMention: bytes.mayMention,
      document: { () throws(ConfigError) in
        try SourceDocument(TOMLDocument(bytes, file: file), provenance: .builtIn, trust: .trusted)
      })
  }

  private static func names(ofBuiltIn bytes: [UInt8], id: String, file: String) -> Heading.Names {
    let keys = TOMLDocument.head(of: bytes, file: file)
    return (keys.flatMap { SourceIdentity(head: $0, file: file) } ?? SourceIdentity(id: id), keys)
  }

  /// Creates a listing whose document is parsed when needed, or at once if there is a problem with its head.
  init(
    _ bytes: [UInt8], file: String, provenance: SourceProvenance,
    read: @escaping @Sendable () throws(ConfigError) -> SourceDocument
  ) throws(ConfigError) {
    if let head = TOMLDocument.head(of: bytes, file: file),
      let identity = SourceIdentity(head: head, file: file)
    {
      self.init(
        identity, keys: head, file: file, provenance: provenance, mayMention: bytes.mayMention, document: read
      )
    } else {
      self.init(try read())
    }
  }

  /// This source merged over one with the same id.
  func overlaying(_ base: SourceListing) throws(ConfigError) -> SourceListing {
    guard let head = heading.names.keys, let joined = base.heading.names.keys?.overlaid(by: head),
      let identity = SourceIdentity(head: joined, file: file)
    else { return SourceListing(try document().overlaying(try base.document())) }
    return SourceListing(
      identity, keys: joined, file: file, provenance: provenance,
      mayMention: { [mayMention] in mayMention($0) || base.mayMention($0) },
      document: { [document] () throws(ConfigError) in try document().overlaying(try base.document()) })
  }
}

extension [UInt8] {
  /// Whether a string of this TOML text can be this name: the text contains it, or an escape that can stand for a part of it.
  fileprivate func mayMention(_ name: String) -> Bool {
    withUnsafeBytes { text in
      let plainEscapes = #"btnfr"\"#.utf8
      return text.hasPlace(of: UInt8(ascii: "\\")) { !plainEscapes.contains($0.dropFirst().first ?? 0) }
        || name.utf8.first.map { text.hasPlace(of: $0) { $0.starts(with: name.utf8) } } ?? false
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the text from a place with this byte on meets the condition. With memchr(3), since a session looks through all
  /// sources.
  fileprivate func hasPlace(
    of byte: UInt8, where condition: (Slice<UnsafeRawBufferPointer>) -> Bool
  ) -> Bool {
    var start = 0
    while let base = baseAddress, let place = memchr(base + start, CInt(byte), count - start) {
      let index = UnsafeRawPointer(place) - base
      if condition(self[index...]) { return true }
      start = index + 1
    }
    return false
  }
}

/// Reads sources from the user's folder, and from files elsewhere.
private struct SourceFolder: Sendable {
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
      throw ConfigError(at: .named(path), error.description)
    }
    return names.filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }.sorted()
      .map { (String($0.dropLast(5)), "\(path)/\($0)") }
  }

  /// A file of the folder. Its text is read now, and parsed when needed.
  func listing(ofOwn path: String) throws(ConfigError) -> SourceListing {
    let file = try read(path)
    return try SourceListing(file.bytes, file: path, provenance: .user(path: path)) {
      () throws(ConfigError) in try document(ofOwn: path, file)
    }
  }

  func document(ofOwn path: String) throws(ConfigError) -> SourceDocument {
    try document(ofOwn: path, try read(path))
  }

  private func document(ofOwn path: String, _ file: FileAccess.File) throws(ConfigError) -> SourceDocument {
    let trust = self.path.map { SourceTrust(path, file.status, in: $0, PathSafety(files: files, user: user)) }
    return try SourceDocument(
      TOMLDocument(file.bytes, file: path), provenance: .user(path: path),
      trust: trust ?? .untrusted(Self.elsewhere))
  }

  /// A file given on the command line, and the bytes it was parsed from: what was checked is what is kept.
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
    do { return try files.read(path) } catch { throw ConfigError(at: .named(path), error.description) }
  }
}
