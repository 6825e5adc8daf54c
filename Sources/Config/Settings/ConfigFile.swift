/// Where the user's files are (XDG Base Directory Specification), and how the settings file is read.
package enum ConfigFile {
  /// Variables of ours that are no settings.
  static let variables = ["RIFFLE_CONFIG", "RIFFLE_RECORDINGS"]

  /// The folder of all files of ours; nil without a home.
  static func folder(environment: [String: String]) -> String? {
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return "\(folder)/riffle" }
    guard let home = environment["HOME"], !home.isEmpty else { return nil }
    return "\(home)/.config/riffle"
  }

  /// The settings file: `RIFFLE_CONFIG`, else `config.toml` in the folder; it need not exist.
  package static func path(environment: [String: String]) -> String? {
    if let path = environment["RIFFLE_CONFIG"], !path.isEmpty { return path }
    return folder(environment: environment).map { "\($0)/config.toml" }
  }

  /// The folder of the user's sources; it need not exist.
  package static func sourcesFolder(environment: [String: String]) -> String? {
    folder(environment: environment).map { "\($0)/sources" }
  }

  /// The document of the settings; nil when there is no file and nobody named one.
  ///
  /// - Parameter path: of `--config`; takes the place of the user's file.
  package static func document(
    path named: String? = nil, environment: [String: String], files: FileAccess
  ) throws(ConfigError) -> TOMLDocument? {
    guard let path = named ?? path(environment: environment) else { return nil }
    let mustExist = named != nil || !(environment["RIFFLE_CONFIG"] ?? "").isEmpty
    do { return try TOMLDocument(try files.read(path).bytes, file: path) } catch {
      if let error = error as? ConfigError { throw error }
      if !mustExist, error as? FileFailure == .missing { return nil }
      throw ConfigError([ConfigProblem(at: .named(path), "\(error)")])
    }
  }
}
