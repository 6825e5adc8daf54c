package import Config
import Credentials
import Glibc
import HTTPTransport
import HTTPValues
import JSON
import Output
import Pager
import Search
import Terminal
import Text

/// The configuration of this run: the settings from all layers, and the available sources.
package struct Configuration: Sendable {
  let settings: Settings
  package let catalog: Catalog
  package let searches: [SavedSearch]
  /// The folder of the user's sources; nil without a home.
  let sourcesFolder: String?
  let notes: [String]
  let dependencies: Dependencies
  /// The value of `--config`, which replaces the user's settings file.
  let file: String?

  /// - Parameters:
  ///   - file: The value of `--config`.
  ///   - commandLine: Settings given as options, by key (`search.page_size`).
  package init(_ dependencies: Dependencies, file: String? = nil, commandLine: [String: SettingValue] = [:])
    throws(CommandError)
  {
    sourcesFolder = ConfigFile.sourcesFolder(environment: dependencies.environment)
    do throws(ConfigError) {
      let layers = try SettingsLayers(
        dependencies, file: file, commandLine: commandLine, files: dependencies.files)
      catalog = Catalog(
        dependencies, layers, files: dependencies.replay == nil ? .system() : dependencies.files)
      let problems = catalog.problems(of: layers)
      // A recording has only the sources that were used.
      guard problems.isEmpty || dependencies.replay != nil else { throw ConfigError(problems) }
      settings = layers.settings
      searches = layers.searches
      notes = layers.notes
    } catch { throw CommandError("\(error)", error.isUsage ? .usage : .configuration) }
    self.dependencies = dependencies
    self.file = file
  }

  /// The first word may be meant as a command or as a source, so the message covers both.
  private func commandError(on name: String, _ error: CatalogError) -> CommandError {
    guard case .unknown(_, let sources, _) = error else { return CommandError("\(error)", .configuration) }
    if dependencies.replay != nil {
      return CommandError(
        "the recording ends before source \(JSONText.quoted(name)) was read. Record the session again",
        .failed)
    }
    let commands = NearestName.nearest(to: name, among: CommandName.all)
    let named = sources.isEmpty ? [] : ["source \(Sentences.alternatives(sources.map { "\"\($0)\"" }))"]
    let meant = commands.map { "the command \"\($0)\"" } + named
    guard !commands.isEmpty, let question = NearestName.question(meant) else {
      return CommandError("\(error)", .usage)
    }
    return CommandError("unknown source \(JSONText.quoted(name)). \(question)", .usage)
  }

  /// - Throws: If there is no home.
  var requiredSourcesFolder: String {
    get throws(CommandError) {
      if let sourcesFolder { return sourcesFolder }
      throw CommandError(
        "cannot find the sources directory: neither HOME nor XDG_CONFIG_HOME is set. Set HOME", .configuration
      )
    }
  }

  var resolver: SecretResolver {
    SecretResolver(environment: dependencies.environment, files: .system(), store: store) {
      [environment = dependencies.environment] words in
      do { return try await ChildProgram.firstLine(of: words, in: environment) } catch {
        throw (error as? ChildProgram.RunError).map { CommandError($0.sentence(about: words), .failed) }
          ?? error
      }
    }
  }

  /// The credentials that riffle keeps.
  var store: CredentialStore { CredentialStore(dependencies) }

  /// The source in a file and the exact text it was read from, so that the text that was checked is the text
  /// that is kept.
  func entry(file: String) throws(CommandError) -> (entry: CatalogEntry, text: [UInt8]) {
    do { return try catalog.entry(file: file) } catch { throw CommandError("\(error)", .configuration) }
  }

  /// The source with this name, alias or path.
  ///
  /// - Parameter acceptsFile: Whether a file that is not in the sources directory would do.
  func entry(_ name: String, acceptsFile: Bool = true) throws(CommandError) -> CatalogEntry {
    if (try? WebURL(name)) != nil {
      throw CommandError(
        "\(name) is a URL, not a source. To create a source from it, run: riffle add \(ShellWord(name))",
        .usage)
    }
    do throws(CatalogError) {
      let id = dependencies.replay?.found("source \(name)")?.first
      let entry = try catalog.entry(named: id ?? name)
      dependencies.recorder?.note("source \(name)", [entry.source.id], isFixed: true)
      note(entry)
      return entry
    } catch {
      guard !acceptsFile, case .unknown(let name, let nearest, _) = error else {
        throw commandError(on: name, error)
      }
      throw commandError(on: name, .unknown(name: name, nearest: nearest))
    }
  }

  /// See `Catalog.lineage`.
  func lineage(of entry: CatalogEntry, options: [String: String]) throws(CommandError) -> [CatalogEntry] {
    do throws(CatalogError) {
      let entries = try catalog.lineage(of: entry, options: options)
      entries.forEach(note)
      return entries
    } catch {
      throw commandError(on: entry.source.id, error)
    }
  }

  private func note(_ entry: CatalogEntry) {
    dependencies.recorder?.note("document \(entry.source.id)", [entry.tree.document], isFixed: true)
  }
}

extension SettingsLayers {
  /// The settings of this program, from all layers.
  init(
    _ dependencies: Dependencies, file: String?, commandLine: [String: SettingValue] = [:],
    files: FileAccess = .system()
  ) throws(ConfigError) {
    try self.init(
      schema: .program, commandLine: commandLine, environment: dependencies.environment, path: file,
      files: files, user: getuid())
  }
}

extension Catalog {
  /// The built-in sources and the user's.
  ///
  /// - Parameter layers: Nil if the settings are invalid.
  init(_ dependencies: Dependencies, _ layers: SettingsLayers?, files: FileAccess = .system()) {
    let search = (layers?.settings ?? Settings()).search
    var input = SearchInput.standard
    input.debounce = search.debounce
    input.isLive = search.isLive
    guard let replay = dependencies.replay else {
      self.init(
        builtIns: BuiltInSources.documents,
        folder: ConfigFile.sourcesFolder(environment: dependencies.environment), files: files,
        user: getuid(), input: input, overlays: layers?.overlays ?? [])
      return
    }
    // The recorded documents are complete.
    let recorded = replay.everythingFound("document ").map {
      BuiltInDocument(name: $0.name, bytes: Array($0.value.utf8))
    }
    let others = BuiltInSources.documents.filter { own in !recorded.contains { $0.name == own.name } }
    self.init(builtIns: recorded + others, folder: nil, files: files, user: getuid(), input: input)
  }
}

extension SettingsSchema {
  /// The settings of this program, with its formats, themes, actions and modes.
  static let program = SettingsSchema(
    formats: OutputFormats.all.map { $0.name },
    themes: [PagerRules.automaticTheme] + ThemePalette.all.map(\.name), keys: .program)
}

extension KeySchema {
  fileprivate static var program: KeySchema {
    KeySchema(
      modes: Mode.allCases.map(\.rawValue),
      actions: Pager.Actions.all.map { action in
        KeySchema.Action(
          name: action.name, summary: action.summary,
          keys: Dictionary(
            uniqueKeysWithValues: Mode.allCases.compactMap { mode in
              action.keys[mode].map { (mode.rawValue, $0) }
            }))
      },
      problem: { bound in
        do throws(KeyMapError) { _ = try KeyMap(bindings: KeyBindings(bound)) } catch {
          return KeyDiagnostic(error)
        }
        return nil
      })
  }
}

extension KeyDiagnostic {
  fileprivate init(_ error: KeyMapError) {
    switch error {
    case .conflict(let key, let mode, let actions):
      self.init("\(error)", mode: mode.rawValue, actions: actions, key: key)
    case .notAKey(let notation, _, let action): self.init("\(error)", actions: [action], key: notation)
    case .types(_, let mode, let action): self.init("\(error)", mode: mode.rawValue, actions: [action])
    case .unknownAction: self.init("\(error)")
    }
  }
}

extension TransportConfiguration {
  /// - Parameter isInsecure: Whether any certificate is accepted.
  init(_ dependencies: Dependencies, _ settings: Settings, isInsecure: Bool = false) {
    self.init(environment: dependencies.environment, now: dependencies.now)
    if isInsecure {
      trust = .anything
    } else if let file = settings.tls.rootsFile {
      trust = .roots(file: HomePath.expanded(file, home: dependencies.environment["HOME"]))
    }
  }
}
