import Configuration
private import Text

/// Merges the layers of settings: command line, environment, file and defaults.
package struct SettingsLayers: Sendable {
  package let settings: Settings
  /// The overlays on sources in the file: `[sources.NAME]`.
  package let overlays: [SourceOverlay]
  /// The saved searches in the file: `[searches.NAME]`.
  package let searches: [SavedSearch]
  /// Notes for the user: unknown environment variables that look like settings.
  package let notes: [String]
  private let schema: SettingsSchema
  /// The layer that sets each setting, by key; settings that are not set are missing.
  private let origins: [String: SettingOrigin]
  /// `[actions.NAME]` in the file.
  let actions: [WrittenAction]

  /// - Parameter commandLine: Values of the given options, by key (`search.page_size`).
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
    searches = layers.flatMap(\.searches)
    actions = layers.flatMap(\.actions)
    notes = layers.flatMap(\.notes)
    origins = layers.reduce(into: [:]) { $0.merge($1.origins) { first, _ in first } }
    var settings = Settings()
    let found = layers.flatMap(\.settings)
    if !found.isEmpty {
      let reader = ConfigReader(providers: layers.map { InMemoryProvider(name: $0.name, values: $0.values) })
      for setting in found { setting.write(&settings, reader, setting.configKey) }
    }
    settings.actions = actions.map(\.action)
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
  private func distrust(of document: TOMLDocument?, _ safety: PathSafety) -> [ConfigDiagnostic] {
    guard let document else { return [] }
    let settings = schema.settings.compactMap { setting -> (table: String, key: String, FilePosition)? in
      guard setting.needsTrust, case .file(let position)? = origins[setting.key] else { return nil }
      return ("[\(setting.section)]", setting.name, position)
    }
    let found = settings + actions.map { ($0.header, "run", $0.programPosition) }
    guard !found.isEmpty,
      case .untrusted(let reason) = SourceTrust(settingsFile: document.file, safety)
    else { return [] }
    return found.map { table, key, position in
      ConfigDiagnostic(
        at: .position(position), table: table, key: key, "cannot be set, because this file \(reason)")
    }
  }

  // MARK: Reporting

  /// The layer that a setting's value comes from.
  package func origin(of setting: Setting) -> SettingOrigin { origin(of: setting.key) }

  func origin(of key: String) -> SettingOrigin { origins[key] ?? .standard }

  /// All settings with value and origin, in schema order, followed by the programs for rows, the overlays on sources and
  /// the saved searches. Actions without a key in a mode are left out.
  package var report: [ReportedSetting] {
    let settings = schema.settings.compactMap { setting -> ReportedSetting? in
      let value = setting.value(in: self.settings)
      if setting.kind == .keys, value == nil { return nil }
      return ReportedSetting(key: setting.key, value: value?.toml, origin: origin(of: setting))
    }
    return settings + actions.flatMap(\.report) + overlays.flatMap(\.report) + searches.flatMap(\.report)
  }
}

/// One layer of settings: its values and problems. An invalid value is left out, because the configuration
/// reader would silently use the default for it.
private struct SettingsLayer {
  let name: String
  /// Those that it sets.
  private(set) var settings: [Setting] = []
  private(set) var values: [AbsoluteConfigKey: ConfigValue] = [:]
  private(set) var origins: [String: SettingOrigin] = [:]
  private(set) var overlays: [SourceOverlay] = []
  private(set) var searches: [SavedSearch] = []
  private(set) var actions: [WrittenAction] = []
  private(set) var problems: [ConfigDiagnostic] = []
  private(set) var notes: [String] = []

  private mutating func take(_ value: SettingValue, for setting: Setting, from origin: SettingOrigin) {
    if let problem = setting.problem(of: value) {
      problems.append(ConfigDiagnostic(at: origin.place, problem))
    } else {
      put(value, for: setting, from: origin)
    }
  }

  private mutating func put(_ value: SettingValue, for setting: Setting, from origin: SettingOrigin) {
    let content: ConfigContent =
      switch value {
      case .integer(let number): .int(number)
      case .bool(let flag): .bool(flag)
      case .text(let text): .string(text)
      case .list(let texts): .stringArray(texts)
      }
    settings.append(setting)
    values[AbsoluteConfigKey(setting.configKey)] = ConfigValue(content, isSecret: false)
    origins[setting.key] = origin
  }

  // MARK: Command line

  init(commandLine: [String: SettingValue], _ schema: SettingsSchema) {
    name = "command line"
    if commandLine.isEmpty { return }
    for setting in schema.settings {
      guard let value = commandLine[setting.key] else { continue }
      take(value, for: setting, from: .commandLine(option: setting.option))
    }
  }

  // MARK: Environment

  init(environment: [String: String], _ schema: SettingsSchema) {
    name = "environment"
    let own = environment.keys.filter { $0.hasPrefix(Setting.variablePrefix) }
    if own.isEmpty { return }
    for setting in schema.settings {
      guard let variable = setting.variable, let text = environment[variable], !text.isEmpty else { continue }
      take(setting.value(ofText: text), for: setting, from: .environment(variable: variable))
    }
    notes = Self.notes(on: own.sorted(), schema)
  }

  /// Which of these environment variables, with riffle's prefix, are no settings.
  private static func notes(on names: [String], _ schema: SettingsSchema) -> [String] {
    let settings = schema.settings
    let variables = settings.compactMap(\.variable)
    return names.filter { !(variables + ConfigFile.variables).contains($0) }.map { name in
      if let list = settings.first(where: { $0.variableName == name }) {
        return
          "environment variable \(name) is ignored: set the list in the settings file, [\(list.section)] \(list.name)"
      }
      // The prefix, which all have, would make every name a near one.
      let prefix = Setting.variablePrefix
      let nearest = NearestName.nearest(
        to: String(name.dropFirst(prefix.count)), among: variables.map { String($0.dropFirst(prefix.count)) }
      ).prefix(1).map { prefix + $0 }
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
    let found = SettingsFileDecoder(schema.settings).found(&reader)
    actions = WrittenAction.all(&reader)
    overlays = reader.members("sources").compactMap { SourceOverlay($0, &reader) }
    searches = reader.namedTables("searches") { SavedSearch($0, &$1) }
    reader.finish()
    for item in found { put(item.value, for: item.setting, from: .file(item.written.position)) }
    problems = reader.problems
    guard found.contains(where: { $0.keys != nil }) else { return }
    var keys = KeyCheck(found, schema.keys)
    problems += keys.problems()
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
  var place: ConfigDiagnostic.Place {
    if case .file(let position) = self { .position(position) } else { .named(description) }
  }
}

// MARK: The file

/// Locates the user's files (XDG Base Directory Specification) and reads the settings file.
package enum ConfigFile {
  /// riffle's environment variables that are not settings.
  static let variables = ["RIFFLE_CONFIG", "RIFFLE_RECORDINGS", "RIFFLE_TOML_CORPUS"]

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

  /// The settings document: the named one (`--config`), else the user's; nil if there is no file and none was
  /// named explicitly.
  package static func document(
    path named: String? = nil, environment: [String: String], files: FileAccess
  ) throws(ConfigError) -> TOMLDocument? {
    guard let path = named ?? path(environment: environment) else { return nil }
    let mustExist = named != nil || !(environment["RIFFLE_CONFIG"] ?? "").isEmpty
    let bytes: [UInt8]
    do { bytes = try files.read(path).bytes } catch {
      if !mustExist, error == .missing { return nil }
      throw ConfigError(at: .unreadable(path), "\(error.reason)\(remedy(for: error, named: named))")
    }
    return try TOMLDocument(bytes, file: path)
  }

  /// The option that names the file in a command line.
  private static func option(_ named: String?) -> String {
    named.map { " --config \(Wording.shellWord($0))" } ?? ""
  }

  /// - Parameter named: The value of `--config`.
  private static func remedy(for failure: FileError, named: String?) -> String {
    switch failure {
    case .missing:
      ". To write an example, run: riffle config init\(option(named))"
    case .notAFile: ". Name a TOML file"
    case .other: ". Check its permissions with ls -l"
    case .taken, .unwritable: ""
    }
  }

  /// Writes the example settings to the named file (`--config`), else to the user's, unless it exists. Returns
  /// its path.
  package static func write(
    _ example: ExampleFile, path named: String? = nil, environment: [String: String], files: FileAccess
  ) throws(ConfigError) -> String {
    guard let path = named ?? path(environment: environment) else {
      throw ConfigError(
        at: .named("HOME"), "is not set: cannot find the settings file. Set HOME, or use --config FILE")
    }
    do { try files.create(path, Array(example.text.utf8)) } catch {
      let advice = error == .taken ? ". To change it, run: riffle config edit\(option(named))" : ""
      throw ConfigError(at: .named(path), "\(error)\(advice)")
    }
    return path
  }

  /// The user's editor with its arguments: `VISUAL`, else `EDITOR`, else vi. The value is split at spaces,
  /// without a shell.
  ///
  /// - Returns: The editor, and the variable that chooses it.
  package static func editor(environment: [String: String]) -> (words: [String], variable: String) {
    ["VISUAL", "EDITOR"].lazy
      .map { ((environment[$0] ?? "").split(separator: " ").map(String.init), $0) }
      .first { !$0.0.isEmpty } ?? (["vi"], "EDITOR")
  }
}

/// Reads the settings of a file according to the schema.
private struct SettingsFileDecoder {
  /// A setting with its parsed value and the value in the file.
  struct DecodedSetting {
    let setting: Setting
    let value: SettingValue
    let written: TOMLValue
  }

  private let settings: [Setting]
  private let sections: [String]

  init(_ settings: [Setting]) {
    self.settings = settings
    sections = settings.sections
  }

  /// The valid settings; the others are reported as problems of the reader.
  func found(_ reader: inout TableReader) -> [DecodedSetting] {
    var found: [DecodedSetting] = []
    var tops: [String] = []
    for section in sections.map(Self.top) where !tops.contains(section) {
      tops.append(section)
      found += reader.table(section) { read(section, &$0) } ?? []
    }
    refuseUnknownKeys(in: "", &reader)
    return found
  }

  /// Reads a section and its subsections: `[keys]` and `[keys.table]`.
  private func read(_ section: String, _ table: inout TableReader) -> [DecodedSetting] {
    var found = settings.filter { $0.section == section }.compactMap { self.found($0, &table) }
    for inner in sections where inner != section && Self.top(inner) == section {
      let name = String(inner.dropFirst(section.count + 1))
      found += table.table(name) { read(inner, &$0) } ?? []
    }
    refuseUnknownKeys(in: section, &table)
    return found
  }

  /// Reports settings in the wrong section, naming the right one.
  private func refuseUnknownKeys(in section: String, _ table: inout TableReader) {
    let known = settings.filter { $0.section == section }
    let own = known.map(\.name) + sections.map { String($0.split(separator: ".").last ?? "") }
    for setting in settings where table.contains(setting.name) && !own.contains(setting.name) {
      table.refuse([setting.name], "misplaced. Move it to [\(setting.section)]")
    }
  }

  private static func top(_ section: String) -> String { String(section.prefix { $0 != "." }) }

  private func found(_ setting: Setting, _ table: inout TableReader) -> DecodedSetting? {
    guard let written = table.value(setting.name), let value = value(written, of: setting, &table)
    else { return nil }
    if let problem = setting.problem(of: value) {
      table.report(problem, for: setting.name)
      return nil
    }
    return DecodedSetting(setting: setting, value: value, written: written)
  }

  private func value(
    _ written: TOMLValue, of setting: Setting, _ table: inout TableReader
  ) -> SettingValue? {
    switch written.content {
    case .integer(let number): return .integer(number)
    case .bool(let flag): return .bool(flag)
    case .string(let text): return setting.kind == .keys ? .list([text]) : .text(text)
    case .array where setting.isList:
      let texts = table.strings(setting.name).map(\.text)
      if case .array(let elements) = written.content, elements.count == texts.count { return .list(texts) }
      return nil
    case .float, .date, .array, .table:
      table.report("expected \(setting.expectation), found \(written.kindName)", for: setting.name)
      return nil
    }
  }
}

extension SettingsFileDecoder.DecodedSetting {
  /// The keys that it binds; nil if it is not a key binding.
  var keys: [String]? {
    if setting.kind == .keys, case .list(let keys) = value { keys } else { nil }
  }

  /// The mode and the action of a key binding.
  var mode: String { String(setting.section.drop { $0 != "." }.dropFirst()) }
  var action: String { setting.name }
}

/// Finds all problems with the keys of a file. The key map reports one problem at a time, so the offending
/// entry is removed and the rest is checked again.
private struct KeyCheck {
  /// An entry of the file: `ACTION = "key"` or `ACTION = ["key", …]`.
  typealias Entry = SettingsFileDecoder.DecodedSetting

  private let schema: KeySchema
  private let entries: [Entry]
  private var bindings: BoundKeys = [:]

  /// - Parameter found: The settings of the file; other settings than keys are ignored.
  init(_ found: [Entry], _ schema: KeySchema) {
    self.schema = schema
    entries = found.filter { $0.keys != nil }
    for entry in entries { bindings[entry.mode, default: [:]][entry.action] = entry.keys }
  }

  mutating func problems() -> [ConfigDiagnostic] {
    var problems: [ConfigDiagnostic] = []
    while problems.count < ConfigError.maxProblems, let problem = schema.problem(bindings) {
      guard let entry = offendingEntry(of: problem) else {
        let file = entries.first?.written.position.file ?? ""
        return problems + [ConfigDiagnostic(at: .named(file), table: "[keys]", problem.message)]
      }
      problems.append(configDiagnostic(problem, about: entry))
      take(problem.key, from: entry)
    }
    return problems
  }

  /// The last entry involved in the problem; one with exactly the reported key is preferred.
  private func offendingEntry(of problem: KeyDiagnostic) -> Entry? {
    let involved = entries.filter { entry in
      problem.actions.contains(entry.action) && problem.mode ?? entry.mode == entry.mode
        && bindings[entry.mode]?[entry.action]?.isEmpty == false
    }
    return involved.last { entry in
      problem.key.map { bindings[entry.mode]?[entry.action]?.contains($0) == true } ?? true
    } ?? involved.last
  }

  private func configDiagnostic(_ problem: KeyDiagnostic, about entry: Entry) -> ConfigDiagnostic {
    let others = problem.actions.filter { $0 != entry.action }.compactMap { action in
      entries.last { $0.action == action && $0.mode == entry.mode }.map {
        " (\(action) is bound at \(position(of: problem.key, in: $0)))"
      }
    }
    return ConfigDiagnostic(
      at: .position(position(of: problem.key, in: entry)), table: "[keys.\(entry.mode)]", key: entry.action,
      problem.message + others.joined())
  }

  private func position(of key: String?, in entry: Entry) -> FilePosition {
    guard let key, case .array(let elements) = entry.written.content else { return entry.written.position }
    return elements.first { $0.string == key }?.position ?? entry.written.position
  }

  private mutating func take(_ key: String?, from entry: Entry) {
    let keys = bindings[entry.mode]?[entry.action] ?? []
    let rest = keys.filter { $0 != key }
    bindings[entry.mode]?[entry.action] = rest.count < keys.count ? rest : []
  }
}
