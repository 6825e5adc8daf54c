import Foundation
import HTTPTransport
import HTTPValues
import Locking
import Pager
import TestSupport
import Testing

@testable import App
@testable import riffle

/// What a user's own settings and files change in the catalog: services on a site of one's own, changes, and conflicts.
@Suite(.takesTurns) struct CatalogChangeTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The user's files, by their path in the folder of the configuration.
    var files: [String: String] = [:]
    let line: String
    /// The requests with their credentials, the output, the messages, and the status.
    let outcome: String
  }

  private static let oneLine = #"sources.jira-api.options.server = "https://acme.example""#

  static let cases = [
    Case(
      testDescription: "A required server is set in the settings",
      line: "search jira x",
      outcome: """
        riffle: source jira requires option server (Address of your Jira, https://YOUR-SITE.atlassian.net). \
        Write options.server = "https://YOUR-SITE.atlassian.net" under [sources.jira-api] in config.toml
        64
        """),
    Case(
      testDescription: "A server without a required credential may be an option, too",
      line: "search grafana-alert-rules",
      outcome: """
        riffle: source grafana-alert-rules requires option server (Address of Grafana). \
        Add --set server=…, or write options.server = "…" under [sources.grafana-api] in config.toml
        64
        """),
    Case(
      testDescription: "A server on the command line gets no credential",
      line: "search jira x --set server=https://other.example",
      outcome: """
        riffle: source jira sends env:JIRA_EMAIL, env:JIRA_USER, env:JIRA_API_TOKEN only to the server in your settings, \
        not to https://other.example. Write options.server = "https://YOUR-SITE.atlassian.net" under [sources.jira-api] \
        in config.toml
        4
        """),
    Case(
      testDescription: "One line of settings binds the credential to the server",
      files: ["config.toml": oneLine], line: "search jira x -n 1 -f csv",
      outcome: """
        POST https://acme.example/rest/api/3/search/jql Basic bWU6dG9rZW4=
        key,summary,status,type,priority,assignee,updated
        riffle: no results
        0
        """),
    Case(
      testDescription: "The setting that the message shows works after any other table",
      files: [
        "config.toml": """
        [search]
        retries = 2
        [sources.jira-api]
        options.server = "https://acme.example"
        """
      ], line: "search jira x -n 1 -f csv",
      outcome: """
        POST https://acme.example/rest/api/3/search/jql Basic bWU6dG9rZW4=
        key,summary,status,type,priority,assignee,updated
        riffle: no results
        0
        """),
    Case(
      testDescription: "Another server than that of the settings gets none",
      files: ["config.toml": oneLine], line: "search jira x --set server=https://other.example",
      outcome: """
        riffle: source jira sends env:JIRA_EMAIL, env:JIRA_USER, env:JIRA_API_TOKEN to https://acme.example only, \
        not to https://other.example. Write a separate source for that origin, or list its host in auth.hosts
        4
        """),
    Case(
      testDescription: "A file that is not trusted cannot choose the server",
      files: [
        "mine.toml": """
        schema = 1
        id = "mine"
        extends = "jira"
        options.server.default = "https://other.example"
        """
      ], line: "search HOME/riffle/mine.toml x",
      outcome: """
        riffle: source mine would send env:JIRA_EMAIL, env:JIRA_USER, env:JIRA_API_TOKEN to https://other.example, \
        but HOME/riffle/mine.toml is not in your sources directory. To allow it for this run, add --trust
        78
        """),
    Case(
      testDescription: "A file with the id of a built-in source changes it",
      files: ["sources/stripe.toml": "schema = 1\nid = \"stripe\"\ntitle = \"My payments\""],
      line: "sources list my payments",
      outcome: """
        business
          stripe  My payments  needs a token, HOME/riffle/sources/stripe.toml
        0
        """),
    Case(
      testDescription: "A file that extends a built-in source has its credential",
      files: ["sources/mine.toml": "schema = 1\nid = \"mine\"\nextends = \"stripe-customers\""],
      line: "search mine -n 1 -f csv --columns id",
      outcome: """
        GET https://api.stripe.com/v1/customers?limit=1 Bearer sk-1
        id
        riffle: no results
        0
        """),
    Case(
      testDescription: "A built-in source is disabled in the settings",
      files: ["config.toml": "sources.stripe.enabled = false"], line: "search stripe x",
      outcome: """
        riffle: HOME/riffle/config.toml:1:26: [sources.stripe] enabled: this source is disabled
        78
        """),
    Case(
      testDescription: "An alias of a built-in source is taken",
      files: [
        "sources/mine.toml": """
        schema = 1
        id = "mine"
        aliases = ["gh"]
        title = "Zebras"
        request.url = "https://mine.example"
        """
      ], line: "sources list zebras",
      outcome: """
        your own
          mine  Zebras  HOME/riffle/sources/mine.toml
        riffle: HOME/riffle/sources/mine.toml:3:11: aliases: "gh" already names source github. Choose another alias
        78
        """),
    Case(
      testDescription: "A built-in source that is moved does not take its credential along",
      files: [
        "sources/stripe-customers.toml": """
        schema = 1
        id = "stripe-customers"
        request.url = "https://mirror.example/v1/customers"
        """
      ], line: "search stripe-customers -n 1 -f csv --columns id",
      outcome: """
        GET https://mirror.example/v1/customers?limit=1
        id
        riffle: source stripe-customers uses another origin than the source it extends, so it does not inherit [auth]. \
        To send a credential there, also set auth.from, like auth.from = ["env:NAME"]
        riffle: no results
        0
        """),
  ]

  @Test func `The list of sources says which setting sets a missing server.`() throws {
    var dependencies = Dependencies.live()
    dependencies.environment = ["HOME": "/dev/null"]
    let choices = try Configuration(dependencies).sourceChoices
    let about = try #require(choices.first { $0.id == "jira" }?.about)
    let server = try #require(about.firstIndex(of: "no server set (option server)"))
    #expect(
      about[(server + 1)...].prefix(3) == [
        "to set it, write in config.toml:", "[sources.jira-api]",
        #"options.server = "https://YOUR-SITE.atlassian.net""#,
      ])
  }

  @Test(arguments: cases)
  func `A user's own line or file does what it says to the catalog, or its message names document and key.`(
    _ change: Case
  ) async throws {
    let requests = Lock<[String]>([])
    let network = Transport { request, _ in
      let credential = request.sentHeaders.first("Authorization").map { " \($0)" } ?? ""
      requests.withLock { $0.append("\(request.method.rawValue) \(request.url)\(credential)") }
      let body = #"{"issues": [], "data": [], "has_more": false}"#
      return HTTPResponse(status: 200, headers: [], body: Array(body.utf8), url: request.url)
    }
    let environment = ["JIRA_EMAIL": "me", "JIRA_API_TOKEN": "token", "STRIPE_API_KEY": "sk-1"]
    try await withFile("x", "") { file in
      let home = (file as NSString).deletingLastPathComponent
      for (path, text) in change.files {
        let file = URL(filePath: "\(home)/riffle/\(path)")
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
      }
      let words = change.line.replacing("HOME", with: home).split(separator: " ").map(String.init)
      let result = try await Program.run(
        words + (words[0] == "search" ? ["--progress", "never"] : []),
        environment: environment.merging(["XDG_CONFIG_HOME": home]) { $1 }, over: network)
      let outcome = requests.withLock { $0.map { "\($0)\n" }.joined() } + result.output + result.errors
      #expect(outcome.replacing(home, with: "HOME") + "\(result.status)" == change.outcome)
    }
  }
}
