import ConfigTesting
import Search

@testable import Config

/// The problems of a configuration: all layers, and their settings for sources.
enum BrokenFiles {
  private static let forge = """
    schema = 1
    id = "forge"
    title = "Forge projects"
    aliases = ["f"]
    options.sort.values = ["", "stars", "updated"]
    [request]
    url = "https://api.forge.example/search"
    params = { q = "{query}", sort = "{sort?}" }
    [auth]
    type = "bearer"
    from = ["env:FORGE_TOKEN"]
    """
  private static let notes = "schema = 1\nid = \"notes\"\nrequest.url = \"https://notes.example/all\""

  /// - Parameters:
  ///   - config: The text of `config.toml`.
  ///   - sources: The texts of the files in the folder of sources.
  static func problems(config: String, sources: [String: String] = [:]) -> String {
    var files = MemoryFiles(["config.toml": config])
    files.folders["/s"] = FileStatus(owner: 1000, permissions: 0o755)
    for (name, text) in sources { files.files["/s/\(name)"] = MemoryFiles.File(text: text) }
    return problems(path: "config.toml", files: files.access)
  }

  static func problems(path: String?, environment: [String: String] = [:], files: FileAccess) -> String {
    do throws(ConfigError) {
      let layers = try SettingsLayers(
        schema: TestSchema.schema, environment: environment, path: path, files: files, user: 1000)
      let catalog = Catalog(
        builtIns: [
          BuiltInDocument(name: "forge", bytes: Array(forge.utf8)),
          BuiltInDocument(name: "notes", bytes: Array(notes.utf8)),
        ], folder: "/s", files: files,
        user: 1000,
        overlays: layers.overlays)
      let problems = catalog.problems(of: layers)
      return ConfigError(problems.isEmpty ? catalog.all().problems : problems).description
    } catch { return error.description }
  }
}
