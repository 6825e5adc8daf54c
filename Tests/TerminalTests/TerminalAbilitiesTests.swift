import Testing

@testable import Terminal

@Suite struct TerminalAbilitiesTests {
  @Test(
    arguments: [
      (["TERM": "xterm-kitty"], [.links, .copies]), (["TERM": "foot-extra"], [.links, .copies]),
      (["TERM": "xterm-256color"], []),
      (["TERM": "xterm-256color", "VTE_VERSION": "7600"], [.links]),
      (["TERM": "xterm-256color", "VTE_VERSION": "5000"], []),
      (["TERM": "xterm-256color", "WT_SESSION": "0d2c-11"], [.links, .copies, .progress]),
      (
        ["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.4.16"], [.links]
      ),
      (["TERM": "xterm-256color", "TERM_PROGRAM": "vscode", "TERM_PROGRAM_VERSION": "1.8.0"], []),
      (["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"], []),
      (["TERM": "screen-256color", "VTE_VERSION": "7600"], []),
      (
        ["TERM": "tmux-256color", "TMUX": "x", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.5a"],
        [.links]
      ),
      (
        ["TERM": "screen", "TMUX": "x", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.3a"], []
      ),
      (["TERM": "linux", "VTE_VERSION": "7600"], []),
      (["TERM": "vt100", "WT_SESSION": "x"], []),
    ] as [([String: String], TerminalAbilities)])
  func `The environment shows which terminals support links, copies and progress.`(
    environment: [String: String], expected: TerminalAbilities
  ) throws {
    let abilities = try #require(TerminalOptions(environment: environment)).abilities
    #expect(abilities == expected)
  }

  @Test(
    arguments: [
      ("kitty(0.40.1)", [.links, .copies]), ("XTerm(390)", []), ("VTE(7600)", [.links]),
      ("tmux 3.5a", [.links]), ("VTE(8003)", [.links, .progress]),
      ("ghostty 1.2.3", [.links, .copies, .progress]),
      ("iTerm2 3.6.6", [.links, .progress]), ("tmux 3.3", []), ("iTerm2 3.4.16", [.links]),
      ("ghostty 1.0.0", [.links, .copies]), ("WezTerm 20240203-110809-5046fc22", [.links, .copies]), ("", []),
      ("Konsole 20.08.3", []), ("((", []),
    ] as [(String, TerminalAbilities)])
  func `The terminal's own name and version show its abilities too.`(
    version: String, expected: TerminalAbilities
  ) {
    #expect(TerminalAbilities(version: version) == expected)
  }

  @Test func `Links are shown when the user says so, but never on a plain terminal.`() throws {
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
