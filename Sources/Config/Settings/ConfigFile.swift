/// Locates the user's files (XDG Base Directory Specification) and reads the settings file.
package enum ConfigFile {
  /// riffle's environment variables that are not settings.
  static let variables = ["RIFFLE_CONFIG", "RIFFLE_RECORDINGS"]

  /// The folder of all configuration files; nil without a home.
  static func folder(environment: [String: String]) -> String? {
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return "\(folder)/riffle" }
    guard let home = environment["HOME"], !home.isEmpty else { return nil }
    return "\(home)/.config/riffle"
  }

  /// The settings file: `RIFFLE_CONFIG`, else `config.toml` in the folder. It may not exist.
  package static func path(environment: [String: String]) -> String? {
    if let path = environment["RIFFLE_CONFIG"], !path.isEmpty { return path }
    return folder(environment: environment).map { "\($0)/config.toml" }
  }

  /// The folder of the user's sources. It may not exist.
  package static func sourcesFolder(environment: [String: String]) -> String? {
    folder(environment: environment).map { "\($0)/sources" }
  }

  /// The settings document; nil if there is no file and none was named explicitly.
  ///
  /// - Parameter path: The value of `--config`, which replaces the user's file.
  package static func document(
    path named: String? = nil, environment: [String: String], files: FileAccess
  ) throws(ConfigError) -> TOMLDocument? {
    guard let path = named ?? path(environment: environment) else { return nil }
    let mustExist = named != nil || !(environment["RIFFLE_CONFIG"] ?? "").isEmpty
    let bytes: [UInt8]
    do { bytes = try files.read(path).bytes } catch {
      if !mustExist, error == .missing { return nil }
      throw ConfigError([ConfigProblem(at: .named(path), "\(error)\(remedy(for: error))")])
    }
    return try TOMLDocument(bytes, file: path)
  }

  private static func remedy(for failure: FileFailure) -> String {
    switch failure {
    case .missing: ". To write an example, run: riffle config init"
    case .notAFile: ". Name a TOML file"
    case .other: ". Check its permissions with ls -l"
    case .taken, .unwritable: ""
    }
  }

  /// Writes the example settings to the path of the user's file, unless it exists.
  ///
  /// - Parameter path: The value of `--config`, which replaces the user's file.
  /// - Returns: The path of the new file.
  package static func write(
    _ example: ExampleFile, path named: String? = nil, environment: [String: String], files: FileAccess
  ) throws(ConfigError) -> String {
    guard let path = named ?? path(environment: environment) else {
      throw ConfigError([
        ConfigProblem(
          at: .named("HOME"), "is not set: cannot find the settings file. Set HOME, or use --config FILE")
      ])
    }
    do { try files.create(path, Array(example.text.utf8)) } catch {
      let advice = error == .taken ? ". To change it, run: riffle config edit" : ""
      throw ConfigError([ConfigProblem(at: .named(path), "\(error)\(advice)")])
    }
    return path
  }

  /// The user's editor with its arguments: `VISUAL`, else `EDITOR`, else vi. The value is split at spaces,
  /// without a shell.
  package static func editor(environment: [String: String]) -> [String] {
    ["VISUAL", "EDITOR"].lazy
      .map { (environment[$0] ?? "").split(separator: " ").map(String.init) }
      .first { !$0.isEmpty } ?? ["vi"]
  }
}
