import Foundation
import TestSupport
import Testing

@testable import App

/// Tests `riffle doctor --report`: what an issue needs is in it, and nothing that may be secret.
@Suite(.takesTurns, .timeLimit(.minutes(1))) struct IssueReportTests {
  /// A report for these files, by path in the home folder, and these variables.
  private func report(
    _ files: [String: String], _ variables: [String: String] = [:], in home: String
  ) async throws -> Program.Result {
    for (path, text) in files {
      let url = URL(filePath: "\(home)/\(path)")
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    return try await Program.run(
      ["doctor", "--report"], environment: variables.merging(["HOME": home]) { $1 })
  }

  private func withHome(_ body: (String) async throws -> Void) async throws {
    try await withFile("x", "") { file in try await body(URL(filePath: file).deletingLastPathComponent().path)
    }
  }

  private static let own = """
    schema = 1
    id = "s3cr3t"
    title = "s3cr3t"
    request.url = "https://user.example/s3cr3t?note=s3cr3t"
    request.headers = { X-Note = "s3cr3t" }
    [auth]
    type = "bearer"
    from = ["env:MY_TOKEN", "file:~/s3cr3t", "cmd:cat s3cr3t"]
    [pagination]
    type = "page"
    param = "page"
    """

  @Test func `The report has the version, system, changed settings, sources and results by number.`()
    async throws
  {
    try await withHome { home in
      let result = try await report(
        [
          ".config/riffle/config.toml": """
          [search]
          source = "github"
          page_size = 50
          [sources.hn]
          options.tags = "story"
          """, ".config/riffle/sources/mine.toml": Self.own,
        ], ["TERM": "xterm", "RIFFLE_SEARCH_RETRIES": "7", "https_proxy": "http://me:pw@proxy.example:1"],
        in: home)
      #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
      #expect(result.output.hasPrefix("\(Version.text)\n\nsystem\n  Linux "), "\(result.output)")
      for lines in [
        "environment\n  TERM=xterm\n  also set: https_proxy\n",
        """
        settings that differ from the defaults
          search.source = github (line 2 of the settings file)
          search.page_size = 50 (line 3 of the settings file)
          search.retries = 7 (RIFFLE_SEARCH_RETRIES)

        """,
        """
        sources
          your own 1: pagination page, auth bearer
          changed by settings: hn

        """,
        "\n  network: 3 ok\n", "  terminal: stdout is not a terminal",
      ] { #expect(result.output.contains(lines), "\(lines)\n--\n\(result.output)") }
    }
  }

  @Test(arguments: [
    ("config.toml", "[opener]\ncommand = [\"open\", \"s3cr3t\", \"{url}\"]\n[tls]\nca_file = \"/s3cr3t\""),
    ("config.toml", "[search]\nsource = \"s3cr3t\""),
    ("config.toml", "[searches.s3cr3t]\nsource = \"github\"\nquery = \"s3cr3t\""),
    ("config.toml", "[actions.s3cr3t]\nkey = \"c\"\nrun = [\"curl\", \"-H\", \"Authorization: s3cr3t\"]"),
    ("config.toml", "[sources.github]\noptions.sort = \"s3cr3t\""),
    ("config.toml", "[sources.s3cr3t]\nbase = \"https://s3cr3t.example\""),
    ("config.toml", "[search]\ns3cr3t = 1\nlimit = \"s3cr3t\""),
    ("config.toml", "[s3cr3t]\nx = 1"),
    ("config.toml", "s3cr3t"),
    ("config.toml", "[output]\nformat = \"s3cr3t\""),
    ("sources/mine.toml", Self.own),
    ("sources/mine.toml", "schema = 1\nid = \"mine\"\ns3cr3t = 1\nrequest.url = \"s3cr3t\""),
    ("sources/mine.toml", "schema = 1\ns3cr3t"),
  ]) func `A secret in the settings or a source is not in the report, even if it is a mistake there.`(
    file: String, text: String
  ) async throws {
    try await withHome { home in
      let result = try await report([".config/riffle/\(file)": text], ["PATH": "/nonexistent"], in: home)
      #expect(result.status == Self.status(of: result.output), "\(result)")
      #expect(!"\(result)".contains("s3cr3t"), "\(result.output)")
      #expect(!result.output.contains(home), "\(result.output)")
      #expect(!result.output.contains("mistake") || result.output.contains("~/.config/riffle/\(file)"))
    }
  }

  /// The status of doctor: 1 if its report counts a problem.
  private static func status(of report: String) -> Int32 { report.contains(/[1-9] problem/) ? 1 : 0 }

  @Test func `A secret in a variable is not in the report.`() async throws {
    // A mistake in a setting may hide others, so these are set one at a time.
    let settings = [
      "RIFFLE_SEARCH_LIMIT", "RIFFLE_SEARCH_SOURCE", "RIFFLE_TLS_CA_FILE", "RIFFLE_OUTPUT_FORMAT",
    ]
    let names = [
      "GH_TOKEN", "GITHUB_TOKEN", "MY_TOKEN", "https_proxy", "HTTP_PROXY", "no_proxy", "SSL_CERT_FILE",
      "EDITOR", "VISUAL", "RIFFLE_S", "SSH_CONNECTION", "DISPLAY", "TMUX",
    ]
    try await withHome { home in
      for value in ["s3cr3t", "http://me:s3cr3t@proxy.example:3128/s3cr3t"] {
        for names in [names] + settings.map({ [$0] }) {
          let variables = Dictionary(uniqueKeysWithValues: names.map { ($0, value) })
          let result = try await report([:], variables, in: home)
          #expect(result.status == Self.status(of: result.output), "\(names): \(result)")
          #expect(!"\(result)".contains("s3cr3t"), "\(names): \(result)")
        }
      }
      let own = [".config/riffle/sources/mine.toml": Self.own]
      let state = try await report(own, ["MY_TOKEN": "s3cr3t"], in: home)
      #expect(!"\(state)".contains("s3cr3t") && state.output.contains("your own 1"), "\(state)")
    }
  }

  @Test func `The report is about all sources.`() async throws {
    let result = try await Program.run(["doctor", "--report", "github"])
    #expect(result.status == 64 && result.errors.contains("--report covers all sources. Omit the source"))
  }
}
