private import Text

/// The keys a user gives to actions (`[keys.table]`, `[keys.query]`): they replace the action's default keys, and an
/// action that has one of them by default loses it. An empty list leaves an action without a key.
package struct KeyBindings: Sendable, Hashable {
  /// By mode and name of the action, in key notation; a sequence is divided by blanks.
  package var keys: [Mode: [String: [String]]]

  package init(_ keys: [Mode: [String: [String]]] = [:]) { self.keys = keys }

  /// The keys the user gave to an action; nil when it keeps its default ones.
  func keys(of action: Action, in mode: Mode) -> [String]? { keys[mode]?[action.name] }

  func check(against actions: [Action]) throws(KeyMapError) {
    let names = actions.map(\.name)
    for name in keys.values.flatMap(\.keys).sorted() where !names.contains(name) {
      throw .unknownAction(name, nearest: NearestName.nearest(to: name, among: names))
    }
  }
}
