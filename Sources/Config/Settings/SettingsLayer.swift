import Configuration
private import Text

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
      let near = NearestName.nearest(to: name, among: variables).first.map { ". Did you mean \($0)?" }
      return "environment variable \(name) is not a setting\(near ?? "")"
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

extension Setting {
  var configKey: ConfigKey { ConfigKey([section, name]) }
}
