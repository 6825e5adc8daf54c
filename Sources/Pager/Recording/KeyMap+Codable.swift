package import Search

/// All bindings are encoded, so that a recording replays the same where other keys are bound, and in versions
/// with other default keys.
extension KeyMap {
  /// The keys of every action that has any.
  var everyBinding: KeyBindings {
    var keys: [Mode: [String: [String]]] = [:]
    for mode in Mode.allCases {
      for action in actions {
        let bound = self.keys(of: action.name, in: mode)
        if !bound.isEmpty { keys[mode, default: [:]][action.name] = bound }
      }
    }
    return KeyBindings(keys)
  }

  /// The names of the source's row actions.
  var rowActions: [String] {
    actions.filter { $0.name.hasPrefix(SourceActions.rowPrefix) }.map(\.summary)
  }

  /// Recreates a key map; actions without keys stay without.
  init(
    bindings: KeyBindings, options: [SourceOption], rowActions: [String]
  ) throws(JSONCodingError) {
    let own = rowActions.map { RowAction(name: $0, key: " ", effect: .copy(ValueExpression([]))) }
    let actions = Actions.all + SourceActions.actions(options: options, rowActions: own)
    var bindings = bindings
    for mode in Mode.allCases {
      for action in actions where bindings.keys[mode]?[action.name] == nil {
        bindings.keys[mode, default: [:]][action.name] = []
      }
    }
    do throws(KeyMapError) { try self.init(actions, bindings: bindings) } catch {
      throw JSONCodingError("the keys of the recording do not work in this version: \(error)")
    }
  }
}

extension KeyBindings: JSONCodable {
  package func write(to json: inout JSONWriter) {
    Dictionary(uniqueKeysWithValues: keys.map { ($0.rawValue, $1) }).write(to: &json)
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self.init()
    for (name, bound) in try [String: [String: [String]]](json: json) {
      guard let mode = Mode(rawValue: name) else { throw JSONCodingError("unknown mode \"\(name)\"") }
      keys[mode] = Dictionary(bound.map { (Actions.oldNames[$0] ?? $0, $1) }) { first, _ in first }
    }
  }
}
