import JSON
import Output
import Testing
import Text

@testable import Search

@Suite struct JSONTests {
  @Test func `JSON Lines copies the API's own objects, one per line.`() throws {
    #expect(
      try written(
        "jsonl", #"[{"b": 9007199254740993, "a" : [1.0, "\u00e9\/"]}, 7]"#, "[{\n  \"x\": \" y \"\n}]")
          == #"""
          {"b": 9007199254740993, "a" : [1.0, "\u00e9\/"]}
          7
          {"x":" y "}

          """#)
  }

  @Test func `JSON is a single array across all pages.`() throws {
    #expect(
      try written("json", #"[{"a":1},{"a":2}]"#, "[]", #"[{"a":3}]"#) == """
        [
        {"a":1},
        {"a":2},
        {"a":3}
        ]

        """)
  }

  @Test func `JSON is a closed array, even without rows.`() throws {
    #expect(try written("json") == "[]\n")
    #expect(try written("json", "[]", columns: "name") == "[]\n")
    #expect(try written("jsonl", "[]") == "")
  }

  @Test func `With columns, each row is an object of the named values.`() throws {
    #expect(
      try written(
        "jsonl", Samples.plain, Samples.awkward, columns: "name,stars,topics,pushed,note,missing.path")
          == #"""
          {"name":"swift/swift","stars":66012,"topics":["compiler", "language"],"pushed":"2023-11-14T22:13:20Z","note":"plain","missing.path":null}
          {"name":"日本語 🏗️","stars":9007199254740993,"topics":[],"pushed":"2023-11-14T22:13:20Z","note":"e\u0301migre\u0301 👩‍👩‍👧","missing.path":null}
          {"name":"a,b \"c\" | d","stars":null,"topics":{"x": [1, 2]},"pushed":"soon","note":"tab\tand\nline \\ end","missing.path":null}
          {"name":"<b>&amp;</b> *x* _y_ a_b","stars":1e3,"topics":["a", null, true, {"k": "v"}],"pushed":null,"note":"\u001b[31mred\u0007\u202eevil\u009b","missing.path":null}

          """#)
  }

  @Test func `Reserved columns keep the types of their values.`() throws {
    #expect(
      try written("jsonl", "[]", #"[{"id": 5}]"#, columns: "@link,@key,@page,@source,@json,[\"id\"]") == #"""
        {"@link":"https://example.org/item/5","@key":5,"@page":2,"@source":"demo","@json":{"id": 5},"[\"id\"]":5}

        """#)
  }

  @Test func `A path with many values is written as an array, and so is an alternative that leads to one.`()
    throws
  {
    let source = try source([
      Column(
        name: "tags", title: "tags", value: try ValueExpression(parsing: ["none", "tags[*].t"]),
        alignment: .leading, separator: " · ")
    ])
    let page = #"[{"tags": [{"t": "a\"b"}, {"t": [1, [2]]}, {"t": null}, {"t": false}]}]"#
    #expect(
      try written("jsonl", page, columns: "tags", of: source)
        == "{\"tags\":[\"a\\\"b\",[1,[2]],null,false]}\n")
    #expect(try written("tsv", page, columns: "tags", of: source) == "tags\na\"b · 1 · [2] ·  · false\n")
  }

  @Test(arguments: ["json", "jsonl"])
  func `On a terminal, characters that could control it are escaped, and the JSON value is unchanged.`(
    format: String
  ) throws {
    let raw = "[{\"k\u{7F}\": \"a\u{9B}b\u{202E}c\u{FEFF}\", \"id\": 1}]"
    let text = try written(format, raw, on: OutputOptions(isTerminal: true))
    #expect(text.contains(#"{"k\u007f": "a\u009bb\u202ec\ufeff", "id": 1}"#))
    let named = try written(format, raw, columns: "*", on: OutputOptions(isTerminal: true))
    #expect(named.contains(#"{"k\u007f":"a\u009bb\u202ec\ufeff","id":1}"#))
    #expect(try written(format, raw).contains("\u{9B}b\u{202E}c\u{FEFF}"))
  }

  @Test func `The output of an interrupted run is complete JSON after its end is written.`() throws {
    var writer = OutputWriter(
      try #require(OutputFormats.named("json")), selection: ColumnSelection(columnsOf: try source()),
      outputOptions: OutputOptions())
    var output: [UInt8] = []
    try writer.append(try rows(Samples.plain), into: &output)
    try writer.end(into: &output)
    #expect(
      try JSONDocument(output).root.elements.compactMap { $0["id"]?.text } == ["1", "9007199254740993"])
  }
}
