import Search
import Terminal
import Testing

@testable import Pager

@Suite struct KeyMapTests {
  private func problem(_ keys: [Mode: [String: [String]]], adding actions: [Action] = []) -> String {
    do {
      _ = try KeyMap(Actions.all + actions, bindings: KeyBindings(keys))
      return ""
    } catch { return "\(error)" }
  }

  /// The name of the action of a single key in the table.
  private func tableAction(_ key: Key, of map: KeyMap) -> String? {
    if case .action(let action)? = map.meaning(of: [key], in: .table) { action.name } else { nil }
  }

  @Test func `No two default actions share a key.`() throws {
    #expect(throws: Never.self) { try KeyMap() }
    #expect(tableAction(Key("q"), of: .standard) == "quit")
  }

  @Test func `[D15] A key that the user binds is taken from its default action.`() throws {
    let map = try KeyMap(bindings: KeyBindings([.table: ["details": ["enter"], "quit": ["y"]]]))
    #expect(tableAction(Key(.enter), of: map) == "details")
    #expect(map.keys(of: "accept", in: .table) == [])
    // A sequence that begins with the key could never be typed.
    #expect(map.keys(of: "copy-row", in: .table) == [])
    #expect(tableAction(Key("y"), of: map) == "quit")
    #expect(map.keys(of: "copy-row", in: .detail) == ["y r"])
  }

  @Test func `A user's keys replace the default ones, and an empty list unbinds.`() throws {
    let map = try KeyMap(bindings: KeyBindings([.table: ["quit": [], "down": ["q", "ctrl-t j"]]]))
    #expect(tableAction(Key("q"), of: map) == "down")
    #expect(tableAction(Key("j"), of: map) == nil)
    #expect(map.keys(of: "down", in: .table) == ["q", "ctrl-t j"])
    guard case .prefix? = map.meaning(of: [Key("t", .ctrl)], in: .table) else {
      Issue.record("ctrl-t begins a sequence")
      return
    }
  }

  @Test(arguments: [
    ("quit", "nokey", "cannot bind quit to \"nokey\": no such key. Use one character, space"),
    ("quit", "", "cannot bind quit to \"\": it is empty"),
    ("quit", "alt-O", "cannot bind quit to \"alt-O\": the escape sequences of other keys begin with it"),
    ("quti", "q", "unknown action \"quti\". Did you mean \"quit\"?"),
  ]) func `An invalid key binding is rejected with the reason.`(
    action: String, key: String, why: String
  ) {
    #expect(problem([.table: [action: [key]]]).hasPrefix(why))
  }

  @Test(arguments: [
    (["q"], ["q"], "key \"q\" is bound to both down and quit in table mode"),
    (["y"], ["y z"], "key \"y z\" is bound to both down and quit in table mode"),
    (["y z"], ["y"], "key \"y\" is bound to both down and quit in table mode"),
  ]) func `[D15] Binding two actions to the same key is an error.`(
    down: [String], quit: [String], why: String
  ) {
    #expect(
      problem([.table: ["down": down, "quit": quit]])
        == "\(why). Bind one of them to another key, or unbind it: down = [] or quit = []")
  }

  @Test func `A character cannot be bound where text is typed.`() {
    #expect(
      problem([.query: ["help": ["?"]]])
        == "cannot bind help to \"?\" in query mode: the key types text. Use a key with ctrl or alt")
  }

  @Test func `A source's key that is already bound is rejected.`() throws {
    let action = RowAction(name: "open", key: "s", effect: .copy(try ValueExpression(parsing: "name")))
    let option = SourceOption(name: "sort", values: ["a", "b"], key: "s")
    let own = SourceActions.actions(options: [option], rowActions: [action])
    for keys: [Mode: [String: [String]]] in [[:], [.table: ["quit": ["Q"]]]] {
      #expect(
        problem(keys, adding: own)
          == "key \", s\" is bound to both option-sort and action-open in table mode. Bind one of them to another key, or unbind it: option-sort = [] or action-open = []"
      )
    }
    let free = try KeyMap(
      Actions.all + SourceActions.actions(options: [option], rowActions: []))
    #expect(free.keys(of: "option-sort", in: .table) == [", s"])
    #expect(free.keys(of: "quit", in: .table) == KeyMap.standard.keys(of: "quit", in: .table))
  }

  @Test(arguments: [
    ("esc", "Esc"), ("ctrl-x", "Ctrl-X"), ("alt-m", "Alt-m"), ("y c", "y c"), ("f5", "F5"), ("-", "-"),
    ("shift-tab", "Shift-Tab"), ("pagedown", "PgDn"), ("alt-up", "Alt-Up"), ("G", "G"), ("ctrl--", "Ctrl--"),
  ]) func `Keys are shown by their usual names.`(notation: String, label: String) {
    #expect(KeyMap.label(notation) == label)
  }
}
