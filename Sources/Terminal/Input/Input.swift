/// Decoded input from the terminal. Unknown sequences produce no input.
package enum Input: Hashable, Sendable {
  case key(Key)
  /// Pasted text: line ends are `\n`, control characters other than the tab are removed, at most
  /// `InputParser.pasteLimit` bytes.
  case paste(String)
  case mouse(Mouse)
  /// The terminal gained (true) or lost the focus.
  case focus(Bool)
  case answer(Answer)
}

/// A mouse report in SGR format (xterm, "Extended coordinates", mode 1006).
package struct Mouse: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    case press(Int), release(Int), drag(Int), move
    case wheelUp, wheelDown, wheelLeft, wheelRight
  }

  package let action: Action
  /// Zero-based cell.
  package let column: Int
  package let row: Int
  package let modifiers: Key.Modifiers

  package init(action: Action, column: Int, row: Int, modifiers: Key.Modifiers) {
    self.action = action
    self.column = column
    self.row = row
    self.modifiers = modifiers
  }
}

/// A terminal's answer to a query.
package enum Answer: Hashable, Sendable {
  /// DA1, the fence: every terminal that answers queries answers this one, in order.
  case deviceAttributes([Int])
  /// DECRQM of a private mode.
  case mode(Int, ModeState)
  /// The active kitty keyboard flags, which show that the terminal supports the protocol.
  case keyboardFlags(Int)
  /// XTVERSION: name and version.
  case version(String)
  /// OSC 11: red, green and blue of the background, each 0…255.
  case background(UInt8, UInt8, UInt8)
  /// The size of a cell in pixels.
  case cellSize(width: Int, height: Int)
  /// CPR, zero-based. Only below the first row, where it cannot be confused with a key.
  case cursor(column: Int, row: Int)
  /// Mode 2031: whether the user's preference has changed to dark.
  case prefersDark(Bool)
}

/// The values of DECRPM (DEC STD 070).
package enum ModeState: Int, Hashable, Sendable {
  case unknown = 0, set, reset, alwaysSet, alwaysReset

  /// Whether the mode is or can be set.
  package var isAvailable: Bool { self != .unknown && self != .alwaysReset }
}

/// Whether the terminal's background is dark or light.
package enum Background: String, Hashable, Sendable {
  case dark, light

  /// Light from half of the maximum luma on (ITU-R BT.709).
  init(red: UInt8, green: UInt8, blue: UInt8) {
    let luma = 2_126 * Int(red) + 7_152 * Int(green) + 722 * Int(blue)
    self = luma < 128 * 10_000 ? .dark : .light
  }
}
