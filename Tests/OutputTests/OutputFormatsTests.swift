import Output
import Testing

@Suite struct OutputFormatsTests {
  @Test func `Formats are found by the names of --format.`() throws {
    #expect(
      OutputFormats.all.map { $0.name } == [
        "table", "plain", "simple", "psql", "grid", "fancy-grid", "markdown", "html", "rst", "org", "latex",
        "csv",
        "tsv", "json", "jsonl", "template",
      ])
    for format in OutputFormats.all {
      #expect(OutputFormats.named(format.name)?.summary == format.summary)
    }
    #expect(OutputFormats.named("xml") == nil)
  }

  @Test(arguments: [
    ("a.csv", "csv"), ("a.TSV", "tsv"), ("a.json", "json"), ("a.jsonl", "jsonl"), ("a.ndjson", "jsonl"),
    ("a.html", "html"), ("a.md", "markdown"), ("a.txt", "table"), ("a.rst", "rst"), ("a.org", "org"),
    ("a.tex", "latex"),
    ("a", nil), (".csv", nil), ("a.", nil),
    ("dir.d/rows", nil), ("dir.d/.rows", nil), ("/dev/stdout", nil), ("a.b.csv", "csv"),
  ]) func `[D30] The extension of a file selects its format.`(path: String, name: String?) throws {
    #expect(try OutputFormats.format(forFile: path)?.name == name)
  }

  @Test(arguments: ["x.xlsx", "x.parquet", "x.csv.gz", ".hidden.doc"])
  func `[D30] An unknown file extension is reported with the known ones.`(path: String) {
    #expect {
      try OutputFormats.format(forFile: path)
    } throws: { error in
      "\(error)".hasSuffix(
        "Use .txt, .md, .html, .rst, .org, .tex, .csv, .tsv, .json, .jsonl or .ndjson"
      )
    }
  }

  @Test func `[D30] No two formats share an extension, and the resumable ones can end after any row.`() {
    let endings = OutputFormats.all.flatMap { $0.fileEndings }
    #expect(Set(endings).count == endings.count)
    #expect(OutputFormats.all.filter { $0.isResumable }.map { $0.name } == ["csv", "tsv", "jsonl"])
  }

  @Test func `Every format writes the rows of every page once, whatever a page contains.`() throws {
    for format in OutputFormats.all where format.name != "template" {
      let text = try written(format.name, "[]", #"[{"name": "first"}]"#, "[]", #"[{"name": "second"}]"#)
      #expect(text.split(separator: "first").count == 2, "\(format.name)")
      #expect(text.split(separator: "second").count == 2, "\(format.name)")
    }
  }
}
