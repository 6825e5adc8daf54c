private import Text

/// The keys a user gives to actions (`[keys.table]`, `[keys.query]`): they take the place of the default ones; an
/// empty list leaves an action without a key.
package struct KeyBindings: Sendable, Hashable {
  /// By mode and name of the action, in key notation; a sequence is divided by blanks.
  package var keys: [Mode: [String: [String]]]

  package init(_ keys: [Mode: [String: [String]]] = [:]) { self.keys = keys }

  func keys(of action: Action, in mode: Mode) -> [String] {
    keys[mode]?[action.name] ?? action.keys[mode] ?? []
  }

  func check(against actions: [Action]) throws(KeyMapError) {
    let names = actions.map(\.name)
    for name in keys.values.flatMap(\.keys).sorted() where !names.contains(name) {
      throw .unknownAction(name, nearest: NearestName.nearest(to: name, among: names))
    }
  }
}
