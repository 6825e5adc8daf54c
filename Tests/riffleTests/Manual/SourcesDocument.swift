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
      \(entries.count) lists of \(Set(try entries.map { try service($0, catalog) }).count) services. \
      `riffle sources list WORDS` finds one, `riffle sources show NAME` prints it.
      """,
      "",
      """
      - **Token**: the first variable that holds it, with a link to the page where it is made; *optional* if the list \
      works without one.
      - **Paging**: the style of riffle-sources(5), and the most rows of a page.
      - **Ends at**: the row after which the service returns no more of one query.
      - **Documentation**: the page that describes the list, and the day on which it was read.
      - **Live**: whether somebody confirmed the list with `riffle sources check NAME --live`. Every other list is \
      tested with made-up responses in the documented shape.
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
      "", "## Left out", "", "Services and lists that no source of this schema can read whole, and why.", "",
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
    ("Ansible Galaxy roles", "The documentation has no search any more."),
    ("arXiv", "Atom XML only."),
    ("Asana task search", "No pages, and at most 100 results."),
    ("AWS", "Signed requests."),
    ("Azure DevOps work items by WIQL", "The query returns ids only; the fields need a second request."),
    ("Chocolatey, PowerShell Gallery", "XML only."),
    ("Chrome Web Store", "No list."),
    ("Clojars search", "The fields of its total are not documented."),
    ("CocoaPods, Swift Package Index", "No documented public search."),
    ("Conan Center, Nixpkgs, Scoop, Winget", "No list with a documented API."),
    ("CouchDB `_find`", "The selector is a JSON object that one would have to type."),
    ("CRAN search", "Its addresses are not documented; `cran` lists all packages."),
    ("crates.io users, npm downloads", "No list."),
    ("Debian Sources search", "The exact match and the others are in two places of a response."),
    ("Docker Hub users", "No documented list of people outside an organization."),
    ("Dropbox", "The next page has another address and another body."),
    ("Gitee", "Whether the search works without a token, and where it ends, is not documented."),
    (
      "Go packages",
      "pkg.go.dev has no API, and the module index answers in JSON lines; `depsdev` lists versions."
    ),
    (
      "Google Cloud instances of all zones",
      "Rows inside a map of zones; `google-cloud-instances` lists one zone."
    ),
    ("Grafana annotations", "A limit without a position."),
    (
      "Greenhouse Harvest",
      "Versions 1 and 2 ended; version 3 needs OAuth. `greenhouse` is the public job board."
    ),
    ("Hackage", "JSON only by content negotiation, for names."),
    ("HashiCorp Vault", "The method LIST."),
    ("Have I Been Pwned accounts", "The answer for one account, without pages."),
    ("Homebrew formula.json", "One document of about the size limit of a page; `homebrew` lists installs."),
    ("Honeycomb", "Query results are jobs that must be polled."),
    ("Kanboard", "JSON-RPC without pages."),
    ("Launchpad with a login", "Signed requests (OAuth 1); `launchpad` lists public items."),
    ("Loki", "A time range with a limit, and no next position."),
    ("Met Museum, Rijksmuseum", "The search returns ids only; each object is a request of its own."),
    ("Packagist security advisories", "Rows inside a map of lists."),
    ("Pivotal Tracker", "Closed."),
    ("Podcast Index", "Signed requests."),
    ("pub.dev search", "Not in the supported API; `pub` lists all names."),
    ("PubMed", "The search returns ids only; `europepmc` contains PubMed."),
    ("PyPI, all projects", "One page of more than 100,000 rows, and no documented search."),
    ("QuickBooks, Xero", "Short-lived tokens, and positions or tenants that a document cannot say."),
    ("Repology projects", "The next position is in the path; `repology` lists one project."),
    ("Snap Store search", "No pages; `snapcraft` lists the channels of one snap."),
    ("Toggl Track", "Time entries have no pages."),
    ("Trac", "XML-RPC only."),
    ("Trello cards of a board", "Pages continue with the smallest id of a page in another order."),
    ("VS Code Marketplace", "Its search is internal and not documented."),
    ("Wekan", "No pages of cards."),
    ("Wikidata SPARQL", "A query language without pages."),
    ("Zabbix", "JSON-RPC with a limit and no position."),
  ]
}
