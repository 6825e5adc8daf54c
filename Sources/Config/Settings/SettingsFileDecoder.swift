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
    guard found.setting.kind == .keys, let keys = found.value.list else { return nil }
    self.init(
      mode: String(found.setting.section.drop { $0 != "." }.dropFirst()), action: found.setting.name,
      keys: keys, value: found.written)
  }
}
