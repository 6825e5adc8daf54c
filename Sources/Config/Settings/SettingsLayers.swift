private import Configuration

/// Merges the layers of settings: command line, environment, file and defaults.
package struct SettingsLayers: Sendable {
  package let settings: Settings
  /// The overlays on sources in the file: `[sources.NAME]`.
  package let overlays: [SourceOverlay]
  /// Notes for the user: unknown environment variables that look like settings.
  package let notes: [String]
  private let schema: SettingsSchema
  /// The layer that sets each setting, by key; settings that are not set are missing.
  private let origins: [String: SettingOrigin]

  /// - Parameters:
  ///   - commandLine: Values of the given options, by key (`search.page_size`).
  ///   - environment: The whole environment.
  ///   - file: The settings file, if there is one.
  /// - Throws: All problems in all layers.
  package init(
    schema: SettingsSchema, commandLine: [String: SettingValue] = [:], environment: [String: String] = [:],
    file: TOMLDocument? = nil
  ) throws(ConfigError) {
    let layers = [
      SettingsLayer(commandLine: commandLine, schema),
      SettingsLayer(environment: environment, schema),
      SettingsLayer(file: file, schema),
    ]
    let problems = layers.flatMap(\.problems)
    guard problems.isEmpty else { throw ConfigError(problems) }
    self.schema = schema
    settings = Self.settings(schema, layers)
    overlays = layers.flatMap(\.overlays)
    notes = layers.flatMap(\.notes)
    origins = layers.reduce(into: [:]) { $0.merge($1.origins) { first, _ in first } }
  }

  /// Reads the user's settings file, or the one named instead of it.
  ///
  /// - Parameters:
  ///   - path: The value of `--config`.
  ///   - user: The user id of the process.
  /// - Throws: All problems in all layers, including an unreadable file, and settings that require trust in a
  ///   file that others can change.
  package init(
    schema: SettingsSchema, commandLine: [String: SettingValue] = [:], environment: [String: String],
    path: String?, files: FileAccess, user: UInt32
  ) throws(ConfigError) {
    let document: TOMLDocument?
    do { document = try ConfigFile.document(path: path, environment: environment, files: files) } catch {
      let others = [
        SettingsLayer(commandLine: commandLine, schema), SettingsLayer(environment: environment, schema),
      ]
      throw ConfigError(others.flatMap(\.problems) + error.problems)
    }
    try self.init(schema: schema, commandLine: commandLine, environment: environment, file: document)
    let distrust = distrust(of: document, PathSafety(files: files, user: user))
    guard distrust.isEmpty else { throw ConfigError(distrust) }
  }

  /// Problems with settings that a file must not contain if others can change it.
  private func distrust(of document: TOMLDocument?, _ safety: PathSafety) -> [ConfigProblem] {
    let settings = schema.settings.compactMap { setting -> (Setting, FilePosition)? in
      guard setting.needsTrust, case .file(let position)? = origins[setting.key] else { return nil }
      return (setting, position)
    }
    guard let document, !settings.isEmpty,
      case .untrusted(let reason) = SourceTrust(settingsFile: document.file, safety)
    else { return [] }
    return settings.map { setting, position in
      ConfigProblem(
        at: .position(position), table: "[\(setting.section)]", key: setting.name, "this file \(reason)")
    }
  }

  private static func settings(_ schema: SettingsSchema, _ layers: [SettingsLayer]) -> Settings {
    let reader = ConfigReader(providers: layers.map(\.provider))
    var settings = Settings()
    for setting in schema.settings where layers.contains(where: { $0.origins[setting.key] != nil }) {
      let key = setting.configKey
      let value: SettingValue? =
        switch setting.kind {
        case .integer: reader.int(forKey: key).map { .integer($0) }
        case .bool: reader.bool(forKey: key).map { .bool($0) }
        case .choice, .duration, .path, .source, .style: reader.string(forKey: key).map { .text($0) }
        case .command, .keys: reader.stringArray(forKey: key).map { .list($0) }
        }
      if let value { setting.put(value, into: &settings) }
    }
    return settings
  }

  // MARK: Reporting

  /// The layer that a setting's value comes from.
  package func origin(of setting: Setting) -> SettingOrigin { origin(of: setting.key) }

  func origin(of key: String) -> SettingOrigin { origins[key] ?? .standard }

  /// All settings with value and origin, in schema order, followed by the overlays on sources. Actions
  /// without a key in a mode are left out.
  package var report: [ReportedSetting] {
    let settings = schema.settings.compactMap { setting -> ReportedSetting? in
      let value = setting.value(in: self.settings)
      if setting.kind == .keys, value == nil { return nil }
      return ReportedSetting(key: setting.key, value: value?.toml, origin: origin(of: setting))
    }
    return settings + overlays.flatMap(\.report)
  }
}
