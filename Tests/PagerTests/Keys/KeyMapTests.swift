import Search
import Terminal
import Testing

@testable import Pager

@Suite struct KeyMapTests {
  private func problem(_ keys: [Mode: [String: [String]]], _ actions: [Action] = Actions.all) -> String {
    do {
      _ = try KeyMap(actions, bindings: KeyBindings(keys))
      return ""
    } catch { return "\(error)" }
  }

  @Test func `No two default actions share a key.`() throws {
    #expect(throws: Never.self) { try KeyMap() }
    #expect(KeyMap.standard.action(for: Key("q"), in: .table)?.name == "quit")
  }

  @Test func `[D15] A key that the user binds is taken from the action that has it by default.`() throws {
    let map = try KeyMap(bindings: KeyBindings([.table: ["detail": ["enter"], "quit": ["y"]]]))
    #expect(map.action(for: Key(.enter), in: .table)?.name == "detail")
    #expect(map.keys(of: "choose", in: .table) == [])
    // A sequence that begins with the key could never be typed.
    #expect(map.keys(of: "copy-row", in: .table) == [])
    #expect(map.action(for: Key("y"), in: .table)?.name == "quit")
    #expect(map.keys(of: "copy-row", in: .popup) == ["y y"])
  }

  @Test func `A user's keys take the place of the default ones, and none unbinds.`() throws {
    let map = try KeyMap(bindings: KeyBindings([.table: ["quit": [], "down": ["q", "ctrl-t j"]]]))
    #expect(map.action(for: Key("q"), in: .table)?.name == "down")
    #expect(map.action(for: Key("j"), in: .table) == nil)
    #expect(map.keys(of: "down", in: .table) == ["q", "ctrl-t j"])
    guard case .beginning? = map.meaning(of: [Key("t", .ctrl)], in: .table) else {
      Issue.record("ctrl-t begins a sequence")
      return
    }
  }

  @Test(arguments: [
    ("quit", "nokey", "\"nokey\" (for quit) cannot be a key: no such key; use one character, or"),
    ("quit", "", "\"\" (for quit) cannot be a key: it is empty"),
    ("quit", "alt-O", "\"alt-O\" (for quit) cannot be a key: it begins the escape sequences of other keys"),
    ("quti", "q", "unknown action \"quti\"; did you mean quit?"),
  ]) func `What cannot be bound is refused with the reason.`(action: String, key: String, why: String) {
    #expect(problem([.table: [action: [key]]]).hasPrefix(why))
  }

  @Test(arguments: [
    (["q"], ["q"], "key \"q\" in table is bound to both down and quit"),
    (["y"], ["y z"], "key \"y z\" in table is bound to both down and quit"),
    (["y z"], ["y"], "key \"y\" in table is bound to both down and quit"),
  ]) func `[D15] Two actions that the user binds to one key are an error.`(
    down: [String], quit: [String], why: String
  ) {
    #expect(
      problem([.table: ["down": down, "quit": quit]])
        == "\(why); bind one of them to another key, or to none: down = [] or quit = []")
  }

  @Test func `A character cannot be an action where it is typed.`() {
    #expect(
      problem([.query: ["help": ["?"]]])
        == "\"?\" (for help) is text in query; use a key with ctrl or alt")
  }

  @Test func `A source's key that is taken is refused.`() throws {
    let action = RowAction(name: "open", key: "s", effect: .copy(try ValueExpression(parsing: "name")))
    let option = SourceOption(name: "sort", values: ["a", "b"], key: "s")
    let own = SourceActions.actions(options: [option], rowActions: [action])
    #expect(
      problem([:], Actions.all + own)
        == "key \", s\" in table is bound to both option-sort and action-open; bind one of them to another key, or to none: option-sort = [] or action-open = []"
    )
  }

  @Test(arguments: [
    ("esc", "Esc"), ("ctrl-x", "Ctrl-X"), ("alt-m", "Alt-m"), ("y c", "y c"), ("f5", "F5"), ("-", "-"),
    ("shift-tab", "Shift-Tab"), ("pagedown", "PgDn"), ("alt-up", "Alt-Up"), ("G", "G"), ("ctrl--", "Ctrl--"),
  ]) func `Keys are shown as people know them.`(notation: String, label: String) {
    #expect(KeyMap.label(notation) == label)
  }
}
