import Config
import Glibc
import Search
import Text

/// The configuration of this run: the settings from all layers, and the available sources.
struct Setup: Sendable {
  let settings: Settings
  let catalogue: Catalogue
  /// The folder of the user's sources; nil without a home.
  let sourcesFolder: String?
  /// Notes for the user.
  let notes: [String]
  private let world: World

  /// - Parameters:
  ///   - file: The value of `--config`, which replaces the user's settings file.
  ///   - commandLine: Settings given as options, by key (`search.page_size`).
  init(_ world: World, file: String? = nil, commandLine: [String: SettingValue] = [:]) throws(Complaint) {
    let files = FileAccess.system()
    sourcesFolder = ConfigFile.sourcesFolder(environment: world.environment)
    do throws(ConfigError) {
      let layers = try SettingsLayers(
        schema: .program, commandLine: commandLine, environment: world.environment, path: file, files: files,
        user: getuid())
      let search = layers.settings.search
      catalogue = Catalogue(
        builtIns: BuiltInSources.documents, folder: sourcesFolder, files: files, user: getuid(),
        input: SearchInput(debounce: search.debounce, isLive: search.isLive), overlays: layers.overlays)
      let problems = catalogue.problems(of: layers)
      guard problems.isEmpty else { throw ConfigError(problems) }
      settings = layers.settings
      notes = layers.notes
    } catch {
      throw Complaint("\(error)", error.isUsage ? .usage : .configuration)
    }
    self.world = world
  }

  /// The first word may be meant as a command or as a source, so the message covers both.
  private static func complaint(on name: String, _ error: CatalogueError) -> Complaint {
    guard case .unknown(_, let sources) = error else { return Complaint("\(error)", .configuration) }
    let commands = NearestName.nearest(to: name, among: Riffle.commandNames)
    if commands.isEmpty { return Complaint("\(error)", .usage) }
    let meant = commands.map { "the command \"\($0)\"" } + sources.map { "the source \"\($0)\"" }
    return Complaint(
      "unknown source \(JSONText.quoted(name)). Did you mean \(meant.joined(separator: " or "))?", .usage)
  }

  var resolver: SecretResolver {
    SecretResolver(environment: world.environment, files: .system()) { words in
      try await ChildProgram.firstLine(of: words)
    }
  }

  /// The source in a file and the exact text it was read from, so that the text that was checked is the text
  /// that is kept.
  func entry(file: String) throws(Complaint) -> (entry: CatalogueEntry, text: [UInt8]) {
    do throws(CatalogueError) {
      return try catalogue.entry(file: file)
    } catch { throw Complaint("\(error)", .configuration) }
  }

  /// The source with this name, alias or path.
  func entry(_ name: String) throws(Complaint) -> CatalogueEntry {
    do throws(CatalogueError) { return try catalogue.entry(named: name) } catch {
      throw Self.complaint(on: name, error)
    }
  }
}
