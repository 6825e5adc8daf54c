import Config
import Glibc
import Pager
import Terminal
import Text

/// Implements `riffle config`: shows, checks and edits the settings.
package struct SettingsEditor {
  let dependencies: Dependencies
  let message: Message
  /// The value of `--config`, which replaces the user's settings file.
  let config: String?
  private let files = FileAccess.system()

  package init(_ dependencies: Dependencies, _ message: Message, config: String?) {
    self.dependencies = dependencies
    self.message = message
    self.config = config
  }

  /// The path of the file in effect, which may not exist.
  package func path() throws(CommandError) -> String {
    guard let path = config ?? ConfigFile.path(environment: dependencies.environment) else {
      throw CommandError(
        "cannot find the settings file: HOME is not set. Set HOME, or use --config FILE", .configuration)
    }
    return path
  }

  /// Prints all settings in effect, as TOML.
  ///
  /// - Parameter showsPlace: Whether each line says where the value was set.
  package func show(withPlace showsPlace: Bool) throws(CommandError) -> RunEnd {
    let layers: SettingsLayers
    do { layers = try SettingsLayers(dependencies, file: config) } catch {
      throw CommandError("\(error)", .configuration)
    }
    for note in layers.notes { message.note(note) }
    let report = layers.report
    let theme = ThemePalette.plain.theme(for: .sixteen, with: layers.settings.theme.styles)
    let lines = ColumnList.lines(
      report.map { setting in
        [setting.value.map { "\(setting.key) = \($0)" } ?? "# \(setting.key)"]
          + (showsPlace ? ["# \(setting.origin)"] : [])
      }, limit: 50
    ) { [colors = dependencies.colors] row, column, text in
      if column == 1 || report[row].value == nil { return colors.output(.dim, text) }
      // A style of the theme is shown as itself.
      let role =
        report[row].key.hasPrefix("theme.") ? Role(rawValue: String(report[row].key.dropFirst(6))) : nil
      return role.map { colors.isOutputColored ? CommandColors.styled(text, theme[$0]) : text } ?? text
    }
    return try dependencies.print(lines.map { "\($0)\n" }.joined())
  }

  /// - Throws: The errors in the file, if there are any.
  package func check() throws(CommandError) -> RunEnd {
    let configuration = try Configuration(dependencies, file: config)
    for note in configuration.notes { message.note(note) }
    let problems = configuration.searches.flatMap(configuration.problems)
    if !problems.isEmpty { throw CommandError("\(ConfigError(problems))", .configuration) }
    let path = try path()
    return try dependencies.print("\(path): \(isThere(path) ? "no errors" : "not found, using defaults")\n")
  }

  /// Writes the commented example to a new file; returns its path.
  package func create() throws(CommandError) -> String {
    let (example, environment) = (ExampleFile(.program), dependencies.environment)
    do { return try ConfigFile.write(example, path: config, environment: environment, files: files) } catch {
      throw CommandError("\(error)", .configuration)
    }
  }

  /// Opens the file in the user's editor, then checks it. A missing file is created first.
  package func edit() throws(CommandError) -> RunEnd {
    let path = try path()
    if !isThere(path) { _ = try create() }
    try dependencies.edit(path)
    _ = try Configuration(dependencies, file: config)
    return .status(.done)
  }

  private func isThere(_ path: String) -> Bool { (try? files.read(path)) != nil }
}
