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
    (
      "a*: '*x'\nb: |\n  * one\n  **two**\nc: 1 *x* # *x\nd: \"*\"",
      #"{"a*":"*x","b":"* one\n**two**\n","c":"1 *x*","d":"*"}"#
    ),
    ("- &x 1\n- *x\n- &x 2\n- *x\n- [*x, {a: *x}]", "[1,1,2,2,[2,{\"a\":2}]]"),
    ("a: &k 5\n*k : 1\n? [&y w]\n: &z 3\nb: [*y, *z]", #"{"a":5,"5":1,"b":["w",3]}"#),
    (
      "- &a {x: 1, y: 1}\n- &b {<<: *a, y: 2, z: 2}\n- {<<: [*b, {z: 3, w: 3}], v: 4}\n- {'<<': *a}",
      #"[{"x":1,"y":1},{"y":2,"z":2,"x":1},{"v":4,"y":2,"z":2,"x":1,"w":3},{"<<":{"x":1,"y":1}}]"#
    ),
  ]) func `A document is written as JSON.`(text: String, json: String) { #expect(picture(text) == json) }

  @Test(arguments: [
    ("a: [1", "error: line 2: "), ("a: b: c", "error: line 1: mapping values are not allowed"),
    ("a: 1\na: 2", "error: line 1: the key \"a\" occurs twice"),
    ("a: *b", "error: line 1: the alias *b stands for nothing"),
    ("", "error: it is empty"),
    ("a: 1\n---\nb: 2", "error: line 2: a second document begins, and only one can be read"),
    ("a: &a [*a]", "error: line 1: the alias *a stands for nothing"),
    ("a: 1\nb: *.example.org", "error: line 2: the alias *.example.org stands for nothing"),
    ("- 1\n- &a 2\n- &b *a\n- *b", "error: line 4: the alias *b stands for nothing"),
    ("a: 1\né: \u{1}", "error: line 2: control characters are not allowed"),
    ("'*': 1\n'*': 2", "error: line 1: the key \"*\" occurs twice"),
  ]) func `A damaged record is rejected with its line.`(text: String, message: String) {
    #expect(picture(text).hasPrefix(message), "\(picture(text))")
  }

  @Test func `Aliases that stand for more text than the limit are refused.`() {
    let lines = (1...20).map {
      "a\($0): &a\($0) [\(Array(repeating: "*a\($0 - 1)", count: 9).joined(separator: ", "))]"
    }
    let text = (["a0: &a0 x"] + lines).joined(separator: "\n")
    #expect(picture(text) == "error: its aliases stand for too much text")
  }

  /// Every list or mapping has nine aliases of the one before it.
  private func lines(_ first: String, _ line: (_ aliases: String) -> String) -> [String] {
    ["- &a0 \(first)"]
      + (1...20).map {
        "- &a\($0) \(line(Array(repeating: "*a\($0 - 1)", count: 9).joined(separator: ", ")))"
      }
  }

  @Test func `Aliases that stand for too much text cost nothing where they are not written.`() {
    let key = lines("x") { "[\($0)]" }.joined(separator: "\n  ")
    #expect(picture("? \(key)\n: 1\na: 2") == #"{"a":2}"#)
  }

  @Test func `Mappings that are merged too often are refused.`() {
    let text = lines("{a: 1}") { "{<<: [\($0)]}" }.joined(separator: "\n")
    #expect(picture(text) == "error: its aliases stand for too much text")
  }

  @Test func `Aliases within aliases are followed to a depth of 1,000.`() {
    func text(_ depth: Int) -> String {
      "a: [&a0 x\(String((1..<depth).flatMap { ", &a\($0) [*a\($0 - 1)]" }))]"
    }
    #expect(picture(text(900)).hasSuffix("]]]}"))
    #expect(picture(text(20_000), limit: 1 << 24) == "error: its values are nested too deeply")
  }

  @Test(arguments: ["[", "{a: ", "- "]) func `Deep nesting ends with an error.`(opening: String) {
    #expect(picture(String(repeating: opening, count: 100_000)).hasPrefix("error: "))
  }

  @Test func `A document of 3 MB is written as JSON.`() {
    let words = String(repeating: "* a word ", count: 100)
    let text = (0..<3_500).map { "k\($0): |\n  \(words)\n" }.joined()
    let json = (0..<3_500).map { "\"k\($0)\":\"\(words)\\n\"" }.joined(separator: ",")
    #expect(text.utf8.count > 3_000_000)
    #expect(picture(text, limit: 1 << 22) == "{\(json)}")
  }
}
