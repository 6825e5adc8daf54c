import Testing

@testable import Terminal

@Suite struct TerminalAbilitiesTests {
  @Test(
    arguments: [
      (["TERM": "xterm-kitty"], true, true), (["TERM": "foot-extra"], true, true),
      (["TERM": "xterm-256color"], false, false),
      (["TERM": "xterm-256color", "VTE_VERSION": "7600"], true, false),
      (["TERM": "xterm-256color", "VTE_VERSION": "5000"], false, false),
      (["TERM": "xterm-256color", "WT_SESSION": "0d2c-11"], true, true),
      (
        ["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.4.16"], true, false
      ),
      (["TERM": "xterm-256color", "TERM_PROGRAM": "vscode", "TERM_PROGRAM_VERSION": "1.8.0"], false, false),
      (["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"], false, false),
      (["TERM": "screen-256color", "VTE_VERSION": "7600"], false, false),
      (
        ["TERM": "tmux-256color", "TMUX": "x", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.5a"], true,
        false
      ),
      (
        ["TERM": "screen", "TMUX": "x", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.3a"], false, false
      ),
      (["TERM": "linux", "VTE_VERSION": "7600"], false, false),
      (["TERM": "vt100", "WT_SESSION": "x"], false, false),
    ])
  func `The environment tells which terminals show links and take copies.`(
    environment: [String: String], links: Bool, copies: Bool
  ) throws {
    let abilities = try #require(TerminalOptions(environment: environment)).abilities
    #expect(abilities == TerminalAbilities(showsLinks: links, takesCopies: copies))
  }

  @Test(
    arguments: [
      ("kitty(0.40.1)", true, true), ("XTerm(390)", false, false), ("VTE(7600)", true, false),
      ("tmux 3.5a", true, false), ("tmux 3.3", false, false), ("iTerm2 3.4.16", true, false),
      ("ghostty 1.0.0", true, true), ("WezTerm 20240203-110809-5046fc22", true, true), ("", false, false),
      ("Konsole 20.08.3", false, false), ("((", false, false),
    ])
  func `The terminal's own name and version tell the same.`(version: String, links: Bool, copies: Bool) {
    #expect(TerminalAbilities(version: version) == TerminalAbilities(showsLinks: links, takesCopies: copies))
  }

  @Test func `Links show where the user says so, and never on a plain terminal.`() throws {
    var options = try #require(TerminalOptions(environment: ["TERM": "xterm"]))
    #expect(!TerminalModes(options).showsLinks)
    var modes = TerminalModes(options)
    _ = modes.adopt(.version("kitty(0.40.1)"))
    #expect(modes.showsLinks)
    options.showsLinks = true
    #expect(TerminalModes(options).showsLinks)
    options.showsLinks = false
    #expect(!TerminalModes(options).showsLinks)
    var plain = try #require(TerminalOptions(environment: ["TERM": "linux"]))
    plain.showsLinks = true
    #expect(!TerminalModes(plain).showsLinks)
  }
}
