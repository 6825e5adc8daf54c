import Config
import ConfigTesting
import Testing

@Suite struct SettingsTests {
  private static let schema = TestSchema.schema

  /// The problems in the layers, or their notes.
  private func problems(
    file: String = "", environment: [String: String] = [:], commandLine: [String: SettingValue] = [:]
  ) -> String {
    do {
      return try layers(file: file, environment: environment, commandLine: commandLine).notes
        .joined(separator: "\n")
    } catch { return "\(error)" }
  }

  private func layers(
    file: String = "", environment: [String: String] = [:], commandLine: [String: SettingValue] = [:]
  ) throws -> SettingsLayers {
    try SettingsLayers(
      schema: Self.schema, commandLine: commandLine, environment: environment,
      file: TOMLDocument(file, file: "config.toml"))
  }

  @Test func `Without any layer, the defaults apply.`() throws {
    let layers = try SettingsLayers(schema: Self.schema)
    #expect(layers.settings == Settings())
    #expect(layers.settings.search.maxWait == .seconds(120))
    #expect(layers.report.allSatisfy { $0.origin == .standard })
  }

  @Test func `[D15] A single key may be written without brackets.`() throws {
    let layers = try layers(file: "[keys.table]\nquit = \"x\"\ndown = [\"z\", \"j\"]")
    #expect(layers.settings.keys == ["table": ["quit": ["x"], "down": ["z", "j"]]])
  }

  /// The effective value for these layers, and where it comes from.
  private func outcome(
    _ setting: Setting, file: SettingValue?, environment: SettingValue?, commandLine: SettingValue?
  ) throws -> String {
    let layers = try layers(
      file: file.map { "[\(setting.section)]\n\(setting.name) = \($0.toml)" } ?? "",
      environment: setting.variable.flatMap { name in environment?.plainText.map { [name: $0] } } ?? [:],
      commandLine: commandLine.map { [setting.key: $0] } ?? [:])
    let report = layers.report.filter { $0.key == setting.key && $0.origin != .standard }
    #expect(setting.value(in: layers.settings)?.toml == report.first?.value ?? setting.standard?.toml)
    return report.map { "\($0.value ?? "unset") from \($0.origin)" }.joined(separator: ", ")
  }

  @Test(arguments: TestSchema.schema.settings.map(\.key))
  func `A setting can be set in every layer, and each layer wins over those below it.`(key: String) throws {
    let setting = try #require(Self.schema.settings.first { $0.key == key })
    let (one, other) = setting.samples
    let option = "--\(setting.name.replacing("_", with: "-"))"
    #expect(one != setting.standard)
    #expect(try outcome(setting, file: nil, environment: nil, commandLine: nil) == "")
    #expect(
      try outcome(setting, file: one, environment: nil, commandLine: nil) == "\(one.toml) from config.toml:2")
    #expect(
      try outcome(setting, file: one, environment: nil, commandLine: other) == "\(other.toml) from \(option)")
    guard let variable = setting.variable else { return }
    #expect(
      try outcome(setting, file: nil, environment: one, commandLine: nil) == "\(one.toml) from \(variable)")
    #expect(
      try outcome(setting, file: one, environment: other, commandLine: nil)
        == "\(other.toml) from \(variable)")
    #expect(
      try outcome(setting, file: other, environment: one, commandLine: other)
        == "\(other.toml) from \(option)")
  }

  @Test func `Every setting has its own place.`() throws {
    var places: [Settings: String] = [:]
    for setting in Self.schema.settings {
      let settings = try layers(commandLine: [setting.key: setting.samples.one]).settings
      #expect(settings != Settings(), "\(setting.key)")
      #expect(places.updateValue(setting.key, forKey: settings) == nil, "\(setting.key)")
    }
  }

  @Test func `An empty variable sets nothing.`() throws {
    let layers = try layers(
      file: "[search]\nlive = false", environment: ["RIFFLE_SEARCH_LIVE": "", "RIFFLE_KEYS_TABLE_QUIT": ""])
    #expect(layers.settings.search.isLive == false)
  }

  @Test func `All mistakes in all layers are reported at once.`() {
    #expect(
      problems(
        file: """
          [search]
          pagesize = 30
          page_size = 0
          debounce = 300
          [output]
          format = "cvs"
          color = true
          [pagr]
          [pager]
          max_rows = [1]
          """,
        environment: ["RIFFLE_SEARCH_TIMEOUT": "fast", "RIFFLE_SEARCH_LIVE": "yes"],
        commandLine: ["search.page_size": .integer(0)]) == """
          --page-size: expected an integer from 1 to 10000, found 0
          RIFFLE_SEARCH_LIVE: expected true or false, found "yes"
          RIFFLE_SEARCH_TIMEOUT: expected a duration from 1s to 1h, found "fast"
          config.toml:2:1: [search] pagesize: unknown setting. Did you mean "page_size"?
          config.toml:3:13: [search] page_size: expected an integer from 1 to 10000, found 0
          config.toml:4:12: [search] debounce: expected a duration from 0s to 10s, found an integer
          config.toml:6:10: [output] format: expected one of "table", "csv", "tsv", "json", "jsonl", found "cvs". Did you mean "csv"?
          config.toml:7:9: [output] color: expected one of "auto", "always", "never", found a boolean
          config.toml:8:2: pagr: unknown table. Did you mean "pager"?
          config.toml:10:12: [pager] max_rows: expected an integer from 100 to 10000000, found an array
          """)
  }

  @Test func `A file that cannot be read hides no mistake elsewhere.`() {
    func reading(_ text: String) -> String {
      do {
        let layers = try SettingsLayers(
          schema: Self.schema, environment: ["HOME": "/home/ann", "RIFFLE_SEARCH_LIVE": "yes"],
          path: "my.toml",
          files: MemoryFiles(["my.toml": text]).access, user: 1000)
        return "\(layers.settings)"
      } catch { return "\(error)" }
    }
    #expect(
      reading("[search") == """
        RIFFLE_SEARCH_LIVE: expected true or false, found "yes"
        my.toml:1:8: expected ], found the end of the file
        """)
    #expect(
      reading("search = 1") == """
        RIFFLE_SEARCH_LIVE: expected true or false, found "yes"
        my.toml:1:10: search: expected a table, found an integer
        """)
  }

  @Test func `Variables that look like settings but are not cause only a note.`() {
    #expect(
      problems(environment: [
        "RIFFLE_SEARCH_PAGESIZE": "1", "RIFFLE_X": "1", "RIFFLE_CONFIG": "/c", "RIFFLE_RECORDINGS": "/r",
        "RIFFLE_TOML_CORPUS": "/t",
        "RIFFLE_KEYS_TABLE_COPY_ROW": "x", "RIFFLE_OPENER_COMMAND": "open", "OTHER": "1",
      ]) == """
        environment variable RIFFLE_KEYS_TABLE_COPY_ROW is ignored: set the list in the settings file, [keys.table] copy-row
        environment variable RIFFLE_OPENER_COMMAND is ignored: set the list in the settings file, [opener] command
        environment variable RIFFLE_SEARCH_PAGESIZE is not a setting. Did you mean RIFFLE_SEARCH_PAGE_SIZE?
        environment variable RIFFLE_X is not a setting
        """)
  }
}
