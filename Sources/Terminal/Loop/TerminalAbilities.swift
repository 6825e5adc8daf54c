/// Features of a terminal that cannot be queried, looked up by its name. Features of unknown terminals are
/// not used.
struct TerminalAbilities: OptionSet, Sendable {
  let rawValue: UInt8

  /// OSC 8.
  static let links = TerminalAbilities(rawValue: 1)
  /// OSC 52, supported without confirmation and by default.
  static let copies = TerminalAbilities(rawValue: 2)
  /// OSC 9;4, which other terminals show as a notification.
  static let progress = TerminalAbilities(rawValue: 4)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Looks up the variables that a terminal sets. Inside a multiplexer only its own variables are considered,
  /// because the others are inherited from the terminal it was started in; ssh forwards only TERM.
  init(environment: [String: String]) {
    let term = environment["TERM"] ?? ""
    let program = environment["TERM_PROGRAM"] ?? ""
    if environment["TMUX"] != nil || term.hasPrefix("tmux") || term.hasPrefix("screen") {
      let version = program == "tmux" ? environment["TERM_PROGRAM_VERSION"] : nil
      self.init(name: "tmux", version: version.map { $0[...] })
      return
    }
    self.init()
    if let known = TerminalAbilities.byTerm.first(where: { term.hasPrefix($0.0) })?.1 { formUnion(known) }
    formUnion(TerminalAbilities(name: program, version: environment["TERM_PROGRAM_VERSION"].map { $0[...] }))
    for (variable, name) in TerminalAbilities.versionVariables {
      if let version = environment[variable] {
        formUnion(TerminalAbilities(name: name, version: version[...]))
      }
    }
  }

  /// Looks up the answer to XTVERSION: `kitty(0.40.1)`, `tmux 3.5a`, `VTE(7600)`.
  init(version text: String) {
    let name = text.prefix { $0 != "(" && $0 != " " }
    self.init(name: String(name), version: text.dropFirst(name.count + 1))
  }

  /// - Parameter version: Nil if unknown.
  private init(name: String, version: Substring?) {
    guard let known = TerminalAbilities.byName[name.lowercased()] else {
      self.init()
      return
    }
    let numbers = (version ?? "").split(separator: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 }
    self = numbers.lexicographicallyPrecedes(known.since) ? TerminalAbilities() : known.abilities
  }
}

extension TerminalAbilities {
  private static let both: TerminalAbilities = [.links, .copies]
  private static let all: TerminalAbilities = [.links, .copies, .progress]

  /// Terminals with their own TERM, by its prefix.
  private static let byTerm = [
    ("xterm-kitty", both), ("xterm-ghostty", both), ("alacritty", both), ("foot", both), ("wezterm", both),
    ("contour", .links), ("rio", both),
  ]

  /// Terminals by lowercase name, with the first version that has the features.
  private static let byName: [String: (since: [Int], abilities: TerminalAbilities)] = [
    "kitty": ([], both), "ghostty": ([], both), "wezterm": ([], both), "foot": ([], both), "rio": ([], both),
    "contour": ([], .links), "iterm2": ([3, 1], .links), "iterm.app": ([3, 1], .links),
    "vscode": ([1, 72], .links), "xterm.js": ([5], .links), "mintty": ([3], .links),
    "konsole": ([20, 12], .links), "tmux": ([3, 4], .links),
    // 0.50.0 crashes on links.
    "vte": ([5_001], .links), "windows terminal": ([], all),
  ]

  private static let versionVariables = [("VTE_VERSION", "vte"), ("WT_SESSION", "windows terminal")]
}
