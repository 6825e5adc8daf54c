import Testing

@testable import Terminal

@Suite struct TerminalOptionsTests {
  @Test(
    arguments: [
      (["TERM": "xterm"], ColorDepth.sixteen), (["TERM": "xterm-256color"], .indexed),
      (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .direct),
      (["TERM": "xterm", "COLORTERM": "24bit"], .direct),
      (["TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"], .monochrome),
      (["TERM": "xterm-256color", "NO_COLOR": ""], .indexed), (["TERM": "xterm-kitty"], .direct),
      (["TERM": "vt220"], .monochrome), (["TERM": "xterm-256color", "WT_SESSION": "x"], .direct),
      (["TERM": "screen-256color", "WT_SESSION": "x"], .indexed),
      (["TERM": "screen-256color-bce"], .indexed), (["TERM": "xterm+256color2"], .indexed),
      (["TERM": "screen.xterm-256color"], .indexed),
      (["TERM": "tmux-256color", "TMUX": "x", "COLORTERM": "truecolor"], .indexed),
      (["TERM": "tmux-256color", "TMUX": "x", "COLORTERM": "truecolor", "TERM_PROGRAM": "tmux"], .direct),
      (["TERM": "screen", "COLORTERM": "truecolor"], .sixteen), (["TERM": "linux"], .sixteen),
    ])
  func `Colors follow from the environment.`(environment: [String: String], colors: ColorDepth) {
    #expect(TerminalOptions(environment: environment)?.colors == colors)
  }

  @Test(
    arguments: [
      (["TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"], ColorDepth.direct),
      (["TERM": "xterm-256color", "NO_COLOR": "1"], .indexed),
      (["TERM": "xterm", "NO_COLOR": "1"], .sixteen),
      (["TERM": "xterm-kitty", "NO_COLOR": "1"], .direct), (["TERM": "vt220"], .sixteen),
    ])
  func `[D61] The colors of the terminal are known even if none are wanted.`(
    environment: [String: String], colors: ColorDepth
  ) {
    let options = TerminalOptions(environment: environment)
    #expect(options?.colors == .monochrome)
    #expect(options?.availableColors == colors)
  }

  @Test(arguments: [[:], ["TERM": ""], ["TERM": "dumb"]])
  func `Without a terminal that can be drawn on, there are no options.`(environment: [String: String]) {
    #expect(TerminalOptions(environment: environment) == nil)
  }

  @Test(
    arguments: [
      ([:], 25), (["SSH_CONNECTION": "", "SSH_TTY": ""], 25), (["SSH_TTY": "/dev/pts/1"], 100),
      (["SSH_CONNECTION": "x"], 100), (["ESCDELAY": "7"], 7),
      (["ESCDELAY": "soon"], 25), (["ESCDELAY": "-1"], 25),
    ])
  func `[D61] Esc waits longer over a network, and as long as the user says.`(
    environment: [String: String], milliseconds: Int
  ) {
    let environment = environment.merging(["TERM": "xterm"]) { old, _ in old }
    #expect(TerminalOptions(environment: environment)?.escapeDelay == .milliseconds(milliseconds))
  }

  @Test(arguments: [
    (["TERM": "linux", "LANG": "C.UTF-8"], true), (["TERM": "vt100"], true), (["TERM": "xterm"], false),
    (["TERM": "xterm", "LANG": ""], false), (["TERM": "xterm", "LANG": "C"], true),
    (["TERM": "xterm", "LANG": "en_US.UTF-8"], false), (["TERM": "xterm", "LANG": "ja_JP.eucJP"], true),
    (["TERM": "xterm", "LANG": "C", "LC_CTYPE": "C.utf8"], false),
    (["TERM": "xterm", "LC_CTYPE": "UTF-8"], false), (["TERM": "xterm", "LANG": "de_DE.UTF-8@euro"], false),
    (["TERM": "xterm", "LANG": "de_DE@euro"], true),
    (["TERM": "xterm", "LANG": "de_DE.UTF-8", "LC_ALL": "POSIX"], true),
  ])
  func `Signs are ASCII if the terminal or the locale supports no others.`(
    environment: [String: String], isASCII: Bool
  ) {
    #expect(TerminalOptions(environment: environment)?.isASCII == isASCII)
  }

  @Test(arguments: [
    (["TERM": "linux"], false), (["TERM": "xterm", "TERM_PROGRAM": "Apple_Terminal"], false),
    (["TERM": "xterm"], true),
  ])
  func `Queries are sent only to terminals that answer them.`(environment: [String: String], answers: Bool) {
    #expect(TerminalOptions(environment: environment)?.answersQueries == answers)
  }
}
