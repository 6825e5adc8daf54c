import Detection
import JSON
import Testing

/// Documents in YAML, and the JSON that they stand for.
@Suite struct YAMLDocumentTests {
  private func picture(_ text: String, limit: Int = 1 << 20) -> String {
    do { return String(decoding: try YAMLDocument.json(text, limit: limit), as: UTF8.self) } catch {
      return "error: \(error)"
    }
  }

  @Test(arguments: [
    ("a: 1\nb: [x, 'y', \"z\\n\"]", #"{"a":1,"b":["x","y","z\n"]}"#),
    ("- true\n- False\n- ~\n- null\n-\n- yes\n- 'true'", #"[true,false,null,null,null,"yes","true"]"#),
    (
      "- 1.5\n- -2e3\n- 0x1F\n- 007\n- .5\n- 1_000\n- 2024-05-06",
      #"[1.5,-2e3,"0x1F","007",".5","1_000","2024-05-06"]"#
    ),
    ("200: ok\ntrue: x\n'on': y", #"{"200":"ok","true":"x","on":"y"}"#),
    ("a: |\n  one\n  two\nb: >-\n  three\n  four", #"{"a":"one\ntwo\n","b":"three four"}"#),
    ("a: &x {n: 1}\nb: *x\nc: {<<: *x, m: 2}", #"{"a":{"n":1},"b":{"n":1},"c":{"m":2,"n":1}}"#),
    ("%YAML 1.2\n---\n{\"a\": {\"b\": []}}", #"{"a":{"b":[]}}"#),
    ("? [1, 2]\n: complex\na: 1", #"{"a":1}"#),
    ("- !!str 5\n- ! 6\n- !!int 7", #"["5","6",7]"#),
    ("\u{FEFF}a: é", #"{"a":"é"}"#),
  ]) func `A document is written as JSON.`(text: String, json: String) { #expect(picture(text) == json) }

  @Test(arguments: [
    ("a: [1", "error: line 2: "), ("a: b: c", "error: line 1: mapping values are not allowed"),
    ("a: 1\na: 2", "error: line 1: the key \"a\" occurs twice"),
    ("a: *b", "error: line 1: the alias *b stands for nothing"),
    ("", "error: it is empty"),
    ("a: 1\n---\nb: 2", "error: line 2: a second document begins, and only one can be read"),
    ("a: &a [*a]", "error: "),
  ]) func `What is broken is refused with its line.`(text: String, message: String) {
    #expect(picture(text).hasPrefix(message), "\(picture(text))")
  }

  @Test func `Aliases that stand for more text than the limit are refused.`() {
    let lines = (1...20).map {
      "a\($0): &a\($0) [\(Array(repeating: "*a\($0 - 1)", count: 9).joined(separator: ", "))]"
    }
    let text = (["a0: &a0 x"] + lines).joined(separator: "\n")
    #expect(picture(text) == "error: its aliases stand for too much text")
  }

  @Test(arguments: ["[", "{a: ", "- "]) func `Deep nesting ends with an error.`(opening: String) {
    #expect(picture(String(repeating: opening, count: 100_000)).hasPrefix("error: "))
  }
}
