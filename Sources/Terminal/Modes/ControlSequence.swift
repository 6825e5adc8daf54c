internal import Text

/// Every escape sequence the program writes to the screen, with the document that defines it. "ctlseqs" is
/// "XTerm Control Sequences"; other sources are named at the sequence.
package enum ControlSequence {
  // MARK: Keyboard (kitty keyboard protocol, "Progressive enhancement")

  /// Flag 1: Esc, and keys with Ctrl or Alt, are unambiguous. Flag 4: such keys also report their shifted
  /// form and their position on the keyboard, so that Ctrl-C is recognized in any keyboard layout.
  static let pushKeyboardFlags = "\u{1B}[>5u"
  static let popKeyboardFlags = "\u{1B}[<1u"

  // MARK: Position and erasing (ECMA-48 8.3)

  /// Moves the cursor (CUP). Columns and rows are zero-based here and one-based in the sequence.
  static func moveCursor(column: Int, row: Int) -> String {
    column == 0 ? "\u{1B}[\(row + 1)H" : "\u{1B}[\(row + 1);\(column + 1)H"
  }

  /// EL: erases from the cursor to the end of the row.
  package static let eraseToRowEnd = "\u{1B}[K"
  /// ECH: erases `columns` columns starting at the cursor, which does not move.
  static func erase(_ columns: Int) -> String { columns == 1 ? "\u{1B}[X" : "\u{1B}[\(columns)X" }
  /// ED: erases the whole screen; the cursor does not move.
  static let eraseScreen = "\u{1B}[2J"
  /// ED: erases from the cursor to the end of the screen.
  static let eraseBelow = "\u{1B}[J"

  /// Moves the cursor within its row (CHA). The column is zero-based here and one-based in the sequence.
  static func moveCursor(toColumn column: Int) -> String {
    column == 0 ? "\u{1B}[G" : "\u{1B}[\(column + 1)G"
  }

  /// Moves to the first column of the last row, because CUP is clamped to the screen.
  static let moveToLastRow = "\u{1B}[9999H"

  // MARK: Scrolling (DECSTBM: VT100 user guide; SU and SD: ECMA-48 8.3)

  /// DECSTBM: sets the scroll region to zero-based `rows`, and moves the cursor to the top left.
  static func scrollRegion(_ rows: ClosedRange<Int>) -> String {
    "\u{1B}[\(rows.lowerBound + 1);\(rows.upperBound + 1)r"
  }

  static let wholeScreenScrollRegion = "\u{1B}[r"

  /// Scrolls the region: SU for positive counts (text moves up), SD for negative ones.
  static func scroll(by rows: Int) -> String {
    "\u{1B}[\(abs(rows) == 1 ? "" : "\(abs(rows))")\(rows > 0 ? "S" : "T")"
  }

  // MARK: Appearance

  /// SGR 0 (ECMA-48 8.3.117): resets the style.
  static let plainStyle = "\u{1B}[m"
  /// SGR with the given parameters, added to the current style.
  static func style(_ parameters: String) -> String { "\u{1B}[" + parameters + "m" }
  /// DECSCUSR 0 (ctlseqs): the user's own cursor shape.
  static let defaultCursorStyle = "\u{1B}[0 q"
  /// OSC 8 (egmontkob, "Hyperlinks in terminal emulators"): the following text links to the URL.
  static func beginLink(_ link: Link) -> String { "\u{1B}]8;id=\(link.id);\(link.address)\u{1B}\\" }
  static let endLink = "\u{1B}]8;;\u{1B}\\"
  /// OSC 9;4 (ConEmu, Windows Terminal): shows indeterminate progress.
  package static let showProgress = "\u{1B}]9;4;3\u{1B}\\"
  package static let clearProgress = "\u{1B}]9;4;0\u{1B}\\"
  /// OSC 9 (iTerm2, "Proprietary Escape Codes"): a desktop notification. The text must not begin with a digit, which other
  /// sequences do.
  static func notification(_ text: Sanitized) -> String { "\u{1B}]9;\(text)\u{1B}\\" }

  // MARK: Title (ctlseqs "Operating System Commands" and "Window manipulation")

  static func title(_ text: String) -> String { "\u{1B}]2;\(text)\u{1B}\\" }
  static let pushTitle = "\u{1B}[22;0t"
  static let popTitle = "\u{1B}[23;0t"

  // MARK: Clipboard (ctlseqs "Operating System Commands")

  /// OSC 52: copies text to the clipboard.
  ///
  /// - Parameter passesScreen: Whether GNU screen runs in the terminal. It passes on the content of DCS strings of at
  ///   most 768 bytes (screen(1), "String Escapes").
  static func copy(_ text: String, passesScreen: Bool = false) -> String {
    let start = "\u{1B}]52;c;\(Base64.encoded(text))"
    guard passesScreen else { return start + "\u{1B}\\" }
    // The sequence ends with BEL, because ST would end the DCS string.
    let bytes = Array((start + "\u{7}").utf8)
    return stride(from: 0, to: bytes.count, by: 500).map { start in
      "\u{1B}P\(String(decoding: bytes[start..<min(start + 500, bytes.count)], as: UTF8.self))\u{1B}\\"
    }.joined()
  }

  // MARK: Queries

  static let queryKeyboardFlags = "\u{1B}[?u"
  /// XTVERSION (ctlseqs): queries the name and version of the terminal.
  static let queryVersion = "\u{1B}[>0q"
  /// OSC 11 (ctlseqs): queries the background color.
  static let queryBackground = "\u{1B}]11;?\u{1B}\\"
  /// XTWINOPS 16 (ctlseqs): queries the size of a cell in pixels.
  static let queryCellSize = "\u{1B}[16t"
  /// DSR 6 (ECMA-48 8.3.35): queries the position of the cursor.
  static let queryCursor = "\u{1B}[6n"
  /// DA1 (ECMA-48 8.3.24), which every terminal answers. It serves as a fence: queries that are not answered
  /// before it will not be answered.
  static let queryDeviceAttributes = "\u{1B}[c"
}

/// The private modes that the program sets (ctlseqs "DEC Private Mode Set"; others are named at the mode).
enum PrivateMode: Int {
  /// A row that is full continues in the next one.
  case wrap = 7
  case cursor = 25
  /// Reports presses and the wheel.
  case mousePresses = 1000
  case focusReports = 1004
  /// Mouse reports are in SGR format.
  case mouseFormat = 1006
  /// Saves the cursor, switches to the alternate screen and clears it.
  case alternateScreen = 1049
  case bracketedPaste = 2004
  /// Synchronized updates (contour-terminal/vt-extensions, "synchronized-output").
  case synchronizedUpdate = 2026
  /// Grapheme clustering (contour-terminal/terminal-unicode-core).
  case graphemes = 2027
  /// Reports of a changed color scheme (contour-terminal/vt-extensions, "color palette update notifications").
  case colorSchemeReports = 2031

  var on: String { "\u{1B}[?\(rawValue)h" }
  var off: String { "\u{1B}[?\(rawValue)l" }
  /// The query for the state of the mode: DECRQM (DEC STD 070).
  var query: String { "\u{1B}[?\(rawValue)$p" }

  static let mouse = [mousePresses, mouseFormat]
}

extension [PrivateMode] {
  var on: String { map(\.on).joined() }
  var off: String { map(\.off).joined() }
}
