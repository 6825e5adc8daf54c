import Config
import Testing
import Text

@Suite struct RoleLookTests {
  /// The parsed style of the words: the color of 16, the color of 256, the RGB color, and the attributes.
  private func picture(_ words: String) throws -> String {
    let file = try TOMLDocument("[theme]\nmatch = \"\(words)\"", file: "config.toml")
    let styles = try SettingsLayers(schema: TestSchema.schema, file: file).settings.theme.styles
    let look = try #require(styles[.match])
    let ground = look.background == RoleStyle.Shade() ? "" : " on \(picture(look.background))"
    return "\(picture(look.foreground))\(ground) \(look.attributes.rawValue): \(look.words)"
  }

  private func picture(_ shade: RoleStyle.Shade) -> String {
    let direct =
      if case .rgb(let red, let green, let blue)? = shade.direct { "\(red),\(green),\(blue)" } else { "-" }
    return "\(shade.sixteen.map { "\($0)" } ?? "-") \(shade.indexed.map { "\($0)" } ?? "-") \(direct)"
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
  func `A style is parsed from its words in any order.`(words: String, look: String) throws {
    #expect(try picture(words) == look)
  }

  @Test(arguments: [
    ("on blue", "- - - on 4 - - 0: on blue"),
    ("white on 238 #3a4460 bold", "7 - - on - 238 58,68,96 1: white bold on 238 #3a4460"),
    ("bold 230 on bright-black", "- 230 - on 8 - - 1: 230 bold on bright-black"),
  ])
  func `[D12] Colors after "on" are those of the background.`(words: String, look: String) throws {
    #expect(try picture(words) == look)
  }

  @Test func `A role that is not set keeps the style of its theme.`() throws {
    let file = try TOMLDocument("[theme]\nname = \"dark\"\nerror = \"plain\"", file: "config.toml")
    let theme = try SettingsLayers(schema: TestSchema.schema, file: file).settings.theme
    #expect(theme.name == "dark")
    #expect(theme.styles.keys.map(\.rawValue) == ["error"])
  }
}
