import Config
import Search
import Testing

/// The example file matches the program.
@Suite struct ExampleFileTests {
  private static let schema = TestSchema.schema

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private static func layers(_ lines: [String]) throws -> SettingsLayers {
    try SettingsLayers(
      schema: schema, file: TOMLDocument(lines.joined(separator: "\n"), file: "config.example.toml"))
  }

  @Test func `[U20] The example sets nothing, so that defaults of later versions take effect.`() throws {
    let layers = try Self.layers(Self.lines(ExampleFile(Self.schema).text))
    #expect(layers.settings == Settings())
    #expect(layers.overlays.isEmpty)
    for setting in Self.schema.settings { #expect(layers.origin(of: setting) == .standard, "\(setting.key)") }
  }

  @Test func `With its comments removed, the example sets everything except actions without a key.`() throws {
    let names = Self.schema.settings.map(\.name)
    let lines = Self.lines(ExampleFile(Self.schema).text).prefix { $0 != "# schema = 1" }.map { line in
      let isSetting = names.contains { line.hasPrefix("# \($0) = ") }
      return isSetting || line.hasPrefix("# [sources.github]") ? String(line.dropFirst(2)) : line
    }
    let layers = try Self.layers(lines.filter { !$0.hasPrefix("enabled = false") })
    for setting in Self.schema.settings where setting.kind != .keys || setting.standard != nil {
      #expect(layers.origin(of: setting) != .standard, "\(setting.key)")
    }
  }

  /// The file at the root of the package, without the keys, which come from the pager.
  @Test func `The example file in the repository is current.`() throws {
    func withoutKeys(_ text: String) -> [String] {
      var section = ""
      return Self.lines(text).filter { line in
        if line.hasPrefix("[") { section = line }
        return !section.hasPrefix("[keys.") && !line.hasPrefix("# The modes are ")
          && !line.hasPrefix("# Actions without a key: ")
          && !line.hasPrefix("# Output format of ") && !line.hasPrefix("# Color theme. ")
      }
    }
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let bytes = try FileAccess.system().read("/\(root)/config.example.toml").bytes
    #expect(withoutKeys(String(decoding: bytes, as: UTF8.self)) == withoutKeys(ExampleFile(Self.schema).text))
  }

  @Test func `The example of a source is valid.`() throws {
    let lines = Self.lines(ExampleFile(Self.schema).text)
    let start = try #require(lines.firstIndex(of: "# schema = 1"))
    let text = lines[start...].map { $0.dropFirst(2) }.joined(separator: "\n")
    let source = try SourceDecoder.source(TOMLDocument(text, file: "books.toml"))
    #expect(source.id == "books")
    #expect(source.columns.map(\.title) == ["Title", "Author", "Published at"])
  }
}
