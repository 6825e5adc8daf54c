import Terminal
import Testing

@testable import Pager

@Suite struct LineEditorTests {
  /// The text, the keys, and the line after them with `|` for the caret.
  @Test(arguments: [
    ("", "a b c", "abc|"),
    ("one two", "ctrl-a x", "x|one two"),
    ("one two", "left left ctrl-k", "one t|"),
    ("one two", "ctrl-w", "one |"),
    ("one two", "ctrl-w ctrl-a ctrl-y", "two|one "),
    ("one two", "alt-b alt-d", "one |"),
    ("one two", "ctrl-a alt-f delete", "one|two"),
    ("one two", "ctrl-u", "|"),
    ("日本語", "left backspace", "日|語"),
    ("a🇯🇵b", "left backspace", "a|b"),
    ("👩‍👩‍👧", "backspace", "|"),
    ("e", "left delete", "|"),
    ("x", "home home left y end right z", "yxz|"),
  ]) func `Editing keys act as in readline, one character at a time.`(
    text: String, keys: String, result: String
  ) throws {
    var line = LineEditor(text)
    for key in keys.split(separator: " ") {
      let known = line.handle(try Key(notation: String(key)))
      #expect(known)
    }
    var picture = line.characters
    picture.insert("|", at: line.position)
    #expect(String(picture) == result)
  }

  @Test func `A combining mark joins the character before the caret.`() {
    var line = LineEditor("e")
    line.insert("\u{301}")
    #expect(line.characters == ["é"])
    #expect(line.position == 1)
  }

  @Test func `Keys that do not edit a line are not handled.`() throws {
    var line = LineEditor("x")
    let known = line.handle(try Key(notation: "f5"))
    #expect(!known)
  }
}
