import Search

@testable import App
@testable import Config
@testable import riffle

/// riffle-sources(5): how a source is written.
enum SourcesPage {
  static var page: ManPage {
    var page = ManPage(
      "riffle-sources", section: 5, "describe a paginated API to riffle in TOML")
    page.section("DESCRIPTION")
    page.paragraph(
      "A source describes the requests to an API, how to get the next page, where the rows are and how to show them. It is a TOML document in `~/.config/riffle/sources/`, found by its `id`, or any file named by its path. `riffle sources show NAME` prints the built-in sources, which use the same schema; `riffle add URL` creates a source from one page of an API; `riffle sources check FILE` reports every error in a source with line and column, and with `--response` shows what the source reads from a saved response."
    )
    page.section("EXAMPLES")
    for example in WorkedExamples.all {
      page.subsection(example.title)
      page.example(example.text.split(separator: "\n", omittingEmptySubsequences: false))
    }
    addServers(to: &page)
    addLanguage(to: &page)
    addStyles(to: &page)
    page.section("TYPES")
    page.paragraph("Tables use the types of TOML, and these. Most lists of one element need no brackets.")
    for (type, meaning) in types { page.term(type, meaning) }
    page.section("TABLES")
    for table in SourceDecoder.tables { add(table, to: &page) }
    page.section("COLUMN FORMATS")
    page.paragraph("Tables show the formatted value; csv, tsv and json contain the value itself.")
    for format in ColumnFormat.all { page.term("`\(format.name)`", "\(format.summary).") }
    page.section("LIMITS")
    page.paragraph(
      "A document is at most 1 MiB. A page is at most 32 MiB, with at most 100,000 rows and 64 levels of nesting; cells are cut at 1 MiB."
    )
    page.section("SEE ALSO")
    page.paragraph("`riffle`(1), `riffle-sources`(1), `riffle-add`(1), `riffle-config`(5)")
    return page
  }

  private static func addServers(to page: inout ManPage) {
    page.section("YOUR OWN SERVER")
    page.paragraph(
      "The built-in sources of one service extend an abstract document: the `github-…` sources extend `github-api`, the `gitlab-…` sources `gitlab-api`, and so do those of Docker Hub, Datasette and container registries. `server` is an option of that document, so two settings in a table of `config.toml` move all of these sources to your server, and the credential is sent only to the server set in the same table. Without `auth.from`, riffle sends no credential to another server."
    )
    page.paragraph(
      "A service without a default server, such as Jira, Grafana or Salesforce, needs one setting, the server, which then gets the credential, too: `options.server = \"https://example.atlassian.net\"` under `[sources.jira-api]`. The message for a missing server has this line and the name of its table."
    )
    for example in WorkedExamples.servers {
      page.subsection(example.title)
      page.example(example.text.split(separator: "\n", omittingEmptySubsequences: false))
    }
    page.paragraph(
      "`github-graphql` uses `https://HOST/api/graphql` on that server. `--set server=URL` selects another server for one run, without a credential. For two servers at once, write a source that extends `github`, with `options.server.default` and `auth.from` of its own."
    )
  }

  private static func addLanguage(to page: inout ManPage) {
    page.section("VALUE EXPRESSIONS")
    page.paragraph(
      "Where to find a value in a response or a row. In a list of expressions, the first value that is neither null nor empty is used."
    )
    for (form, meaning) in expressions { page.term(form, meaning) }
    page.section("PLACEHOLDERS")
    page.paragraph(
      "Used in `url`, `params`, `headers` and `body`. In a body, a string that is only a placeholder keeps the type of the value. Values are always escaped for their place in the request."
    )
    for (form, meaning) in placeholders { page.term(form, meaning) }
  }

  private static let types = [
    ("a value", "A string, a number or a boolean."),
    ("a duration", "`\"400ms\"`, `\"60s\"`, `\"5m\"`, `\"2h\"`."),
    ("an expression", "A value expression, or a list of them."),
    ("a path", "A value expression without a prefix, such as `a.b[0].c`."),
    ("a condition", "A table; see Conditions."),
    ("a target", "A part of the request: `query:NAME`, `body:a.b` or `header:NAME`."),
    ("a host", "`cdn.example.org` or `cdn.example.org:8080`."),
    (
      "a credential location",
      "Where a credential is stored. `env:NAME` is a variable. `file:PATH` is the first line of a file (absolute or `~/…`). `cmd:PROGRAM ARGUMENT …` is the first line of a program's output, run without a shell, within ten seconds. `store` is the API key that `riffle auth login` stores."
    ),
  ]

  private static let expressions = [
    (
      "`a.b[0].c`",
      "A path of fields and elements; `[-1]` is the last element, `[2:]` and `[:-1]` are slices."
    ),
    ("`a[*].name`", "The field of each element."),
    ("`[\"odd.key\"]`", "A field whose name needs quotes."),
    ("`links[rel=next].href`", "The first element whose field has that value."),
    (
      "`@key`",
      "With `shape = \"map\"`: the name of the field that contains the row. The column `@key` is the row id, which may be another value."
    ),
    ("`$`", "The entire response or row."),
    (
      "`^.name`",
      "For rows nested in other objects (`path = \"groups[*].items[*]\"`): a plain field of the enclosing object. `json` and `jsonl` show that object as the field `^`. If ids repeat from group to group: `id = \"={^.id}/{id}\"`."
    ),
    ("`header:Name`", "A header of the response."),
    ("`link:next`", "The URL with that relation in the Link header."),
    ("`=text {path} text`", "A string that contains values of the row or options of the source."),
  ]

  private static let placeholders = [
    ("`{query}`", "The query."),
    ("`{page_size}`", "The page size."),
    (
      "`{page}`, `{offset}`, `{cursor}`",
      "The position of the page, for a position inside a string: `Range = \"{offset}-{last}\"`, `filter = '{{\"limit\": {page_size}, \"skip\": {offset}}}'`, or `/list/{page}` in `url`. Use the one with the name of the pagination style, which then needs no `param`."
    ),
    (
      "`{last}`, `{end}`",
      "With `{offset}`: the number of the last row of the page, and the number after it."
    ),
    ("`{NAME}`", "The value of an option."),
    ("`{secret:NAME}`", "A credential; only in headers, parameters and the body."),
    ("`{app}`, `{version}`", "`riffle` and its version, which some services require."),
    ("`{homepage}`", "The value of `homepage`."),
    ("`{NAME?}`", "The parameter is omitted if the value is empty."),
    ("`{+NAME}`", "In a path: `/` is not escaped."),
    ("`{query|sql}`, `{query|json}`", "For strings in quotes in the query language of the service."),
    (
      "`{today}`, `{today-30d}`",
      "The day when the run began, or a number of days or weeks (`w`) before it, in UTC: `2026-11-23`; only in `[request]`, not in the value of an option."
    ),
    (
      "`{now}`, `{now-12h}`",
      "The time when the run began, or a number of minutes (`m`), hours, days or weeks before it: `2026-11-23T04:05:06Z`."
    ),
    (
      "`{NAME|date}`, `{NAME|iso8601}`, `{NAME|epoch}`, `{NAME|epoch_ms}`",
      "A time as a day, a time, or seconds or milliseconds since 1970."
    ),
    ("`{{`, `}}`", "Literal braces. In a body, other braces stay as they are."),
  ]

  private static func addStyles(to page: inout ManPage) {
    page.section("PAGINATION STYLES")
    for style in PaginationStyles.all { page.term("`\(style.name)`", style.meaning) }
    page.paragraph(
      "The list ends according to the first of these that is declared: `more` or `done`, `next`, `pages`, the total, an empty page. Two pages in a row without new rows end it as well."
    )
  }

  private static func add(_ table: TableManual, to page: inout ManPage) {
    page.subsection(table.title)
    page.paragraph(table.meaning)
    var group: String?
    for key in table.keys.filter({ $0.group == nil }) + table.keys.filter({ $0.group != nil }) {
      if let title = key.group, title != group { page.subsection("\(table.title) \(title)") }
      group = key.group
      page.term("`\(key.name)` (\(key.kind))", key.meaning)
    }
  }
}
