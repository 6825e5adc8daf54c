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
