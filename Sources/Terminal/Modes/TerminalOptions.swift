/// Assumptions about the terminal before it answers queries, and timeouts. They are derived from the environment;
/// settings and command line may override them.
package struct TerminalOptions: Sendable, Equatable {
  package var colors: ColorDepth
  /// The colors the terminal supports, regardless of whether the user wants any (`NO_COLOR`); at least
  /// sixteen.
  package let availableColors: ColorDepth
  /// How long to wait after a lone Esc for the rest of a sequence.
  package var escapeDelay: Duration
  /// Whether the terminal or the locale lacks symbols beyond ASCII.
  package var isASCII: Bool
  /// Whether characters of ambiguous width take two columns.
  package var ambiguousIsWide = false
  /// Whether to use the alternate screen, after which the terminal shows its previous content. Otherwise
  /// frames are drawn below that content, and the last one stays.
  package var usesAlternateScreen = true
  /// How many lines below the prompt to draw on, in place of the alternate screen; nil for the whole screen. It is the
  /// whole screen, too, if the terminal does not report the position of its cursor.
  package var height: InlineHeight?
  /// Whether the terminal may move rows by scrolling; screen readers only read text that is written.
  package var scrolls = true
  /// Whether to send hyperlinks (OSC 8); nil for terminals known to support them.
  package var showsLinks: Bool?
  /// Whether OSC 52 is assumed to reach the clipboard; nil for terminals known to support it.
  package var takesCopies: Bool?
  /// Whether a screen reader reads the terminal: a non-empty ACCESSIBLE other than 0, as gh and charmbracelet's
  /// programs read it.
  package var isAccessible: Bool
  let abilities: TerminalAbilities
  /// Whether riffle runs in GNU screen, which passes on to the terminal only the content of DCS strings.
  let isInScreen: Bool
  /// Whether riffle runs in tmux, which wraps longer lines when a window becomes narrower.
  let isInTmux: Bool
  /// Whether the terminal supports xterm's extensions to the VT100: alternate screen, scrolling, titles.
  let isXtermLike: Bool
  /// Whether queries may be sent; other terminals would print them.
  let answersQueries: Bool

  /// - Returns: Nil if the terminal cannot display frames: TERM is missing, empty or `dumb`.
  package init?(environment: [String: String]) {
    guard let term = environment["TERM"], !term.isEmpty, term != "dumb" else { return nil }
    let plain = TerminalOptions.plainTerminals.first { term.hasPrefix($0.prefix) }
    isXtermLike = plain == nil
    answersQueries = isXtermLike && environment["TERM_PROGRAM"] != "Apple_Terminal"
    abilities = isXtermLike ? TerminalAbilities(environment: environment) : []
    isInTmux = environment["TMUX"]?.isEmpty == false
    isInScreen = environment["STY"]?.isEmpty == false && environment["TMUX"] == nil
    isAccessible = !["", "0"].contains(environment["ACCESSIBLE"] ?? "")
    colors = ColorDepth(environment: environment, term: term)
    availableColors = ColorDepth(available: environment, term: term)
    escapeDelay = TerminalOptions.escapeDelay(environment)
    isASCII = plain?.isASCII == true || TerminalOptions.hasASCIILocale(environment)
  }

  /// Terminals without xterm's extensions. The Linux console has glyphs for 512 characters, the VT100 and
  /// similar terminals have ASCII.
  private static let plainTerminals: [(prefix: String, isASCII: Bool)] = [
    ("linux", true), ("vt", true), ("cons25", true), ("eterm", false),
  ]

  /// Whether the locale (`language_TERRITORY.encoding@modifier`) has an encoding other than UTF-8 (POSIX: LC_ALL, else
  /// LC_CTYPE, else LANG). If none is set, as in many containers, UTF-8 is assumed, like in current terminals.
  private static func hasASCIILocale(_ environment: [String: String]) -> Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    guard let encoding = locale?.prefix(while: { $0 != "@" }).lowercased() else { return false }
    return !encoding.hasSuffix("utf-8") && !encoding.hasSuffix("utf8")
  }

  fileprivate static func isMultiplexed(_ environment: [String: String], _ term: String) -> Bool {
    environment["TMUX"] != nil || term.hasPrefix("screen") || term.hasPrefix("tmux")
  }

  /// ESCDELAY, else the maximum time between the bytes of a key, which is longer over a network, where a
  /// sequence may arrive in parts.
  private static func escapeDelay(_ environment: [String: String]) -> Duration {
    let chosen = environment["ESCDELAY"].flatMap { Int($0) }
    if let chosen, 0...10_000 ~= chosen { return .milliseconds(chosen) }
    // A variable with an empty value counts as unset, as with NO_COLOR.
    let isRemote = ["SSH_CONNECTION", "SSH_TTY"].contains { environment[$0]?.isEmpty == false }
    return .milliseconds(isRemote ? 100 : 25)
  }
}

extension ColorDepth {
  init(environment: [String: String], term: String) {
    let isPlain = environment["NO_COLOR"]?.isEmpty == false || term.hasPrefix("vt") || term.hasSuffix("-mono")
    self = isPlain ? .monochrome : ColorDepth(available: environment, term: term)
  }

  /// The colors used if they are requested regardless of the environment (`--color always`).
  fileprivate init(available environment: [String: String], term: String) {
    // Every terminal with its own TERM has 24-bit color. ssh forwards TERM, but not COLORTERM.
    let isDirect = term.hasSuffix("-direct") || TerminalAbilities.named(by: term) != nil
    let isAnnounced = isDirect || ColorDepth.announcesDirect(environment, term)
    self = isAnnounced ? .direct : term.contains("256color") ? .indexed : .sixteen
  }

  /// Whether COLORTERM announces 24-bit color, or the terminal is Windows Terminal, which does not set it. A
  /// multiplexer inherits COLORTERM from the terminal it was started in; only tmux 3.2 and later, which is
  /// recognized by its own variable, supports it.
  private static func announcesDirect(_ environment: [String: String], _ term: String) -> Bool {
    let isAnnounced = ["truecolor", "24bit"].contains(environment["COLORTERM"])
    guard isAnnounced || environment["WT_SESSION"] != nil else { return false }
    return !TerminalOptions.isMultiplexed(environment, term) || environment["TERM_PROGRAM"] == "tmux"
  }
}

extension TerminalOptions {
  /// Whether the terminal shows progress (OSC 9;4), judged by what the environment says.
  package var showsProgress: Bool { isXtermLike && abilities.contains(.progress) }
}

/// Features of a terminal that cannot be queried, looked up by its name. Features of unknown terminals are
/// not used.
struct TerminalAbilities: OptionSet, Sendable {
  let rawValue: UInt8

  /// Hyperlinks (OSC 8).
  static let links = TerminalAbilities(rawValue: 1)
  /// The clipboard (OSC 52), without confirmation and by default.
  static let copies = TerminalAbilities(rawValue: 2)
  /// The progress indicator (OSC 9;4), which other terminals show as a notification.
  static let progress = TerminalAbilities(rawValue: 4)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Looks up the variables that a terminal sets. Inside a multiplexer only its own variables are considered,
  /// because the others are inherited from the terminal it was started in; ssh forwards only TERM.
  init(environment: [String: String]) {
    let term = environment["TERM"] ?? ""
    let program = environment["TERM_PROGRAM"] ?? ""
    if TerminalOptions.isMultiplexed(environment, term) {
      let version = program == "tmux" ? environment["TERM_PROGRAM_VERSION"] : nil
      self.init(name: "tmux", version: version.map { $0[...] })
      return
    }
    self = TerminalAbilities.named(by: term) ?? []
    formUnion(TerminalAbilities(name: program, version: environment["TERM_PROGRAM_VERSION"].map { $0[...] }))
    for (variable, name) in [("VTE_VERSION", "vte"), ("WT_SESSION", "windows terminal")] {
      if let version = environment[variable] {
        formUnion(TerminalAbilities(name: name, version: version[...]))
      }
    }
  }

  /// The features of the terminal that TERM names; nil if TERM names none.
  fileprivate static func named(by term: String) -> TerminalAbilities? {
    byTerm.first { term.hasPrefix($0.0) }?.1
  }

  /// Looks up the answer to XTVERSION: `kitty(0.40.1)`, `tmux 3.5a`, `VTE(7600)`.
  init(version text: String) {
    let name = text.prefix { $0 != "(" && $0 != " " }
    self.init(name: String(name), version: text.dropFirst(name.count + 1))
  }

  /// - Parameter version: Nil if unknown.
  private init(name: String, version: Substring?) {
    let numbers = (version ?? "").split(separator: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 }
    self = []
    for known in TerminalAbilities.byName where known.name == name.lowercased() {
      if !numbers.lexicographicallyPrecedes(known.since) { formUnion(known.abilities) }
    }
  }

  private static let both: TerminalAbilities = [.links, .copies]
  /// Terminals with their own TERM, by its prefix.
  private static let byTerm = [
    ("xterm-kitty", both), ("xterm-ghostty", both), ("alacritty", both), ("foot", both), ("wezterm", both),
    ("contour", .links), ("rio", both),
  ]

  /// Terminals by lowercase name, with the first version that has the abilities.
  private static let byName: [(name: String, since: [Int], abilities: TerminalAbilities)] = [
    ("kitty", [], both), ("ghostty", [], both), ("ghostty", [1, 2], .progress), ("wezterm", [], both),
    ("foot", [], both), ("rio", [], both), ("contour", [], .links), ("iterm2", [3, 1], .links),
    ("iterm2", [3, 6, 6], .progress), ("iterm.app", [3, 1], .links), ("iterm.app", [3, 6, 6], .progress),
    ("vscode", [1, 72], .links), ("xterm.js", [5], .links), ("mintty", [3], .links),
    ("konsole", [20, 12], .links), ("tmux", [3, 4], .links),
    // Version 0.50.0 crashes on links.
    ("vte", [5_001], .links), ("vte", [8_000], .progress), ("windows terminal", [], both),
    ("windows terminal", [], .progress),
  ]
}
