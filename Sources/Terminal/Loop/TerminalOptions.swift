/// What is assumed of the terminal before it answers, and how long to wait for it. From the environment; settings
/// and command line may change it.
package struct TerminalOptions: Sendable, Equatable {
  package var colors: ColorDepth
  /// The colors the terminal draws, whether or not the user wants any (`NO_COLOR`); at least sixteen.
  package let availableColors: ColorDepth
  /// How long a lone Esc may be the beginning of another key.
  package var escapeDelay: Duration
  /// Whether the terminal, or the locale, has no signs beyond ASCII.
  package var isASCII: Bool
  /// Whether characters of ambiguous width take two columns.
  package var ambiguousIsWide = false
  /// Whether the picture has a screen of its own, after which the terminal shows what it showed before. Without one
  /// it is drawn below what is there, and its last state stays.
  package var usesAlternateScreen = true
  /// Whether rows may be moved by the terminal; screen readers read only what is written.
  package var scrolls = true
  /// Whether texts lead to their addresses (OSC 8); nil: where the terminal is known to show links.
  package var showsLinks: Bool?
  /// Whether OSC 52 is believed to reach the clipboard; nil: where the terminal is known to take copies.
  package var takesCopies: Bool?
  /// What the environment tells of the terminal.
  let abilities: TerminalAbilities
  /// Whether the terminal knows xterm's sequences beyond the VT100: alternate screen, scrolling, titles.
  let isXtermLike: Bool
  /// Whether queries may be sent; others would print them.
  let answersQueries: Bool

  /// - Returns: nil when no picture can be drawn: TERM is missing, empty or `dumb`.
  package init?(environment: [String: String]) {
    guard let term = environment["TERM"], !term.isEmpty, term != "dumb" else { return nil }
    isXtermLike = !TerminalOptions.plainTerminals.contains { term.hasPrefix($0) }
    answersQueries = isXtermLike && environment["TERM_PROGRAM"] != "Apple_Terminal"
    abilities = isXtermLike ? TerminalAbilities(environment: environment) : []
    colors = ColorDepth(environment: environment, term: term)
    availableColors = ColorDepth(available: environment, term: term)
    escapeDelay = TerminalOptions.escapeDelay(environment)
    isASCII = TerminalOptions.isASCII(term, environment)
  }

  private static let plainTerminals = ["linux", "vt", "cons25", "eterm"]

  /// The Linux console has signs for 512 characters, the VT100 and its like have ASCII. A locale that names another
  /// encoding than UTF-8 counts (POSIX: LC_ALL, else LC_CTYPE, else LANG); where none is set, as in many containers,
  /// nothing is known, and terminals of today have UTF-8.
  private static func isASCII(_ term: String, _ environment: [String: String]) -> Bool {
    if ["linux", "vt", "cons25"].contains(where: { term.hasPrefix($0) }) { return true }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    guard let locale = locale?.lowercased() else { return false }
    return !locale.contains("utf-8") && !locale.contains("utf8")
  }

  /// ESCDELAY, else what a key takes at most: more over a network, where a sequence may come in parts.
  private static func escapeDelay(_ environment: [String: String]) -> Duration {
    if let value = environment["ESCDELAY"], let milliseconds = Int(value), (0...10_000).contains(milliseconds)
    {
      return .milliseconds(milliseconds)
    }
    // A variable that is set to nothing counts as unset, as NO_COLOR does.
    let isRemote = ["SSH_CONNECTION", "SSH_TTY"].contains { environment[$0]?.isEmpty == false }
    return .milliseconds(isRemote ? 100 : 25)
  }
}

extension ColorDepth {
  init(environment: [String: String], term: String) {
    let isPlain = environment["NO_COLOR"]?.isEmpty == false || term.hasPrefix("vt") || term.hasSuffix("-mono")
    self = isPlain ? .monochrome : ColorDepth(available: environment, term: term)
  }

  /// What the terminal draws when colors are asked for whatever the environment says (`--color always`).
  fileprivate init(available environment: [String: String], term: String) {
    if ColorDepth.isDirect(term) || ColorDepth.announcesDirect(environment, term) {
      self = .direct
    } else {
      self = term.contains("256color") ? .indexed : .sixteen
    }
  }

  /// Terminals that draw 24-bit colours by their name, which ssh forwards while it does not forward COLORTERM.
  private static func isDirect(_ term: String) -> Bool {
    term.hasSuffix("-direct")
      || ["xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm", "contour"].contains {
        term.hasPrefix($0)
      }
  }

  /// COLORTERM, or Windows Terminal, which sets none; a multiplexer inherits from the terminal it was started in: only tmux from 3.2 on, which
  /// names itself, keeps the promise.
  private static func announcesDirect(_ environment: [String: String], _ term: String) -> Bool {
    let isAnnounced = ["truecolor", "24bit"].contains(environment["COLORTERM"])
    guard isAnnounced || environment["WT_SESSION"] != nil else { return false }
    let isMultiplexed = environment["TMUX"] != nil || term.hasPrefix("screen") || term.hasPrefix("tmux")
    return !isMultiplexed || environment["TERM_PROGRAM"] == "tmux"
  }
}
