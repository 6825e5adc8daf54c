/// What the terminal sent, decoded. Sequences nobody knows produce nothing.
package enum Input: Hashable, Sendable {
  case key(Key)
  /// Pasted text: line ends are `\n`, other control characters but the tab are gone, at most
  /// `InputParser.pasteLimit` bytes.
  case paste(String)
  case mouse(Mouse)
  /// The terminal gained (true) or lost the focus.
  case focus(Bool)
  case answer(Answer)
}

/// A mouse report in SGR form (xterm, "Extended coordinates", mode 1006).
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

/// What a terminal answers to a query.
package enum Answer: Hashable, Sendable {
  /// DA1, the fence: a terminal that answers at all answers this, and in order.
  case deviceAttributes([Int])
  /// DECRQM of a private mode.
  case mode(Int, ModeState)
  /// Kitty keyboard flags in force: the terminal knows the protocol.
  case keyboardFlags(Int)
  /// XTVERSION: name and version.
  case version(String)
  /// OSC 11: red, green, blue of the background, each 0…255.
  case background(UInt8, UInt8, UInt8)
  /// A cell's size in pixels.
  case cellSize(width: Int, height: Int)
  /// CPR, below the first row only: on that one it would look like a key. Zero-based.
  case cursor(column: Int, row: Int)
  /// Mode 2031: the user's preference is now dark (true) or light.
  case prefersDark(Bool)
}

/// The values of DECRPM (DEC STD 070).
package enum ModeState: Int, Hashable, Sendable {
  case unknown = 0, set, reset, alwaysSet, alwaysReset

  /// Whether the mode is, or can be, in force.
  package var isAvailable: Bool { self != .unknown && self != .alwaysReset }
}
