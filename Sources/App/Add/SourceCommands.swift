import Config
import Credentials
import Glibc
import HTTPValues
import JSON
import Pager
import Search
import Text

extension Configuration {
  /// Implements `riffle sources list`: prints name, title, need of a credential and file of each source, by subject.
  ///
  /// - Parameter words: Only sources that have all of them in their name, aliases, title or subject are listed.
  package func listSources(_ words: [String], _ message: Message) throws(CommandError) -> RunEnd {
    let (all, problems, notes) = catalog.all()
    let entries = all.bySubject.filter { $0.isFound(by: words) }
    if entries.isEmpty, !words.isEmpty {
      for problem in problems { message.failure("\(problem)") }
      let text = words.joined(separator: " ")
      let question =
        catalog.names.contains(text)
        ? "Its file cannot be used" : NearestName.question(text, among: catalog.names)
      throw CommandError(
        "no source matches \(JSONText.quoted(text)). "
          + (question ?? "To list all sources, run: riffle sources list"),
        problems.isEmpty ? .failed : .configuration)
    }
    let rows = entries.map {
      ["  \($0.source.id)", $0.source.title] + [$0.listedFacts].filter { !$0.isEmpty }
    }
    let colors = dependencies.colors
    // A few long names move their own columns, so that most lines fit 80 columns.
    let lines = ColumnList.lines(rows, limit: 32) { _, column, text in
      column == 0 ? colors.output(.accent, text) : column == 2 ? colors.output(.dim, text) : text
    }
    let output = lines.indices.map { index in
      let isFirst = index == 0 || entries[index - 1].group != entries[index].group
      return (isFirst ? "\(entries[index].group)\n" : "") + lines[index] + "\n"
    }
    try dependencies.print(output.joined())
    for note in notes { message.note(note) }
    for problem in problems { message.failure("\(problem)") }
    return .status(problems.isEmpty ? .done : .configuration)
  }

  /// Implements `riffle sources show`: prints a source as TOML.
  package func showSource(_ name: String, _ message: Message) throws(CommandError) -> RunEnd {
    let entry = try entry(name)
    for note in entry.notes { message.note(note) }
    return try dependencies.print(
      SourceDescription(entry: entry, kept: storedCredentials(for: entry.source)).text)
  }

  /// What is kept for a source, one line for each credential, without its secrets.
  private func storedCredentials(for source: Source) -> [String] {
    store.files(of: source.account).compactMap { file in
      do throws(CredentialStoreError) {
        return try store.credential(in: file.path, of: source.account).map {
          let words = $0.words(at: dependencies.now(), zone: dependencies.zone)
          return "stored for \($0.identity.origin): \(words)"
        }
      } catch { return "\(error)" }
    }
  }

  /// Implements `riffle sources check` for all sources.
  package func checkSources(_ message: Message) throws(CommandError) -> RunEnd {
    let (entries, found, notes) = catalog.all()
    let problems = found.map { "\($0)" } + entries.compactMap(\.exposure)
    for note in notes { message.note(note) }
    for problem in problems { message.failure(problem) }
    let count = entries.count { catalog.parentProblems(of: $0).isEmpty && $0.exposure == nil }
    try dependencies.print("\(Digits.counted(count, "source")) without problems\n")
    return .status(problems.isEmpty ? .done : .configuration)
  }

  /// Implements `riffle sources check` for one source: reports its errors, or what it reads from a saved response.
  ///
  /// - Parameters:
  ///   - response: The file of the response's body; nil to check only the source.
  ///   - headers: The file of the response's head.
  ///   - page: The page number of the response, from 1.
  package func checkSource(
    _ name: String, response: String?, headers: String?, page: Int, _ message: Message
  ) throws(CommandError) -> RunEnd {
    let entry = try entry(name)
    let problems = catalog.parentProblems(of: entry)
    if !problems.isEmpty { throw CommandError("\(ConfigError(problems))", .configuration) }
    if let command = CommandName.all.first(where: { $0 == entry.source.id }) {
      throw CommandError(
        "\(name): the id \"\(command)\" is a riffle command. Choose another id", .configuration)
    }
    for note in entry.notes { message.note(note) }
    if let exposure = entry.exposure {
      throw CommandError("\(entry.provenance): \(exposure)", .configuration)
    }
    guard let response else {
      return try dependencies.print("\(entry.source.id): no mistakes in the document (\(entry.provenance))\n")
    }
    let reading = try ResponseReading(
      body: Self.read(response), from: response, head: headers.map(Self.read), of: entry.source, page: page,
      dependencies: dependencies)
    try dependencies.print(reading.lines.map { $0 + "\n" }.joined())
    return .status(reading.isRead ? .done : .failed)
  }

  /// Implements `riffle sources check --live`: requests one page, and reports what is read for each key.
  package func checkSource(live request: RequestOptions, _ message: Message) throws(CommandError) -> RunEnd {
    var request = request
    let entry = try entry(request.source ?? "")
    if request.words.isEmpty, entry.source.needsQuery {
      guard let example = entry.source.input.examples.first else {
        throw CommandError("source \(entry.source.id) needs a query to request a page. Add --query", .usage)
      }
      request.words = [example]
    }
    let run = try Run(request, of: entry, dependencies, rows: nil, self)
    for note in run.notes { message.note(note) }
    let reading = dependencies.blockingExchanges(message) { [dependencies] in
      let reading = await ResponseReading(live: run, dependencies: dependencies)
      await Run.close([run]) { await dependencies.finishTokenExchanges(message) }
      return reading
    }
    try dependencies.print(reading.lines.map { run.redacted($0) + "\n" }.joined())
    return .status(reading.isRead ? .done : .failed)
  }

  private static func read(_ path: String) throws(CommandError) -> [UInt8] {
    do { return try FileAccess.system(limit: 32 << 20).read(path).bytes } catch {
      throw CommandError(error.message(reading: path), .usage)
    }
  }

  /// Implements `riffle sources add`: copies a source file to the user's sources directory.
  ///
  /// - Parameter isAgreed: Whether the user need not be asked.
  package func installSource(
    _ path: String, isAgreed: Bool, _ message: Message
  ) throws(CommandError) -> RunEnd {
    let (entry, bytes) = try entry(file: path)
    let id = entry.source.id
    let folder = try requiredSourcesFolder
    if let owner = owner(ofName: id) { throw CommandError("\(owner). Choose another id for \(path)", .usage) }
    let copy = NewSourceFile(folder: folder, name: id)
    for use in entry.source.credentialUses { message.plain("source \(id) would send \(use)") }
    if entry.source.credentialUses.isEmpty { message.plain("source \(id) sends no credentials") }
    for line in entry.programLines { message.plain("source \(id) would \(line)") }
    let question = "Copy it to \(copy.path) and trust it?"
    guard try message.isAgreed(question, unless: isAgreed, dependencies) else {
      message.note("nothing written")
      return .status(.done)
    }
    try copy.write(bytes)
    message.note("wrote \(copy.path). Try: riffle \(id)")
    if case .untrusted(let reason)? = try? Configuration(dependencies, file: file).entry(id).trust {
      message.failure("source \(id) cannot use credentials yet: it \(reason)")
      return .status(.configuration)
    }
    return .status(.done)
  }

  /// Implements `riffle sources path`: the path of a source's file; without a name, that of the folder of the user's
  /// sources.
  package func sourcePath(of name: String?) throws(CommandError) -> String {
    guard let name else { return try requiredSourcesFolder }
    switch try provenance(of: name) {
    case .user(let path), .path(let path): return path
    case .builtIn:
      throw CommandError(
        "source \(name) is built in and has no file. To change it, run: riffle sources edit \(name)", .usage)
    }
  }

  /// Where a source comes from. A file in the sources directory need not parse, because that is when it is edited.
  ///
  /// - Parameter acceptsFile: See `entry`.
  func provenance(of name: String, acceptsFile: Bool = true) throws(CommandError) -> SourceProvenance {
    let file = NewSourceFile(folder: try requiredSourcesFolder, name: name)
    if SourceName.isValid(name), file.isTaken { return .user(path: file.path) }
    return try entry(name, acceptsFile: acceptsFile).provenance
  }
}

extension Configuration {
  /// An unused name for a new source: the requested one, or the first free suggestion.
  ///
  /// - Parameters:
  ///   - isReplacing: Whether the user's own source of the requested name is replaced.
  ///   - prefix: The beginning of the names of several sources, if the user has not chosen it.
  func unusedName(
    _ wanted: String?, from suggestions: [String], isReplacing: Bool, unnamed prefix: String? = nil
  ) throws(CommandError) -> String {
    let free = suggestions.first { owner(ofName: $0) == nil } ?? "source"
    guard let wanted else { return free }
    let isBuiltIn = BuiltInSources.documents.contains { $0.name == wanted }
    let isOwn = sourcesFolder.map { NewSourceFile(folder: $0, name: wanted).isTaken } ?? false
    if isReplacing, isOwn, !isBuiltIn { return wanted }
    if let owner = owner(ofName: wanted) {
      let isReplaceable = isOwn && !isBuiltIn
      if let prefix {
        let force = isReplaceable ? ", or --name \(prefix) --force to replace the files" : ""
        throw CommandError("\(owner). Use --name NAME for other names\(force)", .usage)
      }
      let other = isReplaceable ? ", or replace it with --force" : ", such as \(free)"
      throw CommandError("\(owner). Choose another --name\(other)", .usage)
    }
    return wanted
  }

  /// What already uses the name; nil if it is free.
  private func owner(ofName name: String) -> String? {
    if CommandName.all.contains(name) { return "\(name) is a riffle command" }
    if let folder = sourcesFolder {
      let file = NewSourceFile(folder: folder, name: name)
      if file.isTaken { return "\(file.path) already exists" }
    }
    do throws(CatalogError) {
      return "source \(name) already exists (\(try catalog.entry(named: name).provenance))"
    } catch {
      if case .unknown = error { return nil }
      return "source \(name) already exists"
    }
  }
}

/// A file to be created in the user's sources directory.
struct NewSourceFile: Sendable {
  let folder: String
  /// The source's id.
  let name: String

  var path: String { "\(folder)/\(name).toml" }

  var isTaken: Bool {
    var facts = stat()
    return lstat(path, &facts) == 0
  }

  /// Writes the file atomically, with mode 0600.
  func write(_ text: [UInt8], isReplacing: Bool = false) throws(CommandError) {
    let files = FileAccess.system()
    do { if isReplacing { try files.replace(path, text) } else { try files.create(path, text) } } catch {
      if error != .taken { throw CommandError(error.message(writing: path), .output) }
      throw CommandError("\(path) already exists. Choose another --name, or replace it with --force", .usage)
    }
  }
}

// MARK: - Descriptions

extension CatalogEntry {
  /// Whether its name, aliases, title or subject contain all of these words.
  fileprivate func isFound(by words: [String]) -> Bool {
    let text = ([source.id] + source.aliases + [source.title, group]).joined(separator: " ").lowercased()
    return words.allSatisfy { text.contains($0.lowercased()) }
  }

  /// What a list says of it: whether it needs a credential, and its file.
  fileprivate var listedFacts: String {
    let need =
      source.credentialUses.isEmpty ? nil : source.needsSecrets ? "needs a token" : "token optional"
    let place = provenance == .builtIn ? nil : "\(provenance)"
    let facts = [need, place].compactMap(\.self).joined(separator: ", ")
    return facts + (distrust.map { " (no credentials: it \($0))" } ?? "")
  }

  /// Why the source's credentials are never sent to its default origin; nil if they are, or there are none.
  var exposure: String? {
    source.origin(options: [:]).flatMap { SecretResolver.exposure(of: source, to: $0) }.map { "\($0)" }
  }

  /// Whether `riffle sources add` would make it trusted.
  var isInstallable: Bool { if case .path = provenance { true } else { false } }

  /// Why the source is not trusted to use its credentials; nil if it is, or has none.
  var distrust: String? {
    if case .untrusted(let reason) = trust, !source.credentialUses.isEmpty { reason } else { nil }
  }

  /// What the actions of the source run: `run gh repo clone {full_name} (action clone)`.
  var programLines: [String] {
    source.actions.compactMap { action in action.program.map { "run \($0) (action \(action.name))" } }
  }

  /// The actions of the source; those that run a program are refused if the source is not trusted.
  var permittedActions: [RowAction] {
    guard case .untrusted(let reason) = trust else { return source.actions }
    return source.actions.map { action in
      var action = action
      if action.program != nil {
        action.refusal =
          "cannot run a program for source \(source.id): it \(reason)\(isInstallable ? ". To trust it, use riffle sources add" : "")"
      }
      return action
    }
  }
}

/// Describes a source to the user: its interpretation as comments, followed by its document.
struct SourceDescription {
  let entry: CatalogEntry
  /// What is kept for it.
  var kept: [String] = []

  var text: String {
    let comments =
      ["source \(entry.source.id), \(entry.provenance)", documentation, trust] + credentials + programs + [
        request
      ] + options
    let lines = comments.compactMap(\.self).map(TOMLText.comment) + ["", entry.tree.document]
    return lines.joined(separator: "\n")
  }

  /// Where its facts come from, and whether its service was ever asked.
  private var documentation: String? {
    guard let day = entry.source.documented else { return nil }
    let page = entry.source.homepage.map { " at \($0)" } ?? ""
    let live =
      entry.source.isVerified
      ? "confirmed live" : "not confirmed live yet (riffle sources check \(entry.source.id) --live)"
    return "documented on \(day)\(page); \(live)"
  }

  private var trust: String? {
    if entry.source.credentialUses.isEmpty { return nil }
    return entry.distrust.map {
      "not trusted: it \($0). To allow its credentials, use --trust for one run"
        + (entry.isInstallable ? ", or riffle sources add" : "")
    } ?? "trusted: can use its credentials"
  }

  private var credentials: [String] {
    let uses = entry.source.credentialUses
    if uses.isEmpty { return ["sends no credentials"] }
    let page = entry.source.authorization?.help.map { "create a token at \($0)" }
    return uses.map { "sends \($0)" } + [page].compactMap(\.self) + kept
  }

  private var programs: [String] {
    if case .untrusted(let reason) = entry.trust {
      return entry.programLines.map { "cannot \($0), because it \(reason)" }
    }
    return entry.programLines.map { "can \($0)" }
  }

  /// The first request for a query, or what is missing to make one.
  private var request: String {
    let source = entry.source
    let run = RunContext(pageSize: source.pagination.settings.size.standard, version: Version.number)
    do {
      let request = try source.request(for: PageRequest(first: source, Query("QUERY")), in: run)
      return "first request: \(request.method.rawValue) \(request.url)"
    } catch {
      let missing = source.options.filter { $0.defaultValue == nil }.map(\.name)
      if missing.isEmpty { return "no first request: \(error.fullMessage)" }
      let names = missing.joined(separator: ", ")
      let subject = missing.count == 1 ? "option \(names) has" : "options \(names) have"
      let command =
        ["riffle search \(source.commandName)"] + (source.needsQuery ? ["QUERY"] : [])
        + missing.map { "--set \($0)=…" } + ["--dry-run"]
      return "no first request: \(subject) no default. \(command.joined(separator: " ")) shows one"
    }
  }

  private var options: [String] {
    entry.source.options.map { option in
      let value = option.defaultValue.map(SourceOption.label) ?? "required"
      let others = option.values.filter { !$0.isEmpty && $0 != option.defaultValue }
      let choice = others.isEmpty ? "" : " (\(others.joined(separator: ", ")))"
      return "option \(option.name): \(value)\(choice)"
    }
  }
}
