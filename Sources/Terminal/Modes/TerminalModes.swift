internal import Text

/// Tracks the modes that are set in the terminal and must be reset, and the features its answers reveal.
struct TerminalModes {
  private let options: TerminalOptions
  /// Whether the fence of the last queries was answered; true if none were sent.
  private(set) var isFenceSeen = false
  private(set) var isSynchronized = false
  private var abilities: TerminalAbilities
  private var background: Background?
  private var hasGraphemes = false
  /// The modes that were turned on because the terminal has them.
  private var turnedOn: [PrivateMode] = []
  private var tracksMouse = false
  private var isBusy = false
  private var lastNotification: Frame.Notification?
  private var pushedKeyboardFlags = false
  private var callerPastes = false
  /// What the program draws on.
  var place = Place.screen

  enum Place: Hashable {
    case screen
    /// The terminal is being asked for the position of its cursor; nothing was drawn.
    case asked
    case lines(InlineRegion)
  }

  init(_ options: TerminalOptions) {
    self.options = options
    abilities = options.abilities
    isFenceSeen = !options.answersQueries
  }

  var height: InlineHeight? { options.height }

  /// The lines below the prompt that the program draws on; nil for the whole screen.
  var region: InlineRegion? { if case .lines(let region) = place { region } else { nil } }

  var showsLinks: Bool { options.isXtermLike && options.showsLinks ?? abilities.contains(.links) }

  var traits: TerminalTraits {
    TerminalTraits(
      background: background,
      takesCopies: options.isXtermLike && options.takesCopies ?? abilities.contains(.copies))
  }

  /// The sequence that copies text to the clipboard.
  func copying(_ text: String) -> String { ControlSequence.copy(text, passesScreen: options.isInScreen) }

  /// Whether the terminal wraps lines that are longer than a new width.
  var wrapsLines: Bool { options.isInTmux }

  /// Whether OSC 52 may be sent to the terminal.
  var sendsCopies: Bool { options.isXtermLike }

  var widthModel: WidthModel {
    WidthModel(hasGraphemes ? .clusters : .codePoints, ambiguousIsWide: options.ambiguousIsWide)
  }

  /// The queries to send. They are sent after entering the alternate screen, so that a terminal that prints
  /// them prints them there, and before modes are set, so that the answers report the initial modes.
  var queries: String {
    guard options.answersQueries else { return "" }
    let modes = [PrivateMode.synchronizedUpdate, .graphemes, .colorSchemeReports, .bracketedPaste]
    return modes.map(\.query).joined()
      + ControlSequence.queryKeyboardFlags + ControlSequence.queryVersion + ControlSequence.queryBackground
      + ControlSequence.queryCellSize + ControlSequence.queryDeviceAttributes
  }

  /// The sequences that take over the screen, which has this number of rows.
  mutating func entering(rows: Int, sending queries: String = "") -> String {
    (tracksMouse, isBusy) = (false, false)
    let isWhole = place == .screen
    let scrolledAway = ControlSequence.moveToLastRow + String(repeating: "\n", count: rows)
    guard options.isXtermLike else {
      return (isWhole && !options.usesAlternateScreen ? scrolledAway : "") + PrivateMode.wrap.off
    }
    var text = !isWhole ? "" : options.usesAlternateScreen ? PrivateMode.alternateScreen.on : scrolledAway
    text += ControlSequence.pushTitle + queries
    text += PrivateMode.wrap.off + PrivateMode.bracketedPaste.on + PrivateMode.focusReports.on + turnedOn.on
    if pushedKeyboardFlags { text += ControlSequence.pushKeyboardFlags }
    return text
  }

  /// The sequences that update mouse reporting and the progress indicator for a frame, and send its notification.
  mutating func follow(_ frame: Frame) -> String {
    guard options.isXtermLike else { return "" }
    var text = ""
    if frame.tracksMouse != tracksMouse {
      tracksMouse = frame.tracksMouse
      text += tracksMouse ? PrivateMode.mouse.on : PrivateMode.mouse.off
    }
    if abilities.contains(.progress), frame.isBusy != isBusy {
      isBusy = frame.isBusy
      text += isBusy ? ControlSequence.showProgress : ControlSequence.clearProgress
    }
    if let notification = frame.notification, notification != lastNotification {
      lastNotification = notification
      text += ControlSequence.notification(notification.text)
    }
    return text
  }

  /// The sequences that restore the terminal from any state.
  var leaving: String {
    guard options.isXtermLike else {
      return ControlSequence.plainStyle + ControlSequence.wholeScreenScrollRegion
        + leavingPlace(alternate: ControlSequence.eraseScreen) + PrivateMode.wrap.on + PrivateMode.cursor.on
    }
    var text = PrivateMode.synchronizedUpdate.off + ControlSequence.plainStyle + ControlSequence.endLink
    if pushedKeyboardFlags { text += ControlSequence.popKeyboardFlags }
    text += PrivateMode.mouse.off + PrivateMode.focusReports.off
    text += callerPastes ? PrivateMode.bracketedPaste.on : PrivateMode.bracketedPaste.off
    text += turnedOn.off
    text += ControlSequence.wholeScreenScrollRegion + PrivateMode.wrap.on + PrivateMode.cursor.on
    text += ControlSequence.defaultCursorStyle
    if abilities.contains(.progress) { text += ControlSequence.clearProgress }
    return text + leavingPlace(alternate: PrivateMode.alternateScreen.off) + ControlSequence.popTitle
  }

  private func leavingPlace(alternate: String) -> String {
    switch place {
    case .screen: options.usesAlternateScreen ? alternate : ControlSequence.moveToLastRow + "\r\n"
    case .asked: ""
    case .lines(let region): region.leaving
    }
  }

  /// Applies an answer, however late it arrives.
  /// - Returns: The sequences to write now; `leaving` already undoes them.
  mutating func adopt(_ answer: Answer) -> String {
    switch answer {
    case .deviceAttributes(let attributes):
      isFenceSeen = true
      // The first attribute is the conformance level; 52 is the clipboard (contour-terminal/vt-extensions).
      if attributes.dropFirst().contains(52) { abilities.insert(.copies) }
    case .mode(let number, let state): return adopt(PrivateMode(rawValue: number), state)
    case .background(let red, let green, let blue):
      background = Background(red: red, green: green, blue: blue)
    case .prefersDark(let isDark): background = isDark ? .dark : .light
    case .version(let text): abilities.formUnion(TerminalAbilities(version: text))
    case .keyboardFlags where !pushedKeyboardFlags:
      pushedKeyboardFlags = true
      return ControlSequence.pushKeyboardFlags
    case .keyboardFlags, .cellSize, .cursor: break
    }
    return ""
  }

  private mutating func adopt(_ mode: PrivateMode?, _ state: ModeState) -> String {
    switch mode {
    case .synchronizedUpdate: isSynchronized = state.isAvailable
    case .bracketedPaste: callerPastes = callerPastes || state == .set
    case .colorSchemeReports, .graphemes:
      if mode == .graphemes, state.isAvailable { hasGraphemes = true }
      guard let mode, state == .reset, !turnedOn.contains(mode) else { break }
      turnedOn.append(mode)
      return mode.on
    default: break
    }
    return ""
  }
}

/// The known traits of the terminal other than its canvas; answers may add to them while the program runs.
package struct TerminalTraits: Hashable, Sendable {
  /// The background; nil until the terminal reports it.
  package internal(set) var background: Background?
  /// Whether a `Frame.copy` is assumed to reach the user's clipboard; it is sent in any case.
  package internal(set) var takesCopies: Bool
}
