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
      "key \"\(key)\" is bound to both \(actions.joined(separator: " and ")) in \(mode.rawValue) mode. "
        + "Bind one of them to another key, or unbind it: \(actions.map { "\($0) = []" }.joined(separator: " or "))"
    case .notAKey(let notation, let reason, let action):
      "cannot bind \(action) to \"\(notation)\": \(reason)"
    case .unknownAction(let name, let nearest):
      "unknown action \"\(name)\""
        + (nearest.isEmpty
          ? ". Press ? in the pager for a list"
          : ". Did you mean \(nearest.map { "\"\($0)\"" }.joined(separator: " or "))?")
    case .types(let text, let mode, let action):
      "cannot bind \(action) to \"\(text)\" in \(mode.rawValue) mode: the key types text. Use a key with ctrl or alt"
    }
  }
}
