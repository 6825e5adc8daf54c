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

  /// Creates a normalized key.
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
    var rest = Substring(notation)
    var modifiers: Modifiers = []
    while let (name, modifier) = Key.modifierNames.first(where: { rest.hasPrefix($0.0 + "-") }),
      rest.count > name.count + 1
    {
      modifiers.insert(modifier)
      rest = rest.dropFirst(name.count + 1)
    }
    if let reason = Key.refusal(of: rest, modifiers) {
      throw KeyNotationError(notation: notation, reason: reason)
    }
    guard let code = Key.code(named: rest) else {
      throw KeyNotationError(
        notation: notation,
        reason: "no such key. Use one character, \(Key.names.map(\.0).joined(separator: ", ")), or f1 to f35")
    }
    self.init(code, modifiers)
  }

  /// The key in notation, with modifiers in the order ctrl, alt, shift.
  package var notation: String {
    var text = ""
    for (name, modifier) in Key.modifierNames where modifiers.contains(modifier) { text += name + "-" }
    if let name = Key.names.first(where: { $0.1 == code })?.0 { return text + name }
    switch code {
    case .character(let character): return text + String(character)
    case .function(let number): return text + "f\(number)"
    default: return text
    }
  }

  private static let modifierNames: [(String, Modifiers)] = [
    ("ctrl", .ctrl), ("alt", .alt), ("shift", .shift),
  ]

  private static let names: [(String, Code)] = [
    ("space", .character(" ")), ("tab", .tab), ("enter", .enter), ("esc", .escape), ("backspace", .backspace),
    ("up", .up), ("down", .down), ("left", .left), ("right", .right), ("home", .home), ("end", .end),
    ("pageup", .pageUp), ("pagedown", .pageDown), ("insert", .insert), ("delete", .delete),
  ]

  private static func code(named name: Substring) -> Code? {
    if let named = names.first(where: { $0.0 == name }) { return named.1 }
    if name.first == "f", let number = Int(name.dropFirst()), (1...35).contains(number) {
      return .function(number)
    }
    guard name.count == 1, let character = name.first else { return nil }
    let isControl = character.unicodeScalars.contains { $0.properties.generalCategory == .control }
    return isControl ? nil : .character(character)
  }

  /// Why a terminal cannot distinguish this key from another one; nil if it can.
  private static func refusal(of name: Substring, _ modifiers: Modifiers) -> String? {
    if modifiers == .alt && (name == "O" || name == "[") || modifiers == [.alt, .shift] && name == "o" {
      return "the escape sequences of other keys begin with it"
    }
    guard modifiers.contains(.ctrl) else { return nil }
    switch name.lowercased() {
    case "i": return "terminals send it as tab. Use \"tab\""
    case "m": return "terminals send it as enter. Use \"enter\""
    case "[": return "terminals send it as esc. Use \"esc\""
    default: return nil
    }
  }
}

/// A text that is not a key.
package struct KeyNotationError: Error, Equatable, CustomStringConvertible {
  package let notation: String
  package let reason: String

  package var description: String { "invalid key \"\(notation)\": \(reason)" }
}
