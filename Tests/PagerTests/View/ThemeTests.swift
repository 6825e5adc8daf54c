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

  @Test func `A look may depend on the ground, once the terminal has told it.`() throws {
    let (plain, dark, light) = (
      Theme.standard, ThemePalette.dark.theme(for: .direct), ThemePalette.light.theme(for: .direct)
    )
    var pager = try PagerDriver(query: "x", pager: { $0.themes = [.dark: dark, .light: light] })
    try pager.answer(numbers: 1..<3)
    #expect(pager.state.theme == plain)
    let first = PagerView.frame(pager.state)
    pager.state.reduce(.background(.dark))
    #expect(pager.state.theme == dark)
    #expect(PagerView.frame(pager.state) != first)
    pager.state.reduce(.background(.light))
    #expect(pager.state.theme == light)
    try pager.press("?")
    let help = PagerView.frame(pager.state)
    pager.state.reduce(.background(.dark))
    #expect(PagerView.frame(pager.state) != help)
    #expect(PagerView.frame(pager.state).text == help.text)
  }

  @Test func `A look the user chose stays on any ground.`() throws {
    var pager = try PagerDriver(query: "x")
    pager.state.reduce(.background(.dark))
    #expect(pager.state.theme == .standard)
  }
}
