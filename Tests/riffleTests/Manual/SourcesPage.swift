import Search

@testable import riffle

/// riffle-sources(5): how a source is written.
enum SourcesPage {
  static var page: ManPage {
    var page = ManPage(
      "riffle-sources", section: 5, "sources of riffle: any paginated API as a TOML document")
    page.section("DESCRIPTION")
    page.paragraph(
      "A source says what is asked of an API, how there is a next page, where the rows are and what they look like. It is a TOML document in `~/.config/riffle/sources/`, known by its `id`, or one that is named by its path. `riffle sources show NAME` shows those built in, which are written in this same schema; `riffle add URL` writes one from a page of an API; `riffle sources check FILE` tells all that is wrong with one, with line and column, and `--reply` what it reads from a saved reply."
    )
    page.section("EXAMPLES")
    for example in WorkedExamples.all {
      page.subsection(example.title)
      page.example(example.text.split(separator: "\n", omittingEmptySubsequences: false))
    }
    addLanguage(to: &page)
    addStyles(to: &page)
    page.section("TABLES")
    for table in SourceSchemaText.tables { add(table, to: &page) }
    page.section("COLUMN FORMATS")
    page.paragraph("Tables show the picture; csv, tsv and json have the value.")
    for format in ColumnFormat.all { page.term("`\(format.name)`", "\(format.summary).") }
    page.section("LIMITS")
    page.paragraph(
      "A document has at most 1 MiB. A page has at most 32 MiB, 100,000 rows and 64 levels; a cell is kept to 1 MiB."
    )
    page.section("SEE ALSO")
    page.paragraph("`riffle`(1), `riffle-sources`(1), `riffle-add`(1), `riffle-config`(5)")
    return page
  }

  private static func addLanguage(to page: inout ManPage) {
    page.section("VALUE EXPRESSIONS")
    page.paragraph(
      "Where a value stands in a reply, or in a row. A list of them is read in order: the first that is neither null nor empty counts."
    )
    for (form, meaning) in expressions { page.term(form, meaning) }
    page.section("PLACEHOLDERS")
    page.paragraph(
      "In `url`, `params`, `headers` and `body`. A text that is a placeholder alone keeps its type in a body. Values are placed, never pasted: they are escaped for where they stand."
    )
    for (form, meaning) in placeholders { page.term(form, meaning) }
  }

  private static let expressions = [
    ("`a.b[0].c`", "A path: members and elements; `[-1]` is the last, `[2:]` and `[:-1]` are slices."),
    ("`a[*].name`", "That of each element."),
    ("`[\"odd.key\"]`", "A member with a name that is none."),
    ("`links[rel=next].href`", "The first element whose member has that text."),
    ("`@key`", "With `shape = \"map\"`: the row's own key."),
    ("`$`", "The reply or row itself."),
    ("`header:Name`", "A header field of the reply."),
    ("`link:next`", "The target of that relation in the Link header."),
    ("`=text {path} text`", "A text with values of the row, or options of the source, in it."),
  ]

  private static let placeholders = [
    ("`{query}`", "What the user searches for."),
    ("`{page_size}`", "How many rows a page has."),
    ("`{NAME}`", "An option."),
    ("`{secret:NAME}`", "A secret; only in headers and parameters."),
    ("`{app}`, `{version}`", "riffle and its version, which some services want to know."),
    ("`{homepage}`", "What `homepage` says."),
    ("`{NAME?}`", "The whole parameter is left out when the value is empty."),
    ("`{+NAME}`", "In a path: `/` stays `/`."),
    ("`{query|sql}`, `{query|json}`", "For a text inside quotes of the service's own language."),
    ("`{{`, `}}`", "Braces. In a body, braces that are no placeholder are text as they stand."),
  ]

  private static func addStyles(to page: inout ManPage) {
    page.section("PAGINATION STYLES")
    for style in PaginationStyles.all { page.term("`\(style.name)`", meaning(ofStyle: style.name)) }
    page.paragraph(
      "The end is decided by the first of these that is declared: `more` or `done`, `next`, `pages`, the total, an empty page. A page of rows that were all there before ends the list the second time."
    )
  }

  static func meaning(ofStyle name: String) -> String {
    switch name {
    case "page": "The same request with the next number."
    case "offset": "The same request, further on by the rows received."
    case "cursor": "A value of the reply, or of its last row, goes into the next request."
    case "link":
      "The reply has the address of the next page: `next` is `link:next`, another header, or a path; it may be relative."
    case "merge": "Every member of an object in the reply goes into the next request."
    case "none": "There is one page."
    default: ""
    }
  }

  private static func add(_ table: SourceSchemaText.Table, to page: inout ManPage) {
    let brackets = [
      "columns", "pagination.carry", "errors.when", "errors.rate_limited", "errors.retry", "errors.fatal",
    ]
    let title =
      table.name.isEmpty
      ? "The top"
      : table.name == "condition"
        ? "Conditions"
        : table.name == "wait_from"
          ? "wait_from"
          : brackets.contains(table.name) ? "[[\(table.name)]]" : "[\(table.name)]"
    page.subsection(title)
    page.paragraph(table.meaning)
    for key in table.keys { page.term("`\(key.name)` (\(key.kind))", key.meaning) }
  }
}
