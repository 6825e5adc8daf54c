package import Search
private import Text

/// The sources there are: those built in, and the files in the user's folder. A file with the id of a
/// built-in source is laid over it, key by key.
package struct Catalogue: Sendable {
  private var documents: [SourceDocument] = []
  /// The files of the folder that cannot be used, by the name they would have.
  private var broken: [(name: String, error: ConfigError)] = []
  private let folder: SourceFolder
  private let input: SearchInput

  /// - Parameters:
  ///   - builtIns: documents with the names problems give them.
  ///   - folder: `…/riffle/sources`; nil when there is no home.
  ///   - user: the number of the user who runs the program.
  ///   - input: what `[input]` means where a source is silent.
  package init(
    builtIns: [(name: String, text: String)], folder: String?, files: FileAccess, user: UInt32,
    input: SearchInput = SearchInput()
  ) {
    self.folder = SourceFolder(path: folder, files: files, user: user)
    self.input = input
    for (name, text) in builtIns {
      do throws(ConfigError) {
        let document = try TOMLDocument(text, file: "builtin:\(name)")
        documents.append(try SourceDocument(document, provenance: .builtIn, trust: .trusted))
      } catch { broken.append((name, error)) }
    }
    addFolder()
  }

  private mutating func addFolder() {
    let sources: [(name: String, path: String)]
    do { sources = try folder.sources() } catch {
      broken.append(("", error))
      return
    }
    for (name, path) in sources {
      do throws(ConfigError) { try add(try folder.document(path, isNamed: false)) } catch {
        broken.append((name, error))
      }
    }
  }

  private mutating func add(_ document: SourceDocument) throws(ConfigError) {
    guard let index = documents.firstIndex(where: { $0.identity.id == document.identity.id }) else {
      documents.append(document)
      return
    }
    guard documents[index].provenance == .builtIn else {
      throw Self.problem(document, "id", "\(documents[index].file) has the same id")
    }
    documents[index] = document.overlaying(documents[index])
  }

  // MARK: Finding

  /// Whether the word names a file rather than a source.
  package static func isPath(_ name: String) -> Bool { name.contains("/") || name.hasSuffix(".toml") }

  /// The source of a name, an alias, or the path of a file.
  package func entry(named name: String) throws(CatalogueError) -> CatalogueEntry {
    do throws(ConfigError) {
      if Self.isPath(name) { return try entry(try folder.document(name, isNamed: true)) }
      if let document = document(named: name) { return try entry(document) }
    } catch { throw .invalid(error) }
    if let (_, error) = broken.first(where: { $0.name == name }) { throw .invalid(error) }
    let names = documents.flatMap { [$0.identity.id] + $0.identity.aliases }
    throw .unknown(name: name, nearest: NearestName.nearest(to: name, among: names))
  }

  /// Every source that is enabled, by name, and what is wrong with the others.
  package func all() -> (entries: [CatalogueEntry], problems: [ConfigProblem]) {
    var entries: [CatalogueEntry] = []
    var problems = broken.flatMap(\.error.problems)
    for document in documents where document.identity.isEnabled {
      do { entries.append(try entry(document)) } catch { problems += error.problems }
    }
    return (entries.sorted { $0.source.id < $1.source.id }, problems)
  }

  private func document(named name: String) -> SourceDocument? {
    documents.first { $0.identity.id == name } ?? documents.first { $0.identity.aliases.contains(name) }
  }

  private func entry(_ document: SourceDocument) throws(ConfigError) -> CatalogueEntry {
    guard document.identity.isEnabled else {
      throw Self.problem(document, "enabled", "this source is switched off")
    }
    let (document, trust) = try derived(document)
    return CatalogueEntry(
      source: try SourceDecoding.source(document.tree, file: document.file, input: input),
      provenance: document.provenance, trust: trust, notes: document.notes)
  }

  /// The document with all it extends under it; trusted only when all of that is.
  private func derived(_ document: SourceDocument) throws(ConfigError) -> (SourceDocument, SourceTrust) {
    var chain = [document]
    while let last = chain.last, let name = last.identity.base {
      guard let base = documents.first(where: { $0.identity.id == name }) else {
        let names = documents.map(\.identity.id)
        throw Self.problem(
          last, "extends",
          "no source has the id \"\(name)\"; \(Wording.suggestion(for: name, among: names))")
      }
      if chain.contains(where: { $0.identity.id == name }) {
        throw Self.problem(last, "extends", "\"\(name)\" is made from this very source")
      }
      chain.append(base)
    }
    let trust = chain.map(\.trust).first { !$0.isTrusted } ?? .trusted
    var result = chain.removeLast()
    while let next = chain.popLast() { result = next.extending(result) }
    return (result, trust)
  }

  private static func problem(_ document: SourceDocument, _ key: String, _ message: String) -> ConfigError {
    let position = document.tree[key]?.position
    return ConfigError([
      ConfigProblem(at: position.map { .position($0) } ?? .named(document.file), key: key, message)
    ])
  }
}
