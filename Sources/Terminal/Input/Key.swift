/// One key press, in one normal form whatever the terminal's encoding:
/// Shift is part of a character where the character shows it (`J`, never shift-j), control characters are
/// named by their lower-case letter, and keys that legacy terminals cannot tell apart (ctrl-i and Tab) are one.
package struct Key: Hashable, Sendable {
  package enum Code: Hashable, Sendable {
    case character(Character)
    case up, down, left, right, home, end, pageUp, pageDown
    case insert, delete, enter, tab, backspace, escape
    /// F1 and on: 1…35.
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

  /// Brings the key to its normal form.
  package init(_ code: Code, _ modifiers: Modifiers = []) {
    (self.code, self.modifiers) = Key.normalForm(code, modifiers)
  }

  package init(_ character: Character, _ modifiers: Modifiers = []) {
    self.init(.character(character), modifiers)
  }

  /// What the key types into a line of text; nil when it types nothing.
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

  /// `mapped` when it is one character (ß has no one-character upper case), else `character`.
  private static func oneCase(_ character: Character, _ mapped: String) -> Character {
    mapped.count == 1 ? mapped.first ?? character : character
  }
}
