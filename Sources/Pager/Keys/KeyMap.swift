import Search
package import Terminal
private import Text

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
  /// The bound sequences by mode and first key: only those can conflict.
  private var sequences: [Start: [KeySequence]] = [:]
  /// All bindings: the default keys and the user's.
  private(set) var bindings = KeyBindings()

  /// - Throws: For conflicting keys, invalid key notation, or a binding of an unknown action.
  package init(_ actions: [Action] = Actions.all, bindings: KeyBindings = KeyBindings()) throws(KeyMapError) {
    self.actions = actions
    try bindings.check(against: actions)
    for (index, action) in actions.enumerated() {
      for mode in Mode.allCases {
        try bind(bindings.keys(of: action, in: mode) ?? [], in: mode, to: index)
      }
    }
    let users = self
    for (index, action) in actions.enumerated() {
      for mode in Mode.allCases where bindings.keys(of: action, in: mode) == nil {
        try bind(action.keys[mode] ?? [], besides: users, in: mode, to: index)
      }
    }
  }

  private struct Start: Hashable {
    let mode: Mode
    let key: Key
  }

  private struct KeySequence {
    let keys: [Key]
    /// The index of its action.
    let action: Int
  }

  private init(empty: Void) { actions = [] }

  private func sequences(like keys: [Key], in mode: Mode) -> [KeySequence] {
    keys.first.flatMap { sequences[Start(mode: mode, key: $0)] } ?? []
  }

  /// Binds all notations to an action, except those that the user bound to others.
  private mutating func bind(
    _ notations: [String], besides users: KeyMap? = nil, in mode: Mode, to index: Int
  ) throws(KeyMapError) {
    let name = actions[index].name
    var bound: [String] = []
    for notation in notations {
      let keys = try Self.keys(notation, of: name)
      guard let first = keys.first else {
        throw .notAKey(notation: notation, reason: "it is empty", action: name)
      }
      if users?.other(than: keys, in: mode) != nil { continue }
      if mode == .query || mode == .prompt, let text = first.text {
        throw .types(text: text, mode: mode, action: name)
      }
      if let other = other(than: keys, in: mode) {
        throw .conflict(key: notation, mode: mode, actions: [actions[other].name, name])
      }
      sequences[Start(mode: mode, key: first), default: []].append(KeySequence(keys: keys, action: index))
      bound.append(notation)
    }
    if !bound.isEmpty { bindings.keys[mode, default: [:]][name] = bound }
  }

  /// The action bound to the same keys, to a prefix of them, or to a sequence that they are a prefix of.
  private func other(than keys: [Key], in mode: Mode) -> Int? {
    sequences(like: keys, in: mode).filter { $0.keys.starts(with: keys) || keys.starts(with: $0.keys) }
      .map(\.action).min()
  }

  private static func keys(_ notation: String, of action: String) throws(KeyMapError) -> [Key] {
    do throws(KeyNotationError) {
      return try notation.split(separator: " ").map { part throws(KeyNotationError) in
        try Key(notation: String(part))
      }
    } catch { throw .notAKey(notation: notation, reason: error.reason, action: action) }
  }

  /// The meaning of keys pressed one after the other; nil if they are not bound.
  package func meaning(of keys: [Key], in mode: Mode) -> Meaning? {
    let sequences = sequences(like: keys, in: mode)
    if let bound = sequences.first(where: { $0.keys == keys }) { return .action(actions[bound.action]) }
    if sequences.contains(where: { $0.keys.starts(with: keys) }) { return .prefix }
    return mode.base.flatMap { meaning(of: keys, in: $0) }
  }

  /// The sequences that begin with these keys: what follows them, in key notation, and the action, in the order of help.
  func continuations(of keys: [Key], in mode: Mode) -> [(keys: String, action: Action)] {
    let own = sequences(like: keys, in: mode)
    let others = mode.base.map { sequences(like: keys, in: $0) } ?? []
    let begun = (own + others.filter { other in !own.contains { $0.keys == other.keys } })
      .filter { $0.keys.starts(with: keys) && $0.keys != keys }
    return begun.sorted { $0.action < $1.action }.map { sequence in
      let rest = sequence.keys.dropFirst(keys.count).map(\.notation)
      return (keys: rest.joined(separator: " "), action: actions[sequence.action])
    }
  }

  package func action(named name: String) -> Action? { actions.first { $0.name == name } }

  /// The keys of an action, in key notation.
  package func keys(of action: String, in mode: Mode) -> [String] {
    if let own = bindings.keys[mode]?[action] { return own }
    guard let base = mode.base else { return [] }
    // Those that the mode itself binds are no keys of the action there.
    let taken: [String] = bindings.keys[mode].map { $0.values.flatMap(\.self) } ?? []
    return ownKeys(of: action, in: base).filter { !taken.contains($0) }
  }

  /// Those that are bound in the mode itself.
  package func ownKeys(of action: String, in mode: Mode) -> [String] { bindings.keys[mode]?[action] ?? [] }

  /// The default keys. A test ensures that they do not conflict.
  package static let standard: KeyMap = (try? KeyMap()) ?? KeyMap(empty: ())
}

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
      throw .unknownAction(name, advice: NearestName.question(name, among: names))
    }
  }
}

package enum KeyMapError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Two actions have the same key, or the key of one is a prefix of the other's.
  case conflict(key: String, mode: Mode, actions: [String])
  case notAKey(notation: String, reason: String, action: String)
  case unknownAction(String, advice: String?)
  /// The key types a character in this mode, so it cannot be bound there.
  case types(text: Character, mode: Mode, action: String)

  package var description: String {
    switch self {
    case .conflict(let key, let mode, let actions):
      "key \"\(key)\" is bound to both \(actions.joined(separator: " and ")) in \(mode.rawValue) mode. "
        + "Bind one of them to another key, or unbind it: \(actions.map { "\($0) = []" }.joined(separator: " or "))"
    case .notAKey(let notation, let reason, let action): "cannot bind \(action) to \"\(notation)\": \(reason)"
    case .unknownAction(let name, let advice):
      "unknown action \"\(name)\". \(advice ?? "Press ? in the pager for a list")"
    case .types(let text, let mode, let action):
      "cannot bind \(action) to \"\(text)\" in \(mode.rawValue) mode: the key types text. Use a key with ctrl or alt"
    }
  }
}

extension KeyMap {
  /// Keys as displayed to the user: `Esc`, `Ctrl-X`, `Alt-m`, `y c`, `F5`.
  package static func label(_ notation: String) -> String {
    notation.split(separator: " ").map { label(ofKey: String($0)) }.joined(separator: " ")
  }

  /// Several keys, separated by commas; if they are those of all digits, `Alt-1 to Alt-9`.
  package static func labels(_ notations: [String]) -> String {
    let stem = notations.first.map { String($0.dropLast()) } ?? ""
    if notations == (1...9).map({ stem + String($0) }) {
      return label(stem + "1") + " to " + label(stem + "9")
    }
    return notations.map { label($0) }.joined(separator: ", ")
  }

  private static func label(ofKey notation: String) -> String {
    let isHyphen = notation.hasSuffix("-")
    let parts = notation.split(separator: "-").map(String.init)
    let modifiers = isHyphen ? parts : parts.dropLast()
    let name = isHyphen ? "-" : parts.last ?? ""
    let shown =
      name.count > 1
      ? names[name] ?? capitalized(name) : modifiers.contains("ctrl") ? name.uppercased() : name
    return (modifiers.map(capitalized) + [shown]).joined(separator: "-")
  }

  private static let names = ["pageup": "PgUp", "pagedown": "PgDn"]

  private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
}
