import Search

@testable import App
@testable import Config
@testable import riffle

/// riffle(1): what all commands share.
enum MainPage {
  static func page(_ riffle: CommandTree) throws -> ManPage {
    var page = ManPage("riffle", section: 1, CommandPage.summary(riffle.abstract))
    page.section("SYNOPSIS")
    page.paragraph("`riffle` [source [query …]]")
    page.paragraph("`riffle` command [options] …")
    page.section("DESCRIPTION")
    page.paragraph(
      "Browses any paginated search API. Interactively, results appear in a table and the next page loads as you near the end; press `?` for the keys. In a pipe, riffle writes rows as CSV, TSV, JSON, JSON Lines, Markdown, HTML or a table. Each API is described by a TOML document; built-in sources and your own use the same schema."
    )
    page.example([
      "riffle unicode arrow", "riffle search github swift tui --limit 200 --format csv > repos.csv",
      "riffle pick unicode arrow --template '{character}' | wl-copy",
      "riffle add 'https://api.example.org/cats?q=siamese'",
    ])
    page.paragraph(
      "A source is given by its name, an alias, or the path of a TOML file; anything with a `/` or ending in `.toml` is a path. Put `--` before query words that start with `-`. A command takes precedence over a source of the same name; use `riffle browse` for the source. Without a terminal, `riffle` writes one page of rows, as `riffle search` does."
    )
    page.section("COMMANDS")
    for command in riffle.commands {
      page.term("`riffle-\(command.commandName)`(1)", command.abstract ?? "")
    }
    page.term("`riffle help` [command]", "Show the full help of a command.")
    page.term(
      "command `--help`, command `--help-all`", "Show the usual options of a command, or all of its options.")
    page.term("`--version`", "Print the version of riffle and of the Unicode data it uses for text widths.")
    page.term(
      "`--generate-completion-script` bash|zsh|fish",
      "Print a completion script for the shell, which completes commands, options, formats, sources and columns."
    )
    page.section("EXIT STATUS")
    for status in ExitStatus.allCases { page.term("`\(status.rawValue)`", Supplements.meaning(of: status)) }
    page.paragraph(Supplements.signals)
    page.section("FILES")
    page.paragraph(
      "Files are created with mode 0600 and directories with mode 0700, readable only by you. `--output` follows the umask."
    )
    for (path, meaning) in Supplements.files { page.term("`\(path)`", meaning) }
    try addEnvironment(to: &page)
    page.section("SECURITY")
    for paragraph in Supplements.security { page.paragraph(paragraph) }
    page.paragraph("See `riffle-security`(7) for all guarantees.")
    page.section("SEE ALSO")
    page.paragraph("`riffle-config`(5), `riffle-sources`(5), `riffle-security`(7), `curl`(1), `jq`(1)")
    return page
  }

  private static func addEnvironment(to page: inout ManPage) throws {
    page.section("ENVIRONMENT")
    for (names, meaning) in Supplements.variables {
      page.term(names.split(separator: ", ").map { "`\($0)`" }.joined(separator: ", "), meaning)
    }
    page.term(
      "`RIFFLE_`SECTION`_`KEY", "A setting, such as `RIFFLE_SEARCH_PAGE_SIZE`; see `riffle-config`(5).")
    page.paragraph(
      "Built-in sources look for their credentials in variables that tools of the service use as well, such as `GH_TOKEN`; `riffle sources show NAME` names them."
    )
  }
}
