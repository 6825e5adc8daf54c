private import Configuration
private import Text

/// Joins the layers of settings: command line, environment, file, and what counts without them.
package struct SettingsLayers: Sendable {
  package let settings: Settings
  /// Worth telling the user: variables that look like settings and are none.
  package let notes: [String]

  /// - Parameters:
  ///   - commandLine: by key (`search.page_size`); only options the user gave.
  ///   - environment: the whole environment.
  ///   - file: the user's file, if there is one.
  /// - Throws: everything that is wrong in any layer.
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
    settings = Self.settings(schema, ConfigReader(providers: layers.map(\.provider)))
    notes = layers.flatMap(\.notes)
  }

  private static func settings(_ schema: SettingsSchema, _ reader: ConfigReader) -> Settings {
    var settings = Settings()
    for setting in schema.settings {
      let key = ConfigKey([setting.section, setting.name])
      let value: SettingValue? =
        switch setting.kind {
        case .integer: reader.int(forKey: key).map { .integer($0) }
        case .bool: reader.bool(forKey: key).map { .bool($0) }
        case .choice, .duration, .path: reader.string(forKey: key).map { .text($0) }
        }
      if let value { setting.put(value, into: &settings) }
    }
    return settings
  }
}

/// One layer: its values, and what is wrong with them. A value with a problem is left out, because a reader
/// would take the default for it without a word.
private struct SettingsLayer {
  private var values: [AbsoluteConfigKey: ConfigValue] = [:]
  private let name: String
  private(set) var problems: [ConfigProblem] = []
  private(set) var notes: [String] = []

  var provider: any ConfigProvider { InMemoryProvider(name: name, values: values) }

  init(commandLine: [String: SettingValue], _ schema: SettingsSchema) {
    name = "command line"
    for setting in schema.settings {
      guard let value = commandLine[setting.key] else { continue }
      let option = "--\(setting.name.split(separator: "_").joined(separator: "-"))"
      if let problem = setting.problem(of: value) {
        problems.append(ConfigProblem(at: .named(option), problem))
      } else {
        put(value, for: setting)
      }
    }
  }

  init(environment: [String: String], _ schema: SettingsSchema) {
    name = "environment"
    for setting in schema.settings {
      guard let text = environment[setting.variable], !text.isEmpty else { continue }
      let value = setting.value(ofText: text)
      if let problem = setting.problem(of: value) {
        problems.append(ConfigProblem(at: .named(setting.variable), problem))
      } else {
        put(value, for: setting)
      }
    }
    notes = Self.strays(in: environment, schema)
  }

  /// Variables that begin like ours and are none of them.
  private static func strays(in environment: [String: String], _ schema: SettingsSchema) -> [String] {
    let variables = schema.settings.map(\.variable)
    return environment.keys.sorted()
      .filter { $0.hasPrefix(Setting.variablePrefix) && !(variables + ConfigFile.variables).contains($0) }
      .map { name in
        let near = NearestName.nearest(to: name, among: variables).first.map { "; did you mean \($0)?" }
        return "\(name) is not a setting\(near ?? "")"
      }
  }

  init(file: TOMLDocument?, _ schema: SettingsSchema) {
    name = file?.file ?? "no file"
    guard let file else { return }
    var reader = TableReader(document: file.root, file: file.file)
    for section in schema.sections {
      let found = reader.table(section) { table in
        schema.settings.filter { $0.section == section }.compactMap { setting in
          table.setting(setting).map { (setting, $0) }
        }
      }
      for (setting, value) in found ?? [] { put(value, for: setting) }
    }
    reader.finish()
    problems = reader.problems
  }

  private mutating func put(_ value: SettingValue, for setting: Setting) {
    let content: ConfigContent =
      switch value {
      case .integer(let number): .int(number)
      case .bool(let flag): .bool(flag)
      case .text(let text): .string(text)
      }
    values[AbsoluteConfigKey([setting.section, setting.name])] = ConfigValue(content, isSecret: false)
  }
}

extension TableReader {
  /// The value of a setting, unless something is wrong with it.
  fileprivate mutating func setting(_ setting: Setting) -> SettingValue? {
    guard let found = value(setting.name) else { return nil }
    let value: SettingValue
    switch found.content {
    case .integer(let number): value = .integer(number)
    case .bool(let flag): value = .bool(flag)
    case .string(let text): value = .text(text)
    case .float, .date, .array, .table:
      report("expected \(setting.expectation), found \(found.kindName)", for: setting.name)
      return nil
    }
    guard let problem = setting.problem(of: value) else { return value }
    report(problem, for: setting.name)
    return nil
  }
}
