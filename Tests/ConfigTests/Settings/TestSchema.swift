import Config

/// A schema with a few actions, and a key map that accepts one-letter, `ctrl-` and `f` keys.
enum TestSchema {
  static let schema = SettingsSchema(
    formats: ["table", "csv", "tsv", "json", "jsonl"], themes: ["auto", "dark", "light", "plain"],
    keys: KeySchema(modes: ["table", "query"], actions: actions, problem: problem))

  private static let actions = [
    KeySchema.Action(
      name: "down", summary: "next row", keys: ["table": ["j", "ctrl-n"], "query": ["ctrl-n"]]),
    KeySchema.Action(name: "quit", summary: "leave", keys: ["table": ["q"]]),
    KeySchema.Action(name: "copy-row", summary: "copy the row", keys: ["table": ["y y"]]),
    KeySchema.Action(
      name: "redraw", summary: "redraw the screen", keys: ["table": ["ctrl-l"], "query": ["ctrl-l"]]),
  ]

  /// The first problem, as the pager's key map would find it.
  private static func problem(_ bound: BoundKeys) -> KeyDiagnostic? {
    for mode in ["table", "query"] {
      var taken: [(key: String, action: String)] = []
      for action in actions {
        // A default key that the user binds to another action is not a conflict.
        for key in bound[mode]?[action.name] ?? [] {
          if !key.split(separator: " ").allSatisfy(isKey) {
            return KeyDiagnostic(
              "cannot bind \(action.name) to \"\(key)\": no such key", mode: nil,
              actions: [action.name],
              key: key)
          }
          if let other = taken.first(where: {
            "\($0.key) ".hasPrefix("\(key) ") || "\(key) ".hasPrefix("\($0.key) ")
          }) {
            return KeyDiagnostic(
              "key \"\(key)\" means both \(other.action) and \(action.name); unbind one of them: \(other.action) = []",
              mode: mode, actions: [other.action, action.name], key: key)
          }
          taken.append((key, action.name))
        }
      }
    }
    return nil
  }

  private static func isKey(_ text: Substring) -> Bool {
    text.count == 1 || text.hasPrefix("ctrl-") && text.count == 6
      || text.first == "f" && Int(text.dropFirst()) != nil
  }
}
