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

/// Reads the settings of a file according to the schema.
struct SettingsFileDecoder {
  /// A setting with its parsed value and the value in the file.
  struct Found {
    let setting: Setting
    let value: SettingValue
    let written: TOMLValue
    /// The name of the previous version, where the file uses that.
    let oldName: String?
  }

  private let schema: SettingsSchema
  private let sections: [String]

  init(_ schema: SettingsSchema) {
    self.schema = schema
    sections = schema.sections
  }

  /// The valid settings; the others are reported as problems of the reader.
  func found(_ reader: inout TableReader) -> [Found] {
    var found: [Found] = []
    var tops: [String] = []
    for section in sections.map(Self.top) where !tops.contains(section) {
      tops.append(section)
      found += reader.table(section) { read(section, &$0) } ?? []
    }
    refuseUnknownKeys(in: "", &reader)
    return found
  }

  /// Reads a section and its subsections: `[keys]` and `[keys.table]`.
  private func read(_ section: String, _ table: inout TableReader) -> [Found] {
    var found = schema.settings(in: section).compactMap { self.found($0, &table) }
    for inner in sections where inner != section && Self.top(inner) == section {
      let name = String(inner.dropFirst(section.count + 1))
      found += table.table(name) { read(inner, &$0) } ?? []
    }
    refuseUnknownKeys(in: section, &table)
    return found
  }

  /// Reports settings in the wrong section, naming the right one.
  private func refuseUnknownKeys(in section: String, _ table: inout TableReader) {
    let settings = schema.settings(in: section)
    let own =
      settings.map(\.name) + settings.flatMap(\.oldNames)
      + sections.map { String($0.split(separator: ".").last ?? "") }
    for setting in schema.settings where table.contains(setting.name) && !own.contains(setting.name) {
      table.refuse([setting.name], "unknown key here. Move it to [\(setting.section)]")
    }
  }

  private static func top(_ section: String) -> String { String(section.prefix { $0 != "." }) }

  private func found(_ setting: Setting, _ table: inout TableReader) -> Found? {
    let previous = setting.oldNames.first { table.contains($0) }
    if let previous, table.value(setting.name) != nil {
      table.refuse([previous], "renamed to \"\(setting.name)\", which is also set. Remove one of them")
      return nil
    }
    let name = previous ?? setting.name
    guard let written = table.value(name), let value = value(written, of: setting, as: name, &table) else {
      return nil
    }
    if let problem = setting.problem(of: value) {
      table.report(problem, for: name)
      return nil
    }
    return Found(setting: setting, value: value, written: written, oldName: previous)
  }

  private func value(
    _ written: TOMLValue, of setting: Setting, as name: String, _ table: inout TableReader
  ) -> SettingValue? {
    switch written.content {
    case .integer(let number): return .integer(number)
    case .bool(let flag): return .bool(flag)
    case .string(let text): return setting.kind == .keys ? .list([text]) : .text(text)
    case .array where setting.isList:
      let texts = table.strings(name).map(\.text)
      if case .array(let elements) = written.content, elements.count == texts.count { return .list(texts) }
      return nil
    case .float, .date, .array, .table:
      table.report("expected \(setting.expectation), found \(written.kindName)", for: name)
      return nil
    }
  }
}

extension SettingsFileDecoder.Found {
  /// What to tell a user whose file has the name of the previous version.
  var note: String? {
    oldName.map { previous in
      ConfigProblem(
        at: .position(written.position), table: "[\(setting.section)]", key: previous,
        "renamed to \"\(setting.name)\". Change it here: the next version rejects the old name"
      ).description
    }
  }
}

extension KeyCheck.Entry {
  /// Nil if the setting is not a key binding.
  init?(_ found: SettingsFileDecoder.Found) {
    guard found.setting.kind == .keys, case .list(let keys) = found.value else { return nil }
    self.init(
      mode: String(found.setting.section.drop { $0 != "." }.dropFirst()), action: found.setting.name,
      keys: keys, value: found.written)
  }
}

/// Finds all problems with the keys of a file. The key map reports one problem at a time, so the offending
/// entry is removed and the rest is checked again.
struct KeyCheck {
  /// An entry of the file: `ACTION = "key"` or `ACTION = ["key", …]`.
  struct Entry {
    let mode: String
    let action: String
    let keys: [String]
    let value: TOMLValue
  }

  private let schema: KeySchema
  private let entries: [Entry]
  private var bindings: BoundKeys = [:]

  init(_ entries: [Entry], _ schema: KeySchema) {
    self.schema = schema
    self.entries = entries
    for entry in entries { bindings[entry.mode, default: [:]][entry.action] = entry.keys }
  }

  mutating func problems() -> [ConfigProblem] {
    var problems: [ConfigProblem] = []
    while problems.count < ConfigError.mostProblems, let problem = schema.problem(bindings) {
      guard let entry = offendingEntry(of: problem) else {
        let file = entries.first?.value.position.file ?? ""
        return problems + [ConfigProblem(at: .named(file), table: "[keys]", problem.message)]
      }
      problems.append(configProblem(problem, about: entry))
      take(problem.key, from: entry)
    }
    return problems
  }

  /// The last entry involved in the problem; one with exactly the reported key is preferred.
  private func offendingEntry(of problem: KeyProblem) -> Entry? {
    let involved = entries.filter { entry in
      problem.actions.contains(entry.action) && problem.mode ?? entry.mode == entry.mode
        && bindings[entry.mode]?[entry.action]?.isEmpty == false
    }
    return involved.last { entry in
      problem.key.map { bindings[entry.mode]?[entry.action]?.contains($0) == true } ?? true
    } ?? involved.last
  }

  private func configProblem(_ problem: KeyProblem, about entry: Entry) -> ConfigProblem {
    let others = problem.actions.filter { $0 != entry.action }.compactMap { action in
      entries.last { $0.action == action && $0.mode == entry.mode }.map {
        " (\(action) is bound at \(position(of: problem.key, in: $0)))"
      }
    }
    return ConfigProblem(
      at: .position(position(of: problem.key, in: entry)), table: "[keys.\(entry.mode)]", key: entry.action,
      problem.message + others.joined())
  }

  private func position(of key: String?, in entry: Entry) -> FilePosition {
    guard let key, case .array(let elements) = entry.value.content else { return entry.value.position }
    return elements.first { $0.string == key }?.position ?? entry.value.position
  }

  private mutating func take(_ key: String?, from entry: Entry) {
    let keys = bindings[entry.mode]?[entry.action] ?? []
    let rest = keys.filter { $0 != key }
    bindings[entry.mode]?[entry.action] = rest.count < keys.count ? rest : []
  }
}
