import Config
import Pager
import Search
import Terminal
import Text

extension Run {
  /// The rules of the pager of this run.
  ///
  /// - Parameters:
  ///   - terminal: The terminal's options, including the user's settings.
  ///   - parent: The name of the parent row.
  /// - Throws: If key bindings of the user and of the source conflict.
  func pagerRules(
    _ purpose: PagerRules.Purpose, zone: LocalZone, on terminal: TerminalOptions, under parent: String? = nil
  ) throws(CommandError) -> PagerRules {
    // The user's own actions take the place of those of the source with the same name or key.
    let users = settings.actions.filter { $0.isFor(source) }.map(\.action)
    let others = source.actions.filter { action in !users.contains { $0.name == action.name } }
    let own = SourceActions.actions(options: source.options, rowActions: users + others)
    var bindings = KeyBindings(settings.keys)
    bindings.keys.merge(SourceActions.bindings(users)) { $0.merging($1) { first, _ in first } }
    let keyMap: KeyMap
    do { keyMap = try KeyMap(Actions.all + own, bindings: bindings) } catch {
      throw CommandError("source \(source.id): \(error)", .configuration)
    }
    var rules = PagerRules(title: ([source.title] + [parent].compactMap(\.self)).joined(separator: " / "))
    rules.purpose = purpose
    rules.input = source.input
    rules.options = source.options
    rules.reachableRows = reachableRows
    rules.zone = zone
    rules.keyMap = keyMap
    rules.requestsDetail = source.detail.request != nil
    rules.apply(settings, on: terminal)
    return rules
  }
}

extension KeyBindings {
  /// Unknown mode names are ignored.
  init(_ bound: BoundKeys) {
    let known = bound.compactMap { name, keys in Mode(rawValue: name).map { ($0, keys) } }
    self.init(Dictionary(uniqueKeysWithValues: known))
  }
}

extension PagerRules {
  /// The name of the theme that follows the terminal's background.
  static let automaticTheme = "auto"

  /// Applies the user's settings for the screen.
  ///
  /// - Parameter terminal: The terminal's options, including the user's settings.
  mutating func apply(_ settings: Settings, on terminal: TerminalOptions) {
    prefetch = settings.pager.prefetch
    isMouseOn = settings.pager.usesMouse
    isWrapped = settings.pager.wraps ? true : nil
    isAccessible = terminal.isAccessible
    preview = settings.pager.preview
    watchInterval = settings.pager.watch.map { $0 / .seconds(1) }
    notifies = settings.pager.notifies
    glyphs = terminal.isAccessible ? .words : terminal.isASCII ? .ascii : .unicode
    let (styles, colors) = (settings.theme.styles, terminal.colors)
    let palette = ThemePalette.named(settings.theme.name) ?? .plain
    theme = palette.theme(for: colors, with: styles)
    themes = palette.themes(for: colors, with: styles)
    guard settings.theme.name == Self.automaticTheme else { return }
    themes = [
      .dark: ThemePalette.dark.theme(for: colors, with: styles),
      .light: ThemePalette.light.theme(for: colors, with: styles),
    ]
  }
}

extension TerminalOptions {
  /// Overrides the options derived from the environment with the user's settings.
  mutating func apply(_ settings: Settings) {
    if let delay = settings.pager.escapeDelay { escapeDelay = delay }
    if let isASCII = settings.pager.isASCII { self.isASCII = isASCII }
    ambiguousIsWide = settings.pager.ambiguousWidth == 2
    usesAlternateScreen = settings.pager.usesAlternateScreen
    if settings.pager.isAccessible { isAccessible = true }
    // A screen reader reads text that is written, not text that is scrolled.
    scrolls = !isAccessible
    switch settings.output.color {
    case .auto: break
    case .never: colors = .monochrome
    case .always: if colors == .monochrome { colors = availableColors }
    }
  }
}
