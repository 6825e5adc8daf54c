import Testing
import Text

@testable import Terminal

@Suite struct ColorDepthTests {
  @Test(
    arguments: [
      (Style.plain, "", "", "", ""), (Style(attributes: [.bold, .reverse]), "1;7", "1;7", "1;7", "1;7"),
      (Style(foreground: .indexed(1)), "", "31", "31", "31"),
      (Style(background: .indexed(9)), "", "101", "101", "101"),
      (Style(foreground: .indexed(208)), "", "33", "38;5;208", "38;5;208"),
      (
        Style(foreground: .rgb(255, 135, 0), attributes: .bold), "1", "1;33", "1;38;5;208", "1;38;2;255;135;0"
      ),
      (Style(background: .rgb(8, 8, 8)), "", "40", "48;5;232", "48;2;8;8;8"),
      (Style(foreground: .rgb(255, 255, 255)), "", "97", "38;5;231", "38;2;255;255;255"),
    ])
  func `A style is reduced to what the terminal can draw.`(
    style: Style, none: String, sixteen: String, indexed: String, direct: String
  ) {
    #expect(ColorDepth.monochrome.parameters(of: style) == none)
    #expect(ColorDepth.sixteen.parameters(of: style) == sixteen)
    #expect(ColorDepth.indexed.parameters(of: style) == indexed)
    #expect(ColorDepth.direct.parameters(of: style) == direct)
  }
}
