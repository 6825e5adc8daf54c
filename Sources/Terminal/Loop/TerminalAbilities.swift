/// What a terminal does that no query tells, known by its name. What is not known is not used.
struct TerminalAbilities: Sendable, Equatable {
  /// OSC 8.
  var showsLinks = false
  /// OSC 52, without asking and without a setting.
  var takesCopies = false

  init(showsLinks: Bool = false, takesCopies: Bool = false) {
    self.showsLinks = showsLinks
    self.takesCopies = takesCopies
  }

  /// By the variables a terminal sets. A multiplexer inherits those of the terminal it was started in, so that only
  /// its own count there; ssh forwards TERM alone.
  init(environment: [String: String]) {
    let term = environment["TERM"] ?? ""
    let program = environment["TERM_PROGRAM"] ?? ""
    if environment["TMUX"] != nil || term.hasPrefix("tmux") || term.hasPrefix("screen") {
      let version = program == "tmux" ? environment["TERM_PROGRAM_VERSION"] : nil
      self.init(name: "tmux", version: version.map { $0[...] })
      return
    }
    self.init()
    if let known = TerminalAbilities.byTerm.first(where: { term.hasPrefix($0.0) })?.1 { add(known) }
    add(TerminalAbilities(name: program, version: environment["TERM_PROGRAM_VERSION"].map { $0[...] }))
    for (variable, name) in TerminalAbilities.versionVariables {
      if let version = environment[variable] { add(TerminalAbilities(name: name, version: version[...])) }
    }
  }

  /// By the answer to XTVERSION: `kitty(0.40.1)`, `tmux 3.5a`, `VTE(7600)`.
  init(version text: String) {
    let name = text.prefix { $0 != "(" && $0 != " " }
    self.init(name: String(name), version: text.dropFirst(name.count + 1))
  }

  /// - Parameter version: nil when it is not known.
  private init(name: String, version: Substring?) {
    guard let known = TerminalAbilities.byName[name.lowercased()] else {
      self.init()
      return
    }
    let numbers = (version ?? "").split(separator: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 }
    self = numbers.lexicographicallyPrecedes(known.since) ? TerminalAbilities() : known.abilities
  }

  mutating func add(_ other: TerminalAbilities) {
    showsLinks = showsLinks || other.showsLinks
    takesCopies = takesCopies || other.takesCopies
  }
}

extension TerminalAbilities {
  private static let links = TerminalAbilities(showsLinks: true)
  private static let both = TerminalAbilities(showsLinks: true, takesCopies: true)

  /// Terminals with a TERM of their own, by how it begins.
  private static let byTerm = [
    ("xterm-kitty", both), ("xterm-ghostty", both), ("alacritty", both), ("foot", both), ("wezterm", both),
    ("contour", links), ("rio", both),
  ]

  /// Terminals by the name they answer or set, in lower case, with the first version that can.
  private static let byName: [String: (since: [Int], abilities: TerminalAbilities)] = [
    "kitty": ([], both), "ghostty": ([], both), "wezterm": ([], both), "foot": ([], both), "rio": ([], both),
    "contour": ([], links), "iterm2": ([3, 1], links), "iterm.app": ([3, 1], links),
    "vscode": ([1, 72], links),
    "xterm.js": ([5], links), "mintty": ([3], links), "konsole": ([20, 12], links), "tmux": ([3, 4], links),
    // 0.50.0 crashed over links.
    "vte": ([5_001], links), "windows terminal": ([], both),
  ]

  private static let versionVariables = [("VTE_VERSION", "vte"), ("WT_SESSION", "windows terminal")]
}
