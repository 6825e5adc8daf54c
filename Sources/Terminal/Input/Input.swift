import Text

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

/// A mouse report in SGR format (xterm, "Extended coordinates", mode 1006): the left button or the wheel.
package struct Mouse: Hashable, Sendable, Codable {
  package enum Action: Hashable, Sendable, Codable { case press, wheelUp, wheelDown, wheelLeft, wheelRight }

  package let action: Action
  /// The zero-based column of the cell.
  package let column: Int
  package let row: Int
}

/// A terminal's answer to a query.
package enum Answer: Hashable, Sendable {
  /// The answer to DA1, which serves as a fence: every terminal that answers queries answers this one, in order.
  case deviceAttributes([Int])
  /// The answer to DECRQM for a private mode.
  case mode(Int, ModeState)
  /// The active kitty keyboard flags, which show that the terminal supports the protocol.
  case keyboardFlags(Int)
  /// The answer to XTVERSION: name and version.
  case version(String)
  /// The answer to OSC 11: red, green and blue of the background, each 0…255.
  case background(UInt8, UInt8, UInt8)
  /// The size of a cell in pixels.
  case cellSize(width: Int, height: Int)
  /// A cursor position report (CPR), zero-based. It is recognized only below the first row, where it cannot be confused
  /// with a key.
  case cursor(column: Int, row: Int)
  /// A report of mode 2031: whether the user's preference has changed to dark.
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

  /// Classifies a color. It is light if it has at least half of the maximum luma (ITU-R BT.709).
  init(red: UInt8, green: UInt8, blue: UInt8) {
    let luma = 2_126 * Int(red) + 7_152 * Int(green) + 722 * Int(blue)
    self = luma < 128 * 10_000 ? .dark : .light
  }
}

/// A key press, normalized across terminal encodings: Shift is part of a character that shows it (`J`, never
/// shift-j), control characters are named by their lowercase letter, and keys that legacy terminals cannot
/// distinguish (ctrl-i and Tab) are equal.
package struct Key: Hashable, Sendable {
  package enum Code: Hashable, Sendable {
    case character(Character)
    case up, down, left, right, home, end, pageUp, pageDown
    case insert, delete, enter, tab, backspace, escape
    /// F1 to F35, numbered 1…35.
    case function(Int)
  }

  package struct Modifiers: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let shift = Modifiers(rawValue: 1)
    package static let alt = Modifiers(rawValue: 2)
    package static let ctrl = Modifiers(rawValue: 4)
  }

  package let code: Code
  package let modifiers: Modifiers

  package init(_ code: Code, _ modifiers: Modifiers = []) {
    (self.code, self.modifiers) = Key.normalForm(code, modifiers)
  }

  package init(_ character: Character, _ modifiers: Modifiers = []) {
    self.init(.character(character), modifiers)
  }

  /// The character the key types into a line of text; nil if none.
  package var text: Character? {
    if case .character(let character) = code, modifiers.isEmpty { character } else { nil }
  }

  private static func normalForm(_ code: Code, _ modifiers: Modifiers) -> (Code, Modifiers) {
    guard case .character(let character) = code else { return (code, modifiers) }
    if modifiers.contains(.ctrl) {
      switch character {
      case "i", "I": return (.tab, modifiers.subtracting(.ctrl))
      case "m", "M": return (.enter, modifiers.subtracting(.ctrl))
      case "[": return (.escape, modifiers.subtracting(.ctrl))
      default: return (.character(oneCase(character, character.lowercased())), modifiers)
      }
    }
    if modifiers.contains(.shift) {
      let shifted = oneCase(character, character.uppercased())
      if shifted != character || character.isUppercase || character == " " {
        return (.character(shifted), modifiers.subtracting(.shift))
      }
    }
    return (code, modifiers)
  }

  /// `mapped` if it is one character (ß has no one-character uppercase form), else `character`.
  private static func oneCase(_ character: Character, _ mapped: String) -> Character {
    mapped.count == 1 ? mapped.first ?? character : character
  }
}

/// The notation of keys in configuration, help and tests:
/// `"j" "J" "space" "shift-tab" "f5" "ctrl-x" "alt-up"`. Modifiers precede the key in any order; names are
/// lowercase; a single character represents itself.
extension Key {
  /// - Throws: `KeyNotationError` for text that is not a key, or for a key that terminals cannot distinguish
  ///   from another.
  package init(notation: String) throws(KeyNotationError) {
    let (name, modifiers) = Key.parts(of: notation)
    guard let code = Key.code(named: name), !name.unicodeScalars.contains(where: \.isControl) else {
      throw KeyNotationError(
        notation: notation,
        reason: Sentences.joined([
          "no such key", Key.meant(by: notation).map { "Did you mean \"\($0)\"?" },
          "Use one character, \(Key.names.map(\.0).joined(separator: ", ")), or f1 to f35, "
            + "with ctrl-, alt- or shift- before it",
        ]))
    }
    self.init(code, modifiers)
    if modifiers == .alt && (name == "O" || name == "[") || modifiers == [.alt, .shift] && name == "o" {
      throw KeyNotationError(notation: notation, reason: "the escape sequences of other keys begin with it")
    }
    if modifiers.contains(.ctrl), !self.modifiers.contains(.ctrl) {
      let sent = Key(self.code).notation
      throw KeyNotationError(notation: notation, reason: "terminals send it as \(sent). Use \"\(sent)\"")
    }
  }

  /// The notation of a key with a modifier that other programs call differently: `ctrl-x` for `C-x`. Nil if there is
  /// none.
  private static func meant(by text: String) -> String? {
    let parts = text.split(separator: "-", maxSplits: 1).map(String.init)
    guard parts.count == 2, let modifier = otherModifiers[parts[0].lowercased()] else { return nil }
    let meant = "\(modifier)-\(parts[1])"
    return meant == text ? nil : (try? Key(notation: meant))?.notation
  }

  private static let otherModifiers = [
    "c": "ctrl", "ctl": "ctrl", "ctr": "ctrl", "control": "ctrl", "m": "alt", "meta": "alt", "option": "alt",
    "s": "shift", "ctrl": "ctrl", "alt": "alt", "shift": "shift",
  ]

  /// The key with this notation, even if it cannot be bound because terminals send another key for it; nil for text
  /// that is not a key.
  package init?(recorded notation: String) {
    let (name, modifiers) = Key.parts(of: notation)
    guard let code = Key.code(named: name) else { return nil }
    self.init(code, modifiers)
  }

  private static func parts(of notation: String) -> (name: String, modifiers: Modifiers) {
    var rest = notation
    var modifiers: Modifiers = []
    while let (prefix, modifier) = Key.modifierPrefixes.first(where: { rest.hasPrefix($0.0) }), rest != prefix
    {
      modifiers.insert(modifier)
      rest = String(rest.dropFirst(prefix.count))
    }
    return (rest, modifiers)
  }

  /// The key in notation, with modifiers in the order ctrl, alt, shift.
  package var notation: String {
    var text = ""
    for (prefix, modifier) in Key.modifierPrefixes where modifiers.contains(modifier) { text += prefix }
    if let name = Key.names.first(where: { $0.1 == code })?.0 { return text + name }
    return switch code {
    case .character(let character): text + String(character)
    case .function(let number): text + "f\(number)"
    default: text
    }
  }

  private static let modifierPrefixes: [(String, Modifiers)] = [
    ("ctrl-", .ctrl), ("alt-", .alt), ("shift-", .shift),
  ]

  private static let names: [(String, Code)] = [
    ("space", .character(" ")), ("tab", .tab), ("enter", .enter), ("esc", .escape), ("backspace", .backspace),
    ("up", .up), ("down", .down), ("left", .left), ("right", .right), ("home", .home), ("end", .end),
    ("pageup", .pageUp), ("pagedown", .pageDown), ("insert", .insert), ("delete", .delete),
  ]

  private static func code(named name: String) -> Code? {
    if let character = name.first, name.dropFirst().isEmpty { return .character(character) }
    if let named = names.first(where: { $0.0 == name }) { return named.1 }
    if name.first == "f", let number = Int(name.dropFirst()), 1...35 ~= number { return .function(number) }
    return nil
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is a control character (general category Cc).
  fileprivate var isControl: Bool { value < 0x20 || 0x7F...0x9F ~= value }
}

/// The reason why a string is not the notation of a key.
package struct KeyNotationError: Error, Equatable, CustomStringConvertible {
  package let notation: String
  package let reason: String

  package var description: String { "invalid key \"\(notation)\": \(reason)" }
}
