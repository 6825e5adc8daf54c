import Configuration
private import Text

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
    overlays = layers.flatMap(\.overlays)
    notes = layers.flatMap(\.notes)
    origins = layers.reduce(into: [:]) { $0.merge($1.origins) { first, _ in first } }
    let reader = ConfigReader(providers: layers.map(\.provider))
    var settings = Settings()
    for setting in schema.settings where origins[setting.key] != nil {
      setting.read(reader, into: &settings)
    }
    self.settings = settings
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

/// One layer of settings: its values and problems. An invalid value is left out, because the configuration
/// reader would silently use the default for it.
struct SettingsLayer {
  private var values: [AbsoluteConfigKey: ConfigValue] = [:]
  private let name: String
  private(set) var origins: [String: SettingOrigin] = [:]
  private(set) var overlays: [SourceOverlay] = []
  private(set) var problems: [ConfigProblem] = []
  private(set) var notes: [String] = []

  var provider: any ConfigProvider { InMemoryProvider(name: name, values: values) }

  private mutating func put(_ value: SettingValue, for setting: Setting, from origin: SettingOrigin) {
    let content: ConfigContent =
      switch value {
      case .integer(let number): .int(number)
      case .bool(let flag): .bool(flag)
      case .text(let text): .string(text)
      case .list(let texts): .stringArray(texts)
      }
    values[AbsoluteConfigKey(setting.configKey)] = ConfigValue(content, isSecret: false)
    origins[setting.key] = origin
  }

  // MARK: Command line

  init(commandLine: [String: SettingValue], _ schema: SettingsSchema) {
    name = "command line"
    for setting in schema.settings {
      guard let value = commandLine[setting.key] else { continue }
      if let problem = setting.problem(of: value) {
        problems.append(ConfigProblem(at: .named(setting.option), problem))
      } else {
        put(value, for: setting, from: .commandLine(option: setting.option))
      }
    }
  }

  // MARK: Environment

  init(environment: [String: String], _ schema: SettingsSchema) {
    name = "environment"
    for setting in schema.settings {
      guard let variable = setting.variable, let text = environment[variable], !text.isEmpty else { continue }
      let value = setting.value(ofText: text)
      if let problem = setting.problem(of: value) {
        problems.append(ConfigProblem(at: .named(variable), problem))
      } else {
        put(value, for: setting, from: .environment(variable: variable))
      }
    }
    notes = Self.unknownNames(in: environment, schema)
  }

  /// Environment variables that have riffle's prefix but are not known.
  private static func unknownNames(in environment: [String: String], _ schema: SettingsSchema) -> [String] {
    let suspects = environment.keys.filter { $0.hasPrefix(Setting.variablePrefix) }.sorted()
    if suspects.isEmpty { return [] }
    let variables = schema.settings.compactMap(\.variable)
    return suspects.filter { !(variables + ConfigFile.variables).contains($0) }.map { name in
      if let list = schema.settings.first(where: { $0.variableName == name }) {
        return
          "environment variable \(name) is ignored: set the list in the settings file, [\(list.section)] \(list.name)"
      }
      let nearest = NearestName.nearest(to: name, among: variables).prefix(1)
      return Sentences.joined([
        "environment variable \(name) is not a setting", NearestName.question(Array(nearest)),
      ])
    }
  }

  // MARK: File

  init(file: TOMLDocument?, _ schema: SettingsSchema) {
    name = file?.file ?? "no file"
    guard let file else { return }
    var reader = TableReader(document: file.root, file: file.file)
    let found = SettingsFileDecoder(schema).found(&reader)
    overlays = reader.members("sources").compactMap { SourceOverlay($0, &reader) }
    reader.finish()
    for item in found { put(item.value, for: item.setting, from: .file(item.written.position)) }
    notes = found.compactMap(\.note)
    var keys = KeyCheck(found.compactMap(KeyCheck.Entry.init), schema.keys)
    problems = reader.problems + keys.problems()
  }
}

/// A setting as shown by `config show`.
package struct ReportedSetting: Sendable, Hashable {
  /// `search.page_size`, `keys.table.quit`, `sources.github.options.sort`.
  package let key: String
  /// In TOML notation; nil if it is not set and the summary describes the default.
  package let value: String?
  package let origin: SettingOrigin
}

/// The layer a value comes from.
package enum SettingOrigin: Sendable, Hashable, CustomStringConvertible {
  case commandLine(option: String)
  case environment(variable: String)
  case file(FilePosition)
  case standard

  package var description: String {
    switch self {
    case .commandLine(let option): option
    case .environment(let variable): variable
    case .file(let position): "\(position.file):\(position.line)"
    case .standard: "default"
    }
  }

  /// The location to report a problem with the value at.
  var place: ConfigProblem.Place {
    if case .file(let position) = self { .position(position) } else { .named(description) }
  }
}
