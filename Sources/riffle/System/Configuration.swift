import Config
import Glibc
import Search
import Text

/// The configuration of this run: the settings from all layers, and the available sources.
struct Configuration: Sendable {
  let settings: Settings
  let catalog: Catalog
  /// The folder of the user's sources; nil without a home.
  let sourcesFolder: String?
  /// Notes for the user.
  let notes: [String]
  private let dependencies: Dependencies

  /// - Parameters:
  ///   - file: The value of `--config`, which replaces the user's settings file.
  ///   - commandLine: Settings given as options, by key (`search.page_size`).
  init(_ dependencies: Dependencies, file: String? = nil, commandLine: [String: SettingValue] = [:])
    throws(CommandError)
  {
    let files = FileAccess.system()
    sourcesFolder = ConfigFile.sourcesFolder(environment: dependencies.environment)
    do throws(ConfigError) {
      let layers = try SettingsLayers(
        schema: .program, commandLine: commandLine, environment: dependencies.environment, path: file,
        files: files,
        user: getuid())
      let search = layers.settings.search
      catalog = Catalog(
        builtIns: BuiltInSources.documents, folder: sourcesFolder, files: files, user: getuid(),
        input: SearchInput(debounce: search.debounce, isLive: search.isLive), overlays: layers.overlays)
      let problems = catalog.problems(of: layers)
      guard problems.isEmpty else { throw ConfigError(problems) }
      settings = layers.settings
      notes = layers.notes
    } catch {
      throw CommandError("\(error)", error.isUsage ? .usage : .configuration)
    }
    self.dependencies = dependencies
  }

  /// The first word may be meant as a command or as a source, so the message covers both.
  private static func commandError(on name: String, _ error: CatalogError) -> CommandError {
    guard case .unknown(_, let sources) = error else { return CommandError("\(error)", .configuration) }
    let commands = NearestName.nearest(to: name, among: Riffle.commandNames)
    if commands.isEmpty { return CommandError("\(error)", .usage) }
    let meant = commands.map { "the command \"\($0)\"" } + sources.map { "the source \"\($0)\"" }
    return CommandError(
      "unknown source \(JSONText.quoted(name)). Did you mean \(meant.joined(separator: " or "))?", .usage)
  }

  var resolver: SecretResolver {
    SecretResolver(environment: dependencies.environment, files: .system()) { words in
      try await ChildProgram.firstLine(of: words)
    }
  }

  /// The source in a file and the exact text it was read from, so that the text that was checked is the text
  /// that is kept.
  func entry(file: String) throws(CommandError) -> (entry: CatalogEntry, text: [UInt8]) {
    do throws(CatalogError) {
      return try catalog.entry(file: file)
    } catch { throw CommandError("\(error)", .configuration) }
  }

  /// The source with this name, alias or path.
  func entry(_ name: String) throws(CommandError) -> CatalogEntry {
    do throws(CatalogError) { return try catalog.entry(named: name) } catch {
      throw Self.commandError(on: name, error)
    }
  }
}
