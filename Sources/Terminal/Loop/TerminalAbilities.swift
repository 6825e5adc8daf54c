/// What a terminal does that no query tells, known by its name. What is not known is not used.
struct TerminalAbilities: OptionSet, Sendable {
  let rawValue: UInt8

  /// OSC 8.
  static let links = TerminalAbilities(rawValue: 1)
  /// OSC 52, without asking and without a setting.
  static let copies = TerminalAbilities(rawValue: 2)
  /// OSC 9;4; others take it for a notification.
  static let progress = TerminalAbilities(rawValue: 4)

  init(rawValue: UInt8) { self.rawValue = rawValue }

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
    if let known = TerminalAbilities.byTerm.first(where: { term.hasPrefix($0.0) })?.1 { formUnion(known) }
    formUnion(TerminalAbilities(name: program, version: environment["TERM_PROGRAM_VERSION"].map { $0[...] }))
    for (variable, name) in TerminalAbilities.versionVariables {
      if let version = environment[variable] {
        formUnion(TerminalAbilities(name: name, version: version[...]))
      }
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
}

extension TerminalAbilities {
  private static let both: TerminalAbilities = [.links, .copies]
  private static let all: TerminalAbilities = [.links, .copies, .progress]

  /// Terminals with a TERM of their own, by how it begins.
  private static let byTerm = [
    ("xterm-kitty", both), ("xterm-ghostty", both), ("alacritty", both), ("foot", both), ("wezterm", both),
    ("contour", .links), ("rio", both),
  ]

  /// Terminals by the name they answer or set, in lower case, with the first version that can.
  private static let byName: [String: (since: [Int], abilities: TerminalAbilities)] = [
    "kitty": ([], both), "ghostty": ([], both), "wezterm": ([], both), "foot": ([], both), "rio": ([], both),
    "contour": ([], .links), "iterm2": ([3, 1], .links), "iterm.app": ([3, 1], .links),
    "vscode": ([1, 72], .links), "xterm.js": ([5], .links), "mintty": ([3], .links),
    "konsole": ([20, 12], .links), "tmux": ([3, 4], .links),
    // 0.50.0 crashed over links.
    "vte": ([5_001], .links), "windows terminal": ([], all),
  ]

  private static let versionVariables = [("VTE_VERSION", "vte"), ("WT_SESSION", "windows terminal")]
}
