/// Why key bindings are invalid.
package enum KeyMapError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Two actions have the same key, or the key of one is a prefix of the other's.
  case conflict(key: String, mode: Mode, actions: [String])
  case notAKey(notation: String, reason: String, action: String)
  case unknownAction(String, nearest: [String])
  /// The key types a character in this mode, so it cannot be bound there.
  case types(text: Character, mode: Mode, action: String)

  package var description: String {
    switch self {
    case .conflict(let key, let mode, let actions):
      "key \"\(key)\" in \(mode.rawValue) is bound to both \(actions.joined(separator: " and ")); "
        + "bind one of them to another key, or to none: \(actions.map { "\($0) = []" }.joined(separator: " or "))"
    case .notAKey(let notation, let reason, let action):
      "\"\(notation)\" (for \(action)) cannot be a key: \(reason)"
    case .unknownAction(let name, let nearest):
      "unknown action \"\(name)\""
        + (nearest.isEmpty
          ? "; press ? in the pager for a list" : "; did you mean \(nearest.joined(separator: " or "))?")
    case .types(let text, let mode, let action):
      "\"\(text)\" (for \(action)) is text in \(mode.rawValue); use a key with ctrl or alt"
    }
  }
}
