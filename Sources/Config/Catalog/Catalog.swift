private import Glibc
private import Locking
package import Search
private import Text

/// The catalog of sources: built-in ones, which are parsed when requested, and the files in the user's directory. A
/// file with the id of a built-in source is merged over it, setting by setting; `[sources.NAME]` of the settings file is
/// merged over both.
package struct Catalog: Sendable {
  private(set) var listings: [SourceListing] = []
  /// The problems of listing the directory.
  private var folderProblems: [ConfigDiagnostic] = []
  let overlays: [SourceOverlay]
  /// Problems with the names used in overlays.
  private(set) var overlayProblems: [ConfigDiagnostic] = []
  private let folder: SourceFolder
  private let input: SearchInput

  /// - Parameters:
  ///   - builtIns: The built-in documents.
  ///   - folder: `…/riffle/sources`; nil if there is no home.
  ///   - user: The user id of the process.
  package init(
    builtIns: [BuiltInDocument], folder: String?, files: FileAccess, user: UInt32,
    input: SearchInput = .standard, overlays: [SourceOverlay] = []
  ) {
    self.folder = SourceFolder(path: folder, files: files, user: user)
    self.input = input
    self.overlays = overlays
    listings = builtIns.map { .builtIn($0) }
    addFolder()
    add(overlays, PathSafety(files: files, user: user))
  }

  private mutating func addFolder() {
    let sources: [(name: String, path: String)]
    do { sources = try folder.sources() } catch {
      folderProblems = error.problems
      return
    }
    for (name, path) in sources {
      do throws(ConfigError) {
        let document = try folder.document(ofOwn: path)
        do throws(ConfigError) { try add(document) } catch {
          listings.append(.broken(id: name, path: path, error))
        }
      } catch {
        // The file may be meant to replace it.
        listings.removeAll { if case .builtIn(let document) = $0 { document.name == name } else { false } }
        listings.append(.broken(id: name, path: path, error))
      }
    }
  }

  private mutating func add(_ document: SourceDocument) throws(ConfigError) {
    for (index, listing) in listings.enumerated() where listing.id == document.identity.id {
      switch listing {
      case .builtIn:
        listings[index] = .read(document.overlaying(try listing.document()))
        return
      case .read(let other):
        throw ConfigError([Self.problem(document, "id", "\(other.file) has the same id")])
      case .broken: break
      }
    }
    listings.append(.read(document))
  }

  private mutating func add(_ overlays: [SourceOverlay], _ safety: PathSafety) {
    guard let file = overlays.first?.position.file else { return }
    let trust = SourceTrust(settingsFile: file, safety)
    let plain = self
    for overlay in overlays {
      if overlayProblems.count < ConfigError.maxProblems {
        overlayProblems += plain.problems(ofNamesIn: overlay)
      }
      // An unreadable document is reported when it is requested.
      if let index = listings.firstIndex(where: { $0.id == overlay.name }),
        let document = try? listings[index].document()
      {
        listings[index] = .read(document.overlaid(by: overlay, trust))
      }
    }
  }

  // MARK: Lookup

  /// Whether the name is the path of a file rather than the name of a source.
  package static func isPath(_ name: String) -> Bool { name.contains("/") || name.hasSuffix(".toml") }

  /// Whether a source has this name and is disabled.
  package func isDisabled(_ name: String) -> Bool {
    (try? document(named: name)).map { $0?.identity.isEnabled == false } ?? false
  }

  /// The source with this name or alias, or in the file with this path.
  package func entry(named name: String) throws(CatalogError) -> CatalogEntry {
    do throws(ConfigError) {
      if Self.isPath(name) { return try entry(at: name) }
      if let document = try document(named: name) { return try entry(document) }
    } catch { throw .invalid(error) }
    throw .unknown(
      name: name, nearest: nearestNames(to: name),
      file: [name, "\(name).toml"].first { folder.exists($0) })
  }

  /// A file in the user's directory is the same source as by name, however its path is written.
  private func entry(at path: String) throws(ConfigError) -> CatalogEntry {
    if let own = folder.ownPath(of: path) {
      for listing in listings {
        switch listing {
        case .read(let document) where document.provenance == .user(path: own): return try entry(document)
        case .broken(_, own, let error): throw error
        case .read, .broken, .builtIn: break
        }
      }
      // A file that the directory's listing ignores: a hidden file, or one without .toml.
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

  /// All enabled sources, by name, and the problems of the others. A built-in source that cannot follow a change by the
  /// user to a related one is reported in the notes.
  package func all() -> (entries: [CatalogEntry], problems: [ConfigDiagnostic], notes: [String]) {
    let aliases = self.aliases
    let isChanged = listings.contains { if case .builtIn = $0 { false } else { true } }
    var entries: [CatalogEntry] = []
    var problems = folderProblems
    /// The built-in sources that cannot follow a change, by the reason.
    var strays: [(reason: String, ids: [String])] = []
    func report(_ found: [ConfigDiagnostic], of id: String, isConsequence: Bool) {
      if !isConsequence { return problems += found }
      let advice = serverBase(of: id).map {
        ". To move all sources of the service, set options.\($0.option) in [sources.\($0.id)]"
      }
      for problem in found {
        let reason = problem.message + (advice ?? "")
        if let index = strays.firstIndex(where: { $0.reason == reason }) {
          strays[index].ids.append(id)
        } else {
          strays.append((reason, [id]))
        }
      }
    }
    for listing in listings {
      do throws(ConfigError) {
        let document = try listing.document()
        guard document.identity.isEnabled, !document.identity.isAbstract else { continue }
        problems += clashes(of: document, aliases)
        let entry = try entry(document)
        report(
          parentProblems(of: entry), of: listing.id,
          isConsequence: isChanged && entry.provenance == .builtIn)
        entries.append(entry)
      } catch {
        let isBuiltIn = if case .builtIn = listing { true } else { false }
        report(error.problems, of: listing.id, isConsequence: isChanged && isBuiltIn)
      }
    }
    let notes = strays.map { reason, ids in
      "source\(ids.count == 1 ? "" : "s") \(Self.listed(ids)) cannot follow a change to a related source: \(reason)"
    }
    return (entries.sorted { $0.source.id < $1.source.id }, problems, notes)
  }

  /// The sources that extend a document, directly or not; abstract ones excepted.
  func family(of id: String) -> [String] {
    documents.flatMap { document -> [String] in
      guard document.identity.base == id, document.identity.id != id else { return [] }
      return document.identity.isAbstract
        ? family(of: document.identity.id) : [document.identity.id] + family(of: document.identity.id)
    }.sorted()
  }

  /// `a, b, c and 9 others`
  package static func listed(_ names: [String]) -> String {
    names.count <= 6
      ? names.joined(separator: ", ")
      : "\(names.prefix(3).joined(separator: ", ")) and \(names.count - 3) others"
  }

  /// The documents without problems.
  private var documents: [SourceDocument] { listings.compactMap { try? $0.document() } }

  /// The names nearest to one that does not exist, or else names with it between hyphens.
  private func nearestNames(to name: String) -> [String] {
    let names = self.names
    let nearest = NearestName.nearest(to: name, among: names)
    return nearest.isEmpty
      ? Array(names.filter { $0.split(separator: "-").contains(name[...]) }.prefix(3)) : nearest
  }

  /// The documents without problems that may refer to a source: no others are parsed.
  func documents(mentioning name: String) -> [SourceDocument] {
    listings.compactMap { listing in
      if case .builtIn(let document) = listing, !document.mentions(name) { return nil }
      return try? listing.document()
    }
  }

  /// All ids and aliases of sources that can be used.
  package var names: [String] {
    documents.filter { !$0.identity.isAbstract && $0.identity.isEnabled }.flatMap {
      [$0.identity.id] + $0.identity.aliases
    }
  }

  /// Ids take precedence over aliases, and enabled sources over disabled ones. Nil if no source has this name.
  func document(named name: String) throws(ConfigError) -> SourceDocument? {
    let own = try document(id: name)
    if let own, own.identity.isEnabled { return own }
    return Self.choice(own, documents(mentioning: name).filter { $0.identity.aliases.contains(name) })
  }

  /// - Parameter others: The documents with the alias.
  private static func choice(_ own: SourceDocument?, _ others: [SourceDocument]) -> SourceDocument? {
    if let own, own.identity.isEnabled { return own }
    return others.first { $0.identity.isEnabled } ?? own ?? others.first
  }

  /// Whether there is a source with this name, valid or not.
  func hasSource(named name: String) -> Bool {
    listings.contains { $0.id == name }
      || documents(mentioning: name).contains { $0.identity.aliases.contains(name) }
  }

  /// Nil if no source has this id.
  func document(id: String) throws(ConfigError) -> SourceDocument? {
    try listings.first { $0.id == id }?.document()
  }

  /// The documents with each alias.
  private var aliases: [String: [SourceDocument]] {
    var owners: [String: [SourceDocument]] = [:]
    for document in documents {
      for alias in document.identity.aliases { owners[alias, default: []].append(document) }
    }
    return owners
  }

  /// The aliases of a document that another source already uses.
  private func clashes(of document: SourceDocument, _ owners: [String: [SourceDocument]])
    -> [ConfigDiagnostic]
  {
    document.identity.aliases.compactMap { alias in
      let owner = Self.choice((try? self.document(id: alias)) ?? nil, owners[alias] ?? [])
      guard let other = owner?.identity.id, other != document.identity.id else { return nil }
      return Self.problem(
        document, "aliases", "\"\(alias)\" already names source \(other). Choose another alias")
    }
  }

  private func entry(_ document: SourceDocument) throws(ConfigError) -> CatalogEntry {
    guard document.identity.isEnabled else {
      throw ConfigError([named(Self.problem(document, "enabled", "this source is disabled"))])
    }
    if document.identity.isAbstract {
      let names = family(of: document.identity.id)
      let advice =
        names.isEmpty ? "No source extends it yet" : "Use one of them: \(Self.listed(names))"
      throw ConfigError([
        named(
          Self.problem(document, "abstract", "this is the base of other sources. \(advice)"))
      ])
    }
    return try decoded(document)
  }

  /// The entry of a document, whether it is enabled or not.
  func decoded(_ document: SourceDocument) throws(ConfigError) -> CatalogEntry {
    do throws(ConfigError) {
      let chain = try chain(of: document)
      let builtIns = chain.compactMap { builtIn(id: $0.identity.id) }
      guard let own = builtIns.first, builtIns.count == chain.count, document.provenance == .builtIn else {
        return try decoded(chain)
      }
      return try own.entry(extending: Array(builtIns.dropFirst()), input) { () throws(ConfigError) in
        try decoded(chain)
      }
    } catch { throw ConfigError(error.problems.map(named)) }
  }

  /// The built-in document with this id, if nothing changes it.
  private func builtIn(id: String) -> BuiltInDocument? {
    guard case .builtIn(let document)? = listings.first(where: { $0.id == id }) else { return nil }
    return document
  }

  private func decoded(_ chain: [SourceDocument]) throws(ConfigError) -> CatalogEntry {
    let (document, trust) = Self.derived(chain)
    var source = try SourceDecoder.source(document.tree, file: document.file, input: input)
    if case .path(let path) = document.provenance {
      source.path = path
    } else {
      for index in source.options.indices {
        source.options[index].setting = setting(of: source.options[index], in: chain)
      }
    }
    return CatalogEntry(
      source: source, provenance: document.provenance, trust: trust, tree: document.tree,
      notes: document.notes + QuotedQuery.notes(on: source))
  }

  /// The document merged over all documents it extends; trusted only if all of them are.
  func derived(_ document: SourceDocument) throws(ConfigError) -> (SourceDocument, SourceTrust) {
    Self.derived(try chain(of: document))
  }

  private static func derived(_ chain: [SourceDocument]) -> (SourceDocument, SourceTrust) {
    var chain = chain
    let trust = chain.map(\.trust).first { !$0.isTrusted } ?? .trusted
    var result = chain.removeLast()
    while let next = chain.popLast() { result = next.extending(result) }
    return (result, trust)
  }

  /// The setting with the default of an option: that of the topmost abstract document which has the option, for all
  /// sources that extend it, else that of the source. See `SourceOption.setting`.
  private func setting(of option: SourceOption, in chain: [SourceDocument]) -> OptionSetting? {
    let shared = chain.last { $0.identity.isAbstract && $0.tree["options"]?.table?[option.name] != nil }
    let example = option.title?.firstMatch(of: /https?:\/\/[^\s,;)"\\]+/).map { String($0.0) } ?? "…"
    return (shared ?? chain.first).map {
      OptionSetting(
        table: "[sources.\($0.identity.id)]",
        line: "options.\(TOMLText.key(option.name)) = \"\(example)\"")
    }
  }

  /// The document, the one it extends, and so on.
  func chain(of document: SourceDocument) throws(ConfigError) -> [SourceDocument] {
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
    return chain
  }

  /// Why the source that a document extends is unavailable.
  private func baseProblems(of document: SourceDocument, isLoop: Bool) -> [ConfigDiagnostic] {
    guard let name = document.identity.base else { return [] }
    if isLoop { return [Self.problem(document, "extends", "\"\(name)\" extends this source itself")] }
    do throws(ConfigError) { _ = try self.document(id: name) } catch { return error.problems }
    let nearest = NearestName.nearest(to: name, among: listings.map(\.id))
    return [Self.problem(document, "extends", Wording.unknownSource(name, nearest: nearest))]
  }

  private static func problem(_ document: SourceDocument, _ key: String, _ message: String)
    -> ConfigDiagnostic
  {
    let position = document.tree[key]?.position
    return ConfigDiagnostic(at: position.map { .position($0) } ?? .named(document.file), key: key, message)
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
  /// Notes for the user.
  package let notes: [String]
}

extension CatalogEntry {
  /// A source of the program that is in no catalog.
  package init(ownDocument document: TOMLDocument) throws(ConfigError) {
    self.init(
      source: try SourceDecoder.source(document), provenance: .builtIn, trust: .trusted, tree: document.root,
      notes: [])
  }
}

/// Where a source comes from.
package enum SourceProvenance: Sendable, Hashable, CustomStringConvertible {
  case builtIn
  /// A file in the user's sources directory; it may be merged over a built-in source with the same name.
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

/// Whether a source may use credentials: it may if it is built in, or is a file in the user's sources directory
/// that no other user can change.
package enum SourceTrust: Sendable, Hashable {
  case trusted
  /// The source is not trusted, for this reason, as the end of a sentence about the file.
  case untrusted(String)

  package var isTrusted: Bool { self == .trusted }
}

/// The reason why a source is unavailable.
package enum CatalogError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is no source with this name.
  ///
  /// - Parameter file: A file with this name, which `./` would select.
  case unknown(name: String, nearest: [String], file: String? = nil)
  /// Its document is invalid.
  case invalid(ConfigError)

  package var description: String {
    switch self {
    case .unknown(let name, let nearest, let file):
      Wording.unknownSource(
        name, nearest: nearest, orElse: file.map { ". To use the file, write ./\($0)" } ?? "")
    case .invalid(let error): error.description
    }
  }
}

// MARK: Where sources are read from

/// The text of a built-in source. It is parsed once in a process, when it is first needed.
package final class BuiltInDocument: Sendable {
  /// The id of the source.
  package let name: String
  private let bytes: @Sendable () -> [UInt8]
  private let parsed = Lock<Result<SourceDocument, ConfigError>?>(nil)
  private let decoded = Lock<Decoded?>(nil)

  /// What was decoded from this document, the ones it extends, and the defaults for `[input]`.
  private struct Decoded {
    let documents: [ObjectIdentifier]
    let input: SearchInput
    let entry: CatalogEntry
  }

  package init(name: String, bytes: @autoclosure @escaping @Sendable () -> [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// Whether the text has this name in quotes, as every reference to a source has it. This needs no parsing.
  func mentions(_ name: String) -> Bool {
    let quoted = Array("\"\(name)\"".utf8)
    return bytes().withUnsafeBytes { text in
      guard let start = text.baseAddress else { return false }
      var offset = 0
      while text.count - offset >= quoted.count,
        let found = memchr(start + offset, 0x22, text.count - offset - quoted.count + 1)
      {
        if memcmp(found, quoted, quoted.count) == 0 { return true }
        offset = start.distance(to: UnsafeRawPointer(found)) + 1
      }
      return false
    }
  }

  /// The source that is described by this document and those it extends, all of them unchanged. It is decoded once in a
  /// process.
  func entry(
    extending bases: [BuiltInDocument], _ input: SearchInput,
    _ decode: () throws(ConfigError) -> CatalogEntry
  ) throws(ConfigError) -> CatalogEntry {
    let documents = bases.map(ObjectIdentifier.init)
    if let known = decoded.withLock({ $0 }), known.documents == documents, known.input == input {
      return known.entry
    }
    let entry = try decode()
    decoded.withLock { $0 = Decoded(documents: documents, input: input, entry: entry) }
    return entry
  }

  func source() throws(ConfigError) -> SourceDocument {
    let result = parsed.withLock { parsed in
      let result =
        parsed
        ?? Result { () throws(ConfigError) in
          try SourceDocument(
            TOMLDocument(bytes(), file: "builtin:\(name)"), provenance: .builtIn, trust: .trusted)
        }
      parsed = result
      return result
    }
    return try result.get()
  }
}

/// A source of the catalog.
enum SourceListing: Sendable {
  case builtIn(BuiltInDocument)
  case read(SourceDocument)
  /// An invalid file, which stands for the source with the name of the file.
  case broken(id: String, path: String, ConfigError)

  var id: String {
    switch self {
    case .builtIn(let document): document.name
    case .broken(let id, _, _): id
    case .read(let document): document.identity.id
    }
  }

  func document() throws(ConfigError) -> SourceDocument {
    switch self {
    case .builtIn(let document): try document.source()
    case .read(let document): document
    case .broken(_, _, let error): throw error
    }
  }
}

/// Reads sources from the user's directory, and from files elsewhere.
private struct SourceFolder: Sendable {
  /// The absolute path; nil without a home directory.
  let path: String?
  let files: FileAccess
  let user: UInt32

  /// The documents in the directory, sorted by name; empty if the directory does not exist.
  func sources() throws(ConfigError) -> [(name: String, path: String)] {
    guard let path else { return [] }
    let names: [String]
    do { names = try files.list(path) } catch {
      if error == .missing { return [] }
      throw ConfigError(at: .unreadable(path), error.reason)
    }
    return names.filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }.sorted()
      .map { (String($0.dropLast(5)), "\(path)/\($0)") }
  }

  /// A file of the directory.
  func document(ofOwn path: String) throws(ConfigError) -> SourceDocument {
    let file = try read(path)
    let trust = self.path.map { SourceTrust(path, file.status, in: $0, PathSafety(files: files, user: user)) }
    return try SourceDocument(
      TOMLDocument(file.bytes, file: path), provenance: .user(path: path),
      trust: trust ?? .untrusted(Self.elsewhere))
  }

  /// A file given on the command line, and the bytes it was parsed from, so that exactly the checked bytes are stored.
  func documentAndText(
    ofExternal path: String
  ) throws(ConfigError) -> (document: SourceDocument, text: [UInt8]) {
    let bytes = try read(path).bytes
    let document = try SourceDocument(
      TOMLDocument(bytes, file: path), provenance: .path(path), trust: .untrusted(Self.elsewhere))
    return (document, bytes)
  }

  private static let elsewhere = "is not in your sources directory"

  /// The path within the directory, however the path is written; nil for a file elsewhere.
  func ownPath(of path: String) -> String? {
    guard let folder = self.path else { return nil }
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
    let parent = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    guard let place = try? files.canonical(parent), let own = try? files.canonical(folder), place == own
    else { return nil }
    return "\(folder)/\(name)"
  }

  /// Whether there is a file elsewhere with this path.
  func exists(_ path: String) -> Bool { (try? files.read(path)) != nil }

  private func read(_ path: String) throws(ConfigError) -> FileAccess.File {
    do { return try files.read(path) } catch { throw ConfigError(at: .unreadable(path), error.reason) }
  }
}
