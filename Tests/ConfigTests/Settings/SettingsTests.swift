import Config
import Testing

@Suite struct SettingsTests {
  private static let schema = SettingsSchema(formats: ["table", "csv", "jsonl"])

  /// What is wrong in the layers, or the notes about them.
  private func complaints(
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

  /// A value other than the default, in the ways each layer writes it.
  private static let samples: [(key: String, value: SettingValue, text: String)] = [
    ("search.page_size", .integer(7), "7"), ("search.debounce", .text("1s"), "1s"),
    ("search.live", .bool(false), "false"), ("search.concurrency", .integer(2), "2"),
    ("search.max_wait", .text("unlimited"), "unlimited"), ("search.timeout", .text("5s"), "5s"),
    ("search.retries", .integer(0), "0"), ("output.format", .text("csv"), "csv"),
    ("output.color", .text("never"), "never"), ("pager.prefetch", .integer(3), "3"),
    ("pager.max_rows", .integer(500), "500"), ("pager.ambiguous_width", .integer(2), "2"),
    ("pager.esc_delay", .text("0s"), "0s"), ("tls.ca_file", .text("/a/b.pem"), "/a/b.pem"),
  ]

  @Test func `Without any layer the defaults count.`() throws {
    let layers = try SettingsLayers(schema: Self.schema)
    #expect(layers.settings == Settings())
    #expect(layers.settings.search.maxWait == .seconds(120))
  }

  @Test func `Every setting can be set in every layer.`() throws {
    #expect(Self.samples.map(\.key) == Self.schema.settings.map(\.key))
    for (key, value, text) in Self.samples {
      let setting = try #require(Self.schema.setting(key))
      let quoted = if case .text = value { "\"\(text)\"" } else { text }
      let fromFile = try layers(file: "[\(setting.section)]\n\(setting.name) = \(quoted)").settings
      #expect(fromFile != Settings(), "\(key)")
      #expect(try layers(environment: [setting.variable: text]).settings == fromFile, "\(key)")
      #expect(try layers(commandLine: [key: value]).settings == fromFile, "\(key)")
    }
  }

  @Test func `The command line wins over the environment, and that over the file.`() throws {
    let file = "[search]\nretries = 1\nconcurrency = 1\nlive = false\nmax_wait = \"1s\""
    let environment = [
      "RIFFLE_SEARCH_RETRIES": "2", "RIFFLE_SEARCH_CONCURRENCY": "2", "RIFFLE_SEARCH_MAX_WAIT": "unlimited",
      "RIFFLE_SEARCH_LIVE": "",
    ]
    let settings = try layers(
      file: file, environment: environment, commandLine: ["search.retries": .integer(3)]
    ).settings
    #expect(settings.search.retries == 3)
    #expect(settings.search.concurrency == 2)
    #expect(settings.search.maxWait == nil)
    #expect(settings.search.isLive == false)
  }

  @Test func `Everything that is wrong in any layer is told at once.`() {
    #expect(
      complaints(
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
          config.toml:2:1: [search] pagesize: unknown key; did you mean "page_size"?
          config.toml:3:13: [search] page_size: expected an integer from 1 to 10000, found 0
          config.toml:4:12: [search] debounce: expected a duration from 0s to 10s, found an integer
          config.toml:6:10: [output] format: expected one of "table", "csv", "jsonl", found "cvs"; did you mean "csv"?
          config.toml:7:9: [output] color: expected one of "auto", "always", "never", found true or false
          config.toml:8:2: pagr: unknown key; did you mean "pager"?
          config.toml:10:12: [pager] max_rows: expected an integer from 100 to 10000000, found an array
          """)
  }

  @Test func `Variables that look like settings and are none are only noted.`() {
    #expect(
      complaints(environment: [
        "RIFFLE_SEARCH_PAGESIZE": "1", "RIFFLE_X": "1", "RIFFLE_CONFIG": "/c", "RIFFLE_RECORDINGS": "/r",
        "OTHER": "1",
      ]) == """
        RIFFLE_SEARCH_PAGESIZE is not a setting; did you mean RIFFLE_SEARCH_PAGE_SIZE?
        RIFFLE_X is not a setting
        """)
  }
}
