import Foundation
import Terminal
import Testing
import Text

@testable import Pager

@Suite struct ThemeTests {
  @Test func `Every theme has a style for every role.`() {
    for palette in ThemePalette.all {
      #expect(Set(palette.styles.keys) == Set(Role.allCases), "\(palette.name)")
    }
    #expect(ThemePalette.named("dark") == .dark)
    #expect(ThemePalette.named("nosuch") == nil)
  }

  @Test(arguments: [
    (ColorDepth.monochrome, nil), (.sixteen, Color.indexed(9)), (.indexed, .indexed(210)),
    (.direct, .rgb(255, 135, 135)),
  ]) func `A style uses the colors of the terminal.`(depth: ColorDepth, color: Color?) {
    #expect(ThemePalette.dark.theme(for: depth)[.error].foreground == color)
  }

  @Test func `Without colors, matches and titles still differ from other text.`() {
    for palette in ThemePalette.all {
      let theme = palette.theme(for: .monochrome)
      #expect(theme[.match] != .plain)
      #expect(theme[.header] != .plain)
    }
  }

  @Test func `A theme may depend on the background, once the terminal has reported it.`() throws {
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

  @Test func `A theme that the user chose is kept on any background.`() throws {
    var pager = try PagerDriver(query: "x")
    pager.state.reduce(.background(.dark))
    #expect(pager.state.theme == .standard)
  }

  // MARK: Contrast

  /// Relative luminance, as WCAG 2 defines it.
  private func luminance(_ color: Color) -> Double {
    let (red, green, blue) = components(color)
    func linear(_ part: Int) -> Double {
      let share = Double(part) / 255
      return share <= 0.03928 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// The color cube and the grays of the 256 colors have fixed values.
  private func components(_ color: Color) -> (Int, Int, Int) {
    switch color {
    case .rgb(let red, let green, let blue): return (Int(red), Int(green), Int(blue))
    case .indexed(let index) where index >= 232:
      let gray = 8 + 10 * (Int(index) - 232)
      return (gray, gray, gray)
    case .indexed(let index):
      let steps = [0, 95, 135, 175, 215, 255]
      let place = max(0, Int(index) - 16)
      return (steps[place / 36], steps[place / 6 % 6], steps[place % 6])
    }
  }

  private func contrast(_ a: Color, _ b: Color) -> Double {
    let (a, b) = (luminance(a), luminance(b))
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  struct ThemeBackground: Sendable {
    let theme: String
    let background: Background
    let colors: [Color]
    /// A typical color of plain text.
    let text: Color
    /// The minimum contrast of text, and of text in the selected row.
    var contrast = (text: 4.5, selected: 3.0)
  }

  /// Common backgrounds, and those of the palettes.
  private static let grounds = [
    ThemeBackground(
      theme: "dark", background: .dark, colors: [.rgb(0, 0, 0), .rgb(30, 30, 30)], text: .rgb(204, 204, 204)),
    ThemeBackground(
      theme: "light", background: .light, colors: [.rgb(255, 255, 255), .rgb(250, 250, 250)],
      text: .rgb(40, 40, 40)),
    ThemeBackground(
      theme: "high-contrast", background: .dark, colors: [.rgb(0, 0, 0)], text: .rgb(255, 255, 255),
      contrast: (7, 5)),
    ThemeBackground(
      theme: "high-contrast", background: .light, colors: [.rgb(255, 255, 255)], text: .rgb(0, 0, 0),
      contrast: (7, 5)),
    ThemeBackground(
      theme: "gruvbox", background: .dark, colors: [.rgb(40, 40, 40), .rgb(29, 32, 33)],
      text: .rgb(235, 219, 178)),
    ThemeBackground(
      theme: "catppuccin", background: .dark, colors: [.rgb(30, 30, 46)], text: .rgb(205, 214, 244)),
  ]

  @Test func `Every theme but plain, whose colors are the terminal's, is tested for contrast.`() {
    #expect(
      Set(Self.grounds.map(\.theme)) == Set(ThemePalette.all.map(\.name)).subtracting(["plain"]))
  }

  @Test(arguments: grounds, [ColorDepth.indexed, .direct])
  func `[D12] On the background of its theme, all text is legible and the selected row is visible.`(
    theme: ThemeBackground, depth: ColorDepth
  ) throws {
    let palette = try #require(ThemePalette.named(theme.theme))
    let styles = palette.themes(for: depth)[theme.background] ?? palette.theme(for: depth)
    let bar = try #require(styles[.selected].background)
    for ground in theme.colors {
      #expect(contrast(bar, ground) >= 1.4, "the bar on \(ground)")
      for role in Role.allCases where role != .match {
        let color = styles[role].foreground ?? theme.text
        #expect(contrast(color, ground) >= theme.contrast.text, "\(role) on \(ground)")
        #expect(contrast(color, bar) >= theme.contrast.selected, "\(role) in the selected row")
      }
      #expect(contrast(try #require(styles[.match].foreground), ground) >= theme.contrast.text)
      #expect(contrast(theme.text, bar) >= 4.5)
    }
  }
}
