import Search

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
      "Leafs through any paginated search API. Interactively rows arrive as a table, and the next page loads as you near the end; press `?` for the keys. In a pipe the same program writes every page as CSV, TSV, JSON, JSON Lines, Markdown, HTML or a table. An API is a TOML document: those built in and your own are written in one schema."
    )
    page.example([
      "riffle unicode arrow", "riffle search github swift tui --limit 200 --format csv > repos.csv",
      "riffle pick unicode arrow --template '{character}' | wl-copy",
      "riffle add 'https://api.example.org/cats?q=siamese'",
    ])
    page.paragraph(
      "A source is its name, an alias, or the path of a TOML file (it holds `/` or ends in `.toml`). Words of a query that begin with `-` follow `--`. A command wins over a source of the same name, which `riffle browse` reaches. Without a terminal `riffle` is `riffle search`."
    )
    page.section("COMMANDS")
    for command in riffle.commands {
      page.term("`riffle-\(command.commandName)`(1)", command.abstract ?? "")
    }
    page.term("`riffle help` [command]", "The same in short.")
    page.term("`--version`", "The version, and that of the Unicode data that widths are made from.")
    page.term(
      "`--generate-completion-script` bash|zsh|fish",
      "A script for the shell: it completes commands, options, formats, sources and their columns.")
    page.section("EXIT STATUS")
    for status in ExitStatus.allCases { page.term("`\(status.rawValue)`", Supplements.meaning(of: status)) }
    page.paragraph(Supplements.signals)
    page.section("FILES")
    page.paragraph("Files are made for you alone (0600, folders 0700); that of `--output` follows the umask.")
    for (path, meaning) in Supplements.files { page.term("`\(path)`", meaning) }
    try addEnvironment(to: &page)
    page.section("SECURITY")
    for paragraph in Supplements.security { page.paragraph(paragraph) }
    page.paragraph("`riffle-security`(7) has all promises, and the tests that hold them.")
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
      "`RIFFLE_`SECTION`_`KEY", "A setting, like `RIFFLE_SEARCH_PAGE_SIZE`: `riffle-config`(5) names each.")
    page.paragraph("Built-in sources look for their credentials in these:")
    for (name, sources) in try credentials() {
      page.term("`\(name)`", sources.joined(separator: ", "))
    }
  }

  /// The environment variables of the built-in sources, with the sources that use each.
  private static func credentials() throws -> [(String, [String])] {
    let catalogue = Catalogue(
      builtIns: BuiltInSources.documents, folder: nil, files: .system(), user: 0)
    var users: [String: [String]] = [:]
    for entry in catalogue.all().entries {
      for case .environment(let name) in entry.source.secretOrigins {
        users[name, default: []].append(entry.source.id)
      }
    }
    return users.sorted { $0.key < $1.key }.map { ($0, $1) }
  }
}
