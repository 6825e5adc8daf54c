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
