private import Text

/// The user's key bindings (`[keys.table]`, `[keys.query]`). They replace the action's default keys, and an
/// action that has one of these keys by default loses it. An empty list leaves an action without a key.
package struct KeyBindings: Sendable, Hashable {
  /// By mode and action name, in key notation; the keys of a sequence are separated by spaces.
  package var keys: [Mode: [String: [String]]]

  package init(_ keys: [Mode: [String: [String]]] = [:]) { self.keys = keys }

  /// The user's keys for an action; nil if it keeps its defaults.
  func keys(of action: Action, in mode: Mode) -> [String]? { keys[mode]?[action.name] }

  func check(against actions: [Action]) throws(KeyMapError) {
    let names = actions.map(\.name)
    for name in keys.values.flatMap(\.keys).sorted() where !names.contains(name) {
      throw .unknownAction(name, nearest: NearestName.nearest(to: name, among: names))
    }
  }
}
