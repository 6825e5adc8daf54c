import Config
import Testing
import Text

@Suite struct RoleLookTests {
  /// What the theme gets of the words: 16, 256 and all colours, and attributes.
  private func picture(_ words: String) throws -> String {
    let file = try TOMLDocument("[theme]\nmatch = \"\(words)\"", file: "config.toml")
    let looks = try SettingsLayers(schema: TestSchema.schema, file: file).settings.theme.looks
    let look = try #require(looks[.match])
    let direct =
      if case .rgb(let red, let green, let blue)? = look.direct { "\(red),\(green),\(blue)" } else { "-" }
    let colors = [look.sixteen.map { "\($0)" } ?? "-", look.indexed.map { "\($0)" } ?? "-", direct]
    return "\(colors.joined(separator: " ")) \(look.attributes.rawValue): \(look.words)"
  }

  @Test(arguments: [
    ("plain", "- - - 0: plain"),
    ("black", "0 - - 0: black"),
    ("bright-white", "15 - - 0: bright-white"),
    ("16", "- 16 - 0: 16"),
    ("255", "- 255 - 0: 255"),
    ("#0080fF", "- - 0,128,255 0: #0080ff"),
    ("reverse  bold #5fd7d7 80 cyan ", "6 80 95,215,215 17: cyan 80 #5fd7d7 bold reverse"),
    ("bold dim italic underline reverse", "- - - 31: bold dim italic underline reverse"),
  ])
  func `A look is read from its words, in any order.`(words: String, look: String) throws {
    #expect(try picture(words) == look)
  }

  @Test func `A role that is not set keeps the look of its theme.`() throws {
    let file = try TOMLDocument("[theme]\nname = \"dark\"\nerror = \"plain\"", file: "config.toml")
    let theme = try SettingsLayers(schema: TestSchema.schema, file: file).settings.theme
    #expect(theme.name == "dark")
    #expect(theme.looks.keys.map(\.rawValue) == ["error"])
  }
}
