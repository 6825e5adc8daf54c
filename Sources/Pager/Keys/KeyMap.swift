package import Terminal

/// Maps keys and key sequences to actions in each mode. A user binding takes precedence over a default; two
/// user bindings or two defaults for the same key are an error.
package struct KeyMap: Sendable {
  package enum Meaning: Sendable {
    case action(Action)
    /// The keys are a proper prefix of a sequence.
    case prefix
  }

  /// In the order help lists them.
  package let actions: [Action]
  private var meanings: [Mode: [[Key]: Int]] = [:]
  private var prefixes: [Mode: Set<[Key]>] = [:]
  private var notations: [Mode: [String: [String]]] = [:]

  /// - Throws: For conflicting keys, invalid key notation, or a binding of an unknown action.
  package init(_ actions: [Action] = Actions.all, bindings: KeyBindings = KeyBindings()) throws(KeyMapError) {
    self.actions = actions
    try bindings.check(against: actions)
    for (index, action) in actions.enumerated() {
      for mode in Mode.allCases {
        for notation in bindings.keys(of: action, in: mode) ?? [] { try bind(notation, in: mode, to: index) }
      }
    }
    let bound = meanings
    for (index, action) in actions.enumerated() {
      for mode in Mode.allCases where bindings.keys(of: action, in: mode) == nil {
        for notation in action.keys[mode] ?? [] {
          let keys = try Self.keys(notation, of: action.name)
          let isTaken = bound[mode]?.keys.contains { $0.starts(with: keys) || keys.starts(with: $0) } ?? false
          if !isTaken { try bind(notation, in: mode, to: index) }
        }
      }
    }
  }

  private init(empty: Void) { actions = [] }

  private mutating func bind(_ notation: String, in mode: Mode, to index: Int) throws(KeyMapError) {
    let keys = try Self.keys(notation, of: actions[index].name)
    if mode == .query || mode == .prompt, let text = keys.first?.text {
      throw .types(text: text, mode: mode, action: actions[index].name)
    }
    if let other = other(than: keys, in: mode) {
      throw .conflict(key: notation, mode: mode, actions: [actions[other].name, actions[index].name])
    }
    meanings[mode, default: [:]][keys] = index
    for length in 1..<max(1, keys.count) { prefixes[mode, default: []].insert(Array(keys.prefix(length))) }
    notations[mode, default: [:]][actions[index].name, default: []].append(notation)
  }

  /// The action bound to the same keys, to a prefix of them, or to a sequence that they are a prefix of.
  private func other(than keys: [Key], in mode: Mode) -> Int? {
    let known = meanings[mode] ?? [:]
    for length in 1...keys.count {
      if let index = known[Array(keys.prefix(length))] { return index }
    }
    guard prefixes[mode]?.contains(keys) ?? false else { return nil }
    return known.filter { $0.key.starts(with: keys) }.values.min()
  }

  private static func keys(_ notation: String, of action: String) throws(KeyMapError) -> [Key] {
    var keys: [Key] = []
    for part in notation.split(separator: " ") {
      do { keys.append(try Key(notation: String(part))) } catch {
        throw .notAKey(notation: notation, reason: error.reason, action: action)
      }
    }
    guard !keys.isEmpty else { throw .notAKey(notation: notation, reason: "it is empty", action: action) }
    return keys
  }

  /// The meaning of keys pressed one after the other; nil if they are not bound.
  package func meaning(of keys: [Key], in mode: Mode) -> Meaning? {
    if let index = meanings[mode]?[keys] { return .action(actions[index]) }
    return prefixes[mode]?.contains(keys) ?? false ? .prefix : nil
  }

  package func action(for key: Key, in mode: Mode) -> Action? {
    meanings[mode]?[[key]].map { actions[$0] }
  }

  package func action(named name: String) -> Action? { actions.first { $0.name == name } }

  /// The keys of an action, in key notation.
  package func keys(of action: String, in mode: Mode) -> [String] { notations[mode]?[action] ?? [] }

  /// The default keys. A test ensures that they do not conflict.
  package static let standard: KeyMap = (try? KeyMap()) ?? KeyMap(empty: ())
}
