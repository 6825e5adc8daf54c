import Search
import Text

@testable import App
@testable import Config

/// docs/SOURCES.md: the built-in sources, and what each is known to do.
enum SourcesDocument {
  static func text() throws -> String {
    let catalog = Catalog(builtIns: BuiltInSources.documents, folder: nil, files: .system(), user: 0)
    let entries = catalog.all().entries
    var lines = [
      "<!-- Made by the tests of riffle: RIFFLE_WRITE=1 swift test --filter ManualTests -->", "",
      "# Built-in sources", "",
      """
      \(entries.count) lists of about 150 services. \
      `riffle sources list WORDS` finds one, and `riffle sources show NAME` prints it.
      """,
      "",
      """
      - **Token**: the first variable that riffle reads, with a link to the page where you create it; *optional* if the list \
      works without one.
      - **Paging**: the style of riffle-sources(5), and the maximum number of rows per page.
      - **Ends at**: the number of rows after which the service cuts a list short.
      - **Documentation**: the page that describes the list, and the day on which it was read, where that is known.
      - **Live**: whether somebody confirmed the list with `riffle sources check NAME --live`. Every other list is \
      tested with made-up responses in the documented format.
      """,
    ]
    for subject in Subject.allCases {
      lines += ["", "## \(subject.rawValue.prefix(1).uppercased())\(subject.rawValue.dropFirst())", ""]
      lines += [
        "| service | list | token | paging | ends at | documentation | live |",
        "|---|---|---|---|---|---|---|",
      ]
      let rows = try entries.filter { $0.source.subject == subject }.map { ($0, try service($0, catalog)) }
      let sorted = rows.sorted { ($0.1.lowercased(), $0.0.source.id) < ($1.1.lowercased(), $1.0.source.id) }
      for (index, (entry, service)) in sorted.enumerated() {
        let isFirst = index == 0 || sorted[index - 1].1 != service
        lines.append(row(entry.source, isFirst ? service : ""))
      }
    }
    lines += [
      "", "## Left out", "", "Services and lists that a source cannot read completely, and why.", "",
    ]
    lines += ["| service or list | reason |", "|---|---|"]
    lines += leftOut.map { "| \($0) | \($1) |" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The title of the document that its sources share.
  private static func service(_ entry: CatalogEntry, _ catalog: Catalog) throws -> String {
    let document = try catalog.document(id: entry.source.id)
    let shared = try document.flatMap { try catalog.chain(of: $0).last { $0.identity.isAbstract } }
    return shared?.tree["title"]?.string ?? entry.source.title
  }

  private static func row(_ source: Source, _ service: String) -> String {
    let size = source.pagination.settings.size
    let largest = size.maximum ?? size.standard
    let cap = source.pagination.pagingCap(pageSize: largest)?.rows
    let paging = [
      source.pagination.name == "none" ? "one page" : source.pagination.name, largest.map { "\($0)" },
    ]
    let page = source.homepage.map { "[\(source.documented ?? "page")](\($0))" }
    let cells = [
      service, "`\(source.id)` \(source.title)", token(source),
      paging.compactMap(\.self).joined(separator: ", "),
      cap.map(Digits.grouped) ?? "", page ?? "", source.isVerified ? "yes" : "",
    ]
    return "| \(cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ")) |"
  }

  private static func token(_ source: Source) -> String {
    let places = (source.authorization?.from ?? []) + source.secretOrigins
    guard let place = places.first(where: { if case .environment = $0 { true } else { false } })
    else { return places.isEmpty ? "" : "login" }
    let isOptional = (source.authorization?.isOptional ?? true) && source.secrets.allSatisfy(\.isOptional)
    let name = "`\(place.name)`"
    return (source.authorization?.help.map { "[\(name)](\($0))" } ?? name) + (isOptional ? " optional" : "")
  }

  private static let leftOut = [
    ("Ansible Galaxy roles", "Search was removed from the documentation."),
    ("arXiv", "Atom XML only."),
    ("Asana task search", "No pages, and at most 100 results."),
    ("AWS", "Signed requests."),
    ("Azure DevOps work items by WIQL", "The query returns ids only; the fields need a second request."),
    ("Chocolatey, PowerShell Gallery", "XML only."),
    ("Chrome Web Store", "No list."),
    ("Clojars search", "The fields of its total are not documented."),
    ("CocoaPods, Swift Package Index", "No documented public search."),
    ("Conan Center, Nixpkgs, Scoop, Winget", "No list with a documented API."),
    ("CouchDB `_find`", "The query is a JSON object that you would have to type."),
    ("CRAN search", "Its URLs are not documented; `cran` lists all packages."),
    ("crates.io users, npm downloads", "No list."),
    ("Debian Sources search", "The response lists exact matches and other matches separately."),
    ("Docker Hub users", "No documented list of people outside an organization."),
    ("Dropbox", "The next page has a different URL and body."),
    ("Gitee", "The documentation does not say whether the search works without a token, or where it ends."),
    (
      "Go packages",
      "pkg.go.dev has no API, and the module index returns JSON Lines; `depsdev` lists versions."
    ),
    (
      "Google Cloud instances of all zones",
      "The rows are inside a map of zones; `google-cloud-instances` lists one zone."
    ),
    ("Grafana annotations", "The API has a limit, but no way to get the next page."),
    (
      "Greenhouse Harvest",
      "Versions 1 and 2 were retired; version 3 needs OAuth. `greenhouse` is the public job board."
    ),
    ("Hackage", "Lists names only, and returns JSON only with an Accept header."),
    ("HashiCorp Vault", "Needs the HTTP method LIST."),
    ("Have I Been Pwned accounts", "Looks up one account at a time, without pages."),
    (
      "Homebrew formula.json",
      "One document, about as large as riffle's limit for a page; `homebrew` lists formulae by installs."
    ),
    ("Honeycomb", "A query starts a job that must be polled."),
    ("Kanboard", "JSON-RPC without pages."),
    ("Launchpad with a login", "Signed requests (OAuth 1); `launchpad` lists public items."),
    ("Loki", "A time range with a limit, but no way to get the next page."),
    ("Met Museum, Rijksmuseum", "The search returns ids only; each object needs a separate request."),
    ("Packagist security advisories", "The rows are inside a map of lists."),
    ("Pivotal Tracker", "The service was shut down."),
    ("Podcast Index", "Signed requests."),
    ("pub.dev search", "Not in the supported API; `pub` lists all names."),
    ("PubMed", "The search returns ids only; `europepmc` contains PubMed."),
    ("PyPI, all projects", "One page of more than 100,000 rows, and no documented search."),
    ("QuickBooks, Xero", "Short-lived tokens, and positions or tenants that a source cannot express."),
    (
      "Repology projects",
      "The response has a list for each project, not a row; `repology` lists one project."
    ),
    ("Snap Store search", "No pages; `snapcraft` lists the channels of one snap."),
    ("Toggl Track", "Time entries have no pages."),
    ("Trac", "XML-RPC only."),
    (
      "Trello cards of a board",
      "The next page starts at the smallest id of a page, but pages have another order."
    ),
    ("VS Code Marketplace", "Its search is internal and not documented."),
    ("Wekan", "Cards have no pages."),
    ("Wikidata SPARQL", "A query language without pages."),
    ("Zabbix", "JSON-RPC with a limit, but no way to get the next page."),
  ]
}
