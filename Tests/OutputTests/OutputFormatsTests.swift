import Output
import Testing

@Suite struct OutputFormatsTests {
  @Test func `Formats are found by the names of --format.`() throws {
    #expect(
      OutputFormats.all.map { $0.name } == [
        "table", "psql", "grid", "markdown", "html", "csv", "tsv", "json", "jsonl", "template",
      ])
    for format in OutputFormats.all {
      #expect(OutputFormats.named(format.name)?.summary == format.summary)
    }
    #expect(OutputFormats.named("xml") == nil)
  }

  @Test func `Every format writes every page's rows once, whatever a page holds.`() throws {
    for format in OutputFormats.all where format.name != "template" {
      let text = try written(format.name, "[]", #"[{"name": "first"}]"#, "[]", #"[{"name": "second"}]"#)
      #expect(text.split(separator: "first").count == 2, "\(format.name)")
      #expect(text.split(separator: "second").count == 2, "\(format.name)")
    }
  }
}
