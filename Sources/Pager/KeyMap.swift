package import Terminal

/// Where a key is pressed.
package enum KeyScope: String, Sendable, CaseIterable {
  case table
  case query
  case popup
}

/// Which action a key means, per scope. One function builds it and refuses a second meaning.
package struct KeyMap: Sendable {
  private let actions: [KeyScope: [Key: Action]]

  /// - Throws: naming key, scope and both actions when a key would mean two things.
  package init(_ all: [Action]) throws(KeyConflict) {
    var actions: [KeyScope: [Key: Action]] = [:]
    for action in all {
      for (scope, notations) in action.keys {
        for notation in notations {
          guard let key = try? Key(notation: notation) else {
            throw KeyConflict(key: notation, scope: scope, actions: [action.name])
          }
          if let other = actions[scope]?[key] {
            throw KeyConflict(key: notation, scope: scope, actions: [other.name, action.name])
          }
          actions[scope, default: [:]][key] = action
        }
      }
    }
    self.actions = actions
  }

  private init(empty: Void) { actions = [:] }

  package func action(for key: Key, in scope: KeyScope) -> Action? { actions[scope]?[key] }

  /// The default keys. That they do not conflict is a test.
  package static let standard: KeyMap = (try? KeyMap(Actions.all)) ?? KeyMap(empty: ())
}

/// A key that would mean two things, or is no key (then one action is named).
package struct KeyConflict: Error, Sendable, Hashable, CustomStringConvertible {
  package let key: String
  package let scope: KeyScope
  package let actions: [String]

  package var description: String {
    actions.count > 1
      ? "key \"\(key)\" in \(scope.rawValue) means both \(actions.joined(separator: " and "))"
      : "\"\(key)\" (for \(actions.joined())) is not a key"
  }
}
