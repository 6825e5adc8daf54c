import Terminal
import Testing
import Text

@testable import Pager

@Suite struct ThemeTests {
  @Test func `Every theme has a look for every role.`() {
    for palette in ThemePalette.all {
      #expect(Set(palette.looks.keys) == Set(Role.allCases), "\(palette.name)")
    }
    #expect(ThemePalette.named("dark") == .dark)
    #expect(ThemePalette.named("nosuch") == nil)
  }

  @Test(arguments: [
    (ColorDepth.monochrome, nil), (.sixteen, Color.indexed(9)), (.indexed, .indexed(203)),
    (.direct, .rgb(255, 95, 95)),
  ]) func `A look has the colours of the terminal.`(depth: ColorDepth, color: Color?) {
    #expect(ThemePalette.dark.theme(for: depth)[.error].foreground == color)
  }

  @Test func `Without colours the matches and titles still differ from the rest.`() {
    for palette in ThemePalette.all {
      let theme = palette.theme(for: .monochrome)
      #expect(theme[.match] != .plain)
      #expect(theme[.header] != .plain)
    }
  }
}
