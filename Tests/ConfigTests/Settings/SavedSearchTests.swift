import Testing

@testable import Config

/// `[searches.NAME]` in the settings file.
@Suite struct SavedSearchTests {
  private func layers(_ text: String) throws(ConfigError) -> SettingsLayers {
    try SettingsLayers(schema: TestSchema.schema, file: TOMLDocument(text, file: "config.toml"))
  }

  @Test func `A saved search has a source and any other given settings.`() throws {
    let layers = try layers(
      """
      [searches.bugs]
      source = "github-issues"
      query = "is:open label:bug"
      set = { sort = "updated", order = "desc" }
      filter = "comments>3 -wip"
      sort = "updated_at:desc"
      columns = ["title", "comments"]

      [searches.hn]
      source = "hn"
      """)
    let bugs = try #require(layers.searches.first)
    #expect(layers.searches.map(\.name) == ["bugs", "hn"])
    #expect(bugs.source == "github-issues" && bugs.query == "is:open label:bug")
    #expect(bugs.options.map { "\($0.name)=\($0.value)" } == ["sort=updated", "order=desc"])
    #expect(bugs.filter == "comments>3 -wip")
    #expect(bugs.sort == ["updated_at:desc"] && bugs.columns == ["title", "comments"])
    #expect(layers.searches[1].query.isEmpty && layers.searches[1].columns.isEmpty)
    let report = layers.report.filter { $0.key.hasPrefix("searches.") }.map {
      "\($0.key) = \($0.value ?? "")"
    }
    #expect(
      report == [
        #"searches.bugs.source = "github-issues""#, #"searches.bugs.query = "is:open label:bug""#,
        #"searches.bugs.set.sort = "updated""#, #"searches.bugs.set.order = "desc""#,
        #"searches.bugs.filter = "comments>3 -wip""#, #"searches.bugs.sort = "updated_at:desc""#,
        #"searches.bugs.columns = ["title", "comments"]"#, #"searches.hn.source = "hn""#,
      ])
  }

  @Test(
    arguments: [
      ("[searches.x]", "1:1: [searches.x] source: missing (the source to search, like source = \"github\")"),
      (
        "[searches.x]\nsource = \"unicode\"\ncolumns = 3",
        "3:11: [searches.x] columns: expected a string or a list of strings, found an integer"
      ),
      ("[searches.x]\nsource = 3", "2:10: [searches.x] source: expected a string, found an integer"),
      (
        "[searches.x]\nsource = \"hn\"\nwords = \"a\"",
        "3:1: [searches.x] words: unknown setting. Expected one of source, query, set, filter, sort, columns"
      ),
      (
        "[searches.x]\nsource = \"hn\"\nset = { a = 1 }",
        "3:13: [searches.x.set] a: expected a string, found an integer"
      ),
      (
        "[searches.x]\nsource = \"hn\"\nfilter = \"age<\"",
        "3:10: [searches.x] filter: nothing after \"age<\""
      ),
      (
        "[searches.\"a b\"]\nsource = \"hn\"",
        "1:11: [searches.\"a b\"]: expected a name of letters, digits, - and _"
      ),
      ("searches = 3", "1:12: searches: expected a table, found an integer"),
    ]) func `A mistake is reported with its place.`(text: String, problem: String) throws
  {
    let error = try #require(throws: ConfigError.self) { try layers(text) }
    #expect(error.description == "config.toml:\(problem)")
  }
}
