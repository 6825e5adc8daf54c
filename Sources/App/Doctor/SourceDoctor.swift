import Config
import Credentials
import Glibc
import Search
import Text

extension Doctor {
  /// Checks that the files riffle reads exist, and that their permissions are safe.
  func fileChecks() -> [DoctorCheck] {
    guard environment["HOME"]?.isEmpty == false || environment["XDG_CONFIG_HOME"]?.isEmpty == false else {
      return [
        .problem("HOME is not set: your files cannot be found", remedy: "set HOME, or use --config FILE")
      ]
    }
    let settings = (config ?? ConfigFile.path(environment: environment)).map {
      let absent = "none at \(shortened($0)) (riffle config init)"
      return file(
        $0, "settings", .trusted,
        absent: config == nil ? absent : "\($0) does not exist, so no command can use it")
    }
    let folder = ConfigFile.sourcesFolder(environment: environment)
    let sources = folder.map {
      file(
        $0, "sources", .trusted, isFolder: true,
        absent: "none of your own in \(shortened($0)) (riffle add)")
    }
    let history = HistoryFile.path(environment: environment).map {
      file($0, "history", .personal, absent: "none at \(shortened($0))")
    }
    return ([settings, sources] + sourceFiles(in: folder) + [history]).compactMap(\.self)
  }

  /// Lists individually only the files that other users can access.
  private func sourceFiles(in folder: String?) -> [DoctorCheck] {
    guard let folder, let names = try? files.list(folder) else { return [] }
    return names.sorted().filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }
      .map { file("\(folder)/\($0)", "source", .trusted, absent: "removed") }.filter { !$0.isFine }
  }

  private func shortened(_ path: String) -> String { HomePath.shortened(path, home: environment["HOME"]) }

  /// How a file is used, which determines the permissions it may have.
  private enum Use {
    /// It decides which programs are run and which sources are trusted, and holds no secret: others may read
    /// it, but not write it.
    case trusted
    /// It is private: others may neither read nor write it.
    case personal
  }

  private func file(
    _ path: String, _ what: String, _ use: Use, isFolder: Bool = false, absent: String
  ) -> DoctorCheck {
    do throws(FileError) {
      return result(path, what, isFolder ? try files.status(path) : try files.read(path).status, use)
    } catch .missing {
      return .fine("\(what): \(absent)")
    } catch {
      return .problem(
        "\(what): \(path) \(error)", remedy: "check it with ls -l\(isFolder ? "d" : "") \(path)")
    }
  }

  private func result(_ path: String, _ what: String, _ status: FileStatus, _ use: Use) -> DoctorCheck {
    if status.owner != getuid() {
      return .problem(
        "\(what): \(path) belongs to another user",
        remedy:
          "run chown \"$USER\" \(path)\(what == "settings" ? ", or use another file with --config" : "")")
    }
    return switch use {
    case .trusted where status.isWritableByOthers:
      .problem("\(what): \(path) is writable by others (mode \(status.mode))", remedy: "chmod go-w \(path)")
    case .personal where status.permissions & 0o077 != 0:
      .problem("\(what): \(path) is accessible to others (mode \(status.mode))", remedy: "chmod 600 \(path)")
    case .trusted, .personal: .fine("\(what): \(path) (\(status.mode))")
    }
  }
}

/// Checks the sources and the credentials they would use. No program is run and no secret is read.
struct SourceDoctor {
  let catalog: Catalog
  let dependencies: Dependencies
  let files: FileAccess

  private var environment: [String: String] { dependencies.environment }

  func sources() -> [DoctorCheck] {
    let (entries, problems, notes) = catalog.all()
    let own = entries.count { $0.provenance != .builtIn }
    let count = DoctorCheck.fine("\(Digits.counted(entries.count, "source")), \(own) of them your own")
    return [count] + notes.map { .note($0) }
      + problems.map { .problem("\($0)", remedy: "fix the file, then run riffle sources check") }
      + entries.flatMap(credentialProblems)
  }

  /// The document of one source.
  func checks(of entry: CatalogEntry) -> [DoctorCheck] {
    let origin = entry.source.origin(options: [:]).map { ", \($0)" } ?? ""
    return [.fine("\(entry.source.id): \(entry.source.title)\(origin) (\(entry.provenance))")]
      + entry.notes.map { .note($0) } + missingOptions(of: entry.source) + credentialProblems(of: entry)
  }

  /// The options without a value that no run can do without. The value of a parent is that of one list.
  private func missingOptions(of source: Source) -> [DoctorCheck] {
    let own = source.options.filter { $0.name != source.parent?.name && $0.defaultValue == nil }
    return own.map { option in
      let error = source.missing(option)
      let isServer = source.choosesServer(option)
      return isServer ? .problem(error.message, remedy: error.remedy) : .note(error.description)
    }
  }

  /// What keeps the source's credentials from being sent.
  private func credentialProblems(of entry: CatalogEntry) -> [DoctorCheck] {
    let distrust = entry.distrust.map {
      DoctorCheck.problem(
        "\(entry.source.id) cannot use credentials: \(entry.provenance) \($0)",
        remedy: entry.isInstallable
          ? "run riffle sources add \(ShellCommand.line(["\(entry.provenance)"])), or pass --trust to riffle search"
          : "make the file and its directories writable only by you, or pass --trust to riffle search")
    }
    let exposure = entry.exposure.map {
      DoctorCheck.problem(
        $0, remedy: "change its server or auth, in its file or under [sources.…] in config.toml")
    }
    return [distrust, exposure].compactMap(\.self)
  }

  // MARK: Credentials

  /// Each credential of these sources.
  func credentials(of entries: [CatalogEntry]) -> [DoctorCheck] {
    let results = entries.flatMap { entry in entry.source.credentialUses.map { result($0, of: entry) } }
    return results.isEmpty ? [.fine("the source uses no credentials")] : results
  }

  func credentials() -> [DoctorCheck] {
    var results: [DoctorCheck] = []
    var absent: [(name: String, source: String, isOptional: Bool)] = []
    // The built-in sources with the same credential share a line.
    var found: [(words: String, sources: [String], first: DoctorCheck)] = []
    for entry in catalog.all().entries {
      for use in entry.source.credentialUses {
        guard entry.provenance == .builtIn else {
          results.append(result(use, of: entry))
          continue
        }
        let place = foundPlace(of: use, entry)
        // The path of a program says nothing new.
        let words = if case .command? = place, let place { "\(place)" } else { words(for: use, of: entry) }
        switch place {
        case nil: use.places.inOrder.first.map { absent.append(($0.name, entry.source.id, use.isOptional)) }
        // A token that the first request obtains is nothing to look at yet.
        case .store where (try? storedToken(of: entry)) == .some(nil): break
        case .some:
          if let index = found.firstIndex(where: { $0.words == words }) {
            found[index].sources.append(entry.source.id)
          } else {
            found.append((words, [entry.source.id], result(use, of: entry)))
          }
        }
      }
    }
    results += found.map { words, sources, first in
      sources.count > 1 && first.isFine
        ? .fine("\(sources[0]) and \(Digits.counted(sources.count - 1, "other")): \(words)") : first
    }
    // Most people use a few of the services.
    let (needed, optional) = (Set(absent.filter { !$0.isOptional }.map(\.name)), Set(absent.map(\.name)))
    if !optional.isEmpty {
      let count = optional.subtracting(needed).count
      results.append(
        .note("\(needed.count) required, \(count) optional credentials not set (riffle doctor SOURCE)"))
    }
    return results.isEmpty ? [.fine("no source uses credentials")] : results
  }

  /// Where a credential is found, or where it was looked for: `env:GH_TOKEN is set`.
  func words(for use: CredentialUse, of entry: CatalogEntry) -> String {
    let places = use.places.inOrder
    if places == [.store], !state(of: .store, entry).isThere, (try? storedToken(of: entry)) == .some(nil) {
      return "not logged in"
    }
    if let place = foundPlace(of: use, entry) {
      return words(on: place, entry)
    }
    let states = places.map { place in
      if case .command(let words) = place, let program = words.first {
        return ChildProgram.RunError.notInstalled.sentence(about: [program])
      }
      return words(on: place, entry)
    }.joined(separator: ", ")
    return "\(states)\(use.isOptional ? " (optional\(use.benefit.map { ": \($0)" } ?? ""))" : "")"
  }

  private func result(_ use: CredentialUse, of entry: CatalogEntry) -> DoctorCheck {
    let places = use.places.inOrder
    let target = use.origin.map { " for \($0)" } ?? ""
    let text = "\(entry.source.id): \(words(for: use, of: entry))"
    if let place = foundPlace(of: use, entry) {
      if case .file(let path) = place, let status = try? files.status(expanded(path)),
        status.permissions & 0o044 != 0
      {
        return .warning(
          "\(entry.source.id): \(place) is readable by others (mode \(status.mode))\(target)",
          remedy: "chmod 600 \(expanded(path))")
      }
      if case .environment(let name) = place, let value = environment[name],
        use.places == entry.source.authorization?.origins["from"],
        let mistake = entry.source.authorization?.mistake(in: value)
      {
        let parts = mistake.split(separator: ". ", maxSplits: 1)
        return .problem(
          "\(entry.source.id): the credential from \(place) \(parts[0])",
          remedy: parts.dropFirst().joined().lowercased())
      }
      return .fine("\(text)\(target)")
    }
    if use.isOptional { return .note(text) }
    // The stored token has the next refresh token.
    if use.places == entry.source.authorization?.origins["refresh_from"], (try? storedToken(of: entry)) != nil
    {
      return .note("\(text) (not needed while a token is stored)")
    }
    let id = entry.source.id
    let login = "riffle auth login \(entry.source.commandName)"
    if places == [.store] { return .problem(text, remedy: "run: \(login)") }
    let settable = places.filter { $0 != .store }
    let variables = settable.compactMap { if case .environment(let name) = $0 { name } else { nil } }
    let action = variables.isEmpty ? "provide it" : "set \(Sentences.alternatives(variables))"
    let orLogin = settable.count < places.count ? ", or run \(login)" : ""
    // The page is where tokens are created, not user names.
    let isUser = use.places == entry.source.authorization?.origins["user_from"]
    let hint = isUser ? "" : entry.source.credentialHint
    return .problem(
      text, remedy: "\(action)\(orLogin)\(hint): \(id) sends no requests without a credential")
  }

  /// The first place that has the credential; nil if none has it.
  private func foundPlace(of use: CredentialUse, _ entry: CatalogEntry) -> SecretOrigin? {
    use.places.inOrder.first { state(of: $0, entry).isThere }
  }

  /// `env:GH_TOKEN is set`, `API key is stored`.
  private func words(on place: SecretOrigin, _ entry: CatalogEntry) -> String {
    let words = state(of: place, entry).words
    return place == .store ? words : "\(place) \(words)"
  }

  private func state(of place: SecretOrigin, _ entry: CatalogEntry) -> (isThere: Bool, words: String) {
    switch place {
    case .environment(let name):
      place.isSet(in: environment)
        ? (true, "is set") : (false, environment[name] == nil ? "is not set" : "is empty")
    case .command(let words):
      words.first.flatMap(ExecutableSearch(environment: environment).path).map { (true, "runs \($0)") }
        ?? (false, "is not installed")
    case .file(let path):
      (try? files.status(expanded(path))) == nil ? (false, "does not exist") : (true, "exists")
    case .store: kept(for: entry)
    }
  }

  /// Whether a credential is kept, and until when it is valid.
  private func kept(for entry: CatalogEntry) -> (isThere: Bool, words: String) {
    do throws(CredentialStoreError) {
      if let kept = try storedToken(of: entry) {
        return (true, "stored: \(kept.words(at: dependencies.now(), zone: dependencies.zone))")
      }
      let isObtained = entry.source.authorization?.issuer.map { !$0.needsUser } ?? false
      return isObtained
        ? (true, "no token is stored yet; the first request obtains one")
        : (false, "no credential is stored")
    } catch { return (false, "\(error)") }
  }

  private func storedToken(of entry: CatalogEntry) throws(CredentialStoreError) -> StoredCredential? {
    let store = CredentialStore(dependencies)
    for file in store.files(of: entry.source.account) {
      if let kept = try store.credential(in: file.path, of: entry.source.account) { return kept }
    }
    return nil
  }

  private func expanded(_ path: String) -> String { HomePath.expanded(path, home: environment["HOME"]) }
}
