/// Why keys cannot be bound so.
package enum KeyMapError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A key would mean two things, or one and the beginning of another.
  case conflict(key: String, mode: Mode, actions: [String])
  case notAKey(notation: String, reason: String, action: String)
  case unknownAction(String, nearest: [String])
  /// A character that is typed into a line.
  case types(text: Character, mode: Mode, action: String)

  package var description: String {
    switch self {
    case .conflict(let key, let mode, let actions):
      "key \"\(key)\" in \(mode.rawValue) means both \(actions.joined(separator: " and ")); give one of them other "
        + "keys, or none: \(actions.map { "\($0) = []" }.joined(separator: " or "))"
    case .notAKey(let notation, let reason, let action):
      "\"\(notation)\" (for \(action)) cannot be a key: \(reason)"
    case .unknownAction(let name, let nearest):
      "there is no action \"\(name)\""
        + (nearest.isEmpty
          ? "; the help lists them all" : "; did you mean \(nearest.joined(separator: " or "))?")
    case .types(let text, let mode, let action):
      "\"\(text)\" (for \(action)) is typed into the line in \(mode.rawValue); take a key with ctrl or alt"
    }
  }
}
