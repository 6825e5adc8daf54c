import Testing

@testable import Terminal

@Suite struct KeyNotationTests {
  @Test(
    arguments: [
      ("j", Key("j")), ("J", Key("J")), ("é", Key("é")), ("日", Key("日")), ("-", Key("-")),
      ("space", Key(" ")), ("tab", Key(.tab)), ("shift-tab", Key(.tab, .shift)), ("enter", Key(.enter)),
      ("esc", Key(.escape)), ("backspace", Key(.backspace)), ("f5", Key(.function(5))),
      ("f35", Key(.function(35))),
      ("ctrl-x", Key("x", .ctrl)), ("alt-up", Key(.up, .alt)), ("alt-J", Key("J", .alt)),
      ("ctrl-space", Key(" ", .ctrl)),
      ("ctrl-\\", Key("\\", .ctrl)), ("ctrl-alt-shift-left", Key(.left, [.ctrl, .alt, .shift])),
      ("ctrl--", Key("-", .ctrl)),
      ("pageup", Key(.pageUp)), ("delete", Key(.delete)),
    ])
  func `A key and its notation convert to each other.`(notation: String, key: Key) throws {
    #expect(try Key(notation: notation) == key)
    #expect(key.notation == notation)
  }

  @Test(
    arguments: [
      ("shift-j", "J"), ("shift-J", "J"), ("ctrl-X", "ctrl-x"), ("shift-space", "space"),
      ("alt-shift-ö", "alt-Ö"),
      ("shift-alt-ctrl-up", "ctrl-alt-shift-up"), ("alt-shift-1", "alt-shift-1"), ("shift-ß", "shift-ß"),
    ])
  func `Other spellings of a key are normalized.`(written: String, normal: String) throws {
    #expect(try Key(notation: written).notation == normal)
  }

  @Test(
    arguments: [
      ("alt-O", "begin with it"), ("alt-[", "begin with it"),
      ("alt-shift-o", "begin with it"), ("ctrl-i", "Use \"tab\""),
      ("ctrl-I", "Use \"tab\""),
      ("ctrl-m", "Use \"enter\""), ("ctrl-[", "Use \"esc\""), ("", "no such key"),
      ("ctrl-", "no such key"),
      ("f0", "no such key"), ("f36", "no such key"), ("Enter", "no such key"), ("jj", "no such key"),
      ("\u{7}", "no such key"), ("super-x", "no such key. Use one character, space"),
      ("ctl-x", "no such key. Did you mean \"ctrl-x\"? Use"), ("C-x", "Did you mean \"ctrl-x\"?"),
      ("Ctrl-X", "Did you mean \"ctrl-x\"?"), ("M-up", "Did you mean \"alt-up\"?"),
      ("jj", "or f1 to f35, with ctrl-, alt- or shift- before it"),
    ])
  func `Text that is not a key is refused with a reason.`(notation: String, reason: String) {
    let error = #expect(throws: KeyNotationError.self) { try Key(notation: notation) }
    #expect(error?.description.contains(reason) == true)
    #expect(error?.description.hasPrefix("invalid key \"\(notation)\": ") == true)
  }

  @Test func `Keys that a terminal cannot distinguish are equal.`() {
    #expect(Key("i", .ctrl) == Key(.tab))
    #expect(Key("m", .ctrl) == Key(.enter))
    #expect(Key("[", .ctrl) == Key(.escape))
    #expect(Key("[", [.ctrl, .alt]) == Key(.escape, .alt))
  }

  @Test func `Only a character without Ctrl or Alt types text.`() {
    #expect(Key("あ").text == "あ")
    #expect(Key("a", .shift).text == "A")
    #expect(Key("a", .alt).text == nil)
    #expect(Key(.enter).text == nil)
  }
}
