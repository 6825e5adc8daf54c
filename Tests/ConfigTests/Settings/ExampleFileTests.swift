import Config
import Search
import Testing

/// `config.example.toml` at the root of the package says what the program does.
@Suite struct ExampleFileTests {
  private static let schema = SettingsSchema(formats: ["table", "csv", "tsv", "json", "jsonl"])

  private static func lines() throws -> [String] {
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let bytes = try FileAccess.system().read("/\(root)/config.example.toml").bytes
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  private static func settings(of lines: [String]) throws -> [String: TOMLValue.Content] {
    let document = try TOMLDocument(lines.joined(separator: "\n"), file: "config.example.toml")
    _ = try SettingsLayers(schema: schema, file: document)
    var found: [String: TOMLValue.Content] = [:]
    for section in document.root.entries {
      for entry in section.value.table?.entries ?? [] {
        found["\(section.key).\(entry.key)"] = entry.value.content
      }
    }
    return found
  }

  @Test func `It holds every setting that has a default, with that default.`() throws {
    var defaults: [String: TOMLValue.Content] = [:]
    for setting in Self.schema.settings {
      switch setting.standard {
      case .integer(let number)?: defaults[setting.key] = .integer(number)
      case .bool(let flag)?: defaults[setting.key] = .bool(flag)
      case .text(let text)?: defaults[setting.key] = .string(text)
      case nil: break
      }
    }
    #expect(try Self.settings(of: Self.lines()) == defaults)
  }

  @Test func `With its commented settings it holds every setting, each under what it means.`() throws {
    let names = Self.schema.settings.map(\.name)
    let lines = try Self.lines().prefix { $0 != "# schema = 1" }.map { line in
      names.contains { line.hasPrefix("# \($0) = ") } ? String(line.dropFirst(2)) : line
    }
    #expect(try Set(Self.settings(of: lines).keys) == Set(Self.schema.settings.map(\.key)))
    for setting in Self.schema.settings {
      let index = try #require(lines.firstIndex { $0.hasPrefix("\(setting.name) = ") })
      #expect(lines[index - 1].hasPrefix("# \(setting.summary.dropLast())"))
    }
  }

  @Test func `Its example of a source is one.`() throws {
    let lines = try Self.lines()
    let start = try #require(lines.firstIndex(of: "# schema = 1"))
    let text = lines[start...].map { $0.dropFirst(2) }.joined(separator: "\n")
    let source = try SourceDecoding.source(TOMLDocument(text, file: "books.toml"))
    #expect(source.id == "books")
    #expect(source.columns.map(\.title) == ["Title", "Author", "Published at"])
  }
}
