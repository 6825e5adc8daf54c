import Foundation
import TestSupport
import Testing
import Text

@testable import App

/// Tests `riffle doctor` with simulated terminals and environments, healthy and faulty.
@Suite(.takesTurns, .serialized, .timeLimit(.minutes(2))) struct DoctorProgramTests {
  /// A terminal that answers like kitty: the queries and their answers.
  private static let conversation = [
    (
      "␛[c",
      "␛[?2026;2$y␛[?2027;2$y␛[?2031;0$y␛[?2004;2$y␛[?0u␛P>|probe(1.2)␛\\␛]11;rgb:0000/0000/0000␛\\␛[6;18;9t␛[?62;52c"
    ),
    ("±␛[6n", "␛[2;2R"), ("❤️␛[6n", "␛[2;3R"), ("👨‍👩‍👧␛[6n", "␛[2;3R"), ("🇯🇵␛[6n", "␛[2;3R"), ("1️⃣␛[6n", "␛[2;3R"),
  ]

  private func examined(
    _ conversation: [(String, String)], environment: [String] = []
  ) throws -> (report: String, ending: PseudoTerminal.Ending?, isAsFound: Bool) {
    let terminal = try PseudoTerminal(
      "riffle", arguments: ["doctor"], columns: 100, rows: 30,
      environment: ["HOME=/nonexistent", "PATH=/usr/bin:/bin"] + environment)
    for (question, answer) in conversation {
      try #require(terminal.waits(for: question), "\(question): \(terminal.output)")
      terminal.type(answer)
    }
    let ending = terminal.ending()
    let report = terminal.output.split(separator: "␛[?1049l").last.map(String.init) ?? ""
    // Without its colors.
    return (report.replacing(#/␛\[[0-9;]*m/#, with: ""), ending, terminal.isAsFound)
  }

  @Test func `A terminal is queried, measured and restored.`() throws {
    let (report, ending, isAsFound) = try examined(Self.conversation)
    #expect(ending == .exit(0), "\(report)")
    #expect(isAsFound)
    for line in [
      "  ok       TERM=xterm-256color, 100 × 30, 256 colors",
      "  ok       terminal: probe(1.2), cells of 9 × 18 pixels, dark background",
      "  ok       extra modes: synchronized output (2026), grapheme clusters (2027), bracketed paste, kitty keys",
      "  ok       copying by OSC 52: supported",
      "  ok       emoji widths match the pager's (graphemes: ❤️ 2, 👨‍👩‍👧 2, 🇯🇵 2, 1️⃣ 2)",
      "no problems",
    ] { #expect(report.contains("\(line)\r\n"), "\(line)\n\(report)") }
  }

  @Test func `A report without problems fits a terminal of 80 × 24, with the prompt of the shell below it.`()
    throws
  {
    let (report, _, _) = try examined(Self.conversation, environment: ["TERM=xterm-256color"])
    // The terminal's modes are restored before the first line.
    let text = report.replacing(/␛\[[^A-Za-z]*[A-Za-z]/, with: "")
    let rows = text.split(separator: "\r\n", omittingEmptySubsequences: false).dropLast()
    let needed = rows.map { max(1, (Sanitized(String($0)).width(.clusters) + 79) / 80) }.reduce(0, +)
    #expect(needed <= 23, "\(needed) rows\n\(report)")
  }

  @Test func `A terminal that draws a character wider than counted is a problem with a remedy.`() throws {
    var conversation = Self.conversation
    conversation[1].1 = "␛[2;3R"
    let (report, ending, _) = try examined(conversation)
    #expect(ending == .exit(1))
    #expect(report.contains("PROBLEM  ± is 2 columns wide, but the pager counts 1"), "\(report)")
    #expect(report.contains("→ set pager.ambiguous_width = 2 in config.toml"))
  }

  @Test func `A terminal that does not answer is reported and restored.`() throws {
    let (report, ending, isAsFound) = try examined([])
    #expect(ending == .exit(0))
    #expect(isAsFound)
    #expect(report.contains("the terminal does not answer queries"), "\(report)")
  }

  @Test func `A terminal that would print queries gets none.`() throws {
    let terminal = try PseudoTerminal(
      "riffle", arguments: ["doctor"], term: "linux",
      environment: ["HOME=/nonexistent", "PATH=/bin", "NO_COLOR=1"])
    #expect(terminal.ending() == .exit(0))
    #expect(terminal.output.contains("this kind of terminal is not queried"), "\(terminal.output)")
    #expect(!terminal.output.contains("␛"))
  }

  @Test func `Without a terminal, the other checks still run.`() async throws {
    let result = try await Program.run(["doctor"], environment: ["HOME": "/nonexistent"])
    #expect(result.status == 0, "\(result.output)")
    #expect(result.output.contains("note     stdout is not a terminal"))
    #expect(
      result.output.contains(
        "settings\n  ok       settings: none at ~/.config/riffle/config.toml (riffle config init)"
      ))
  }

  @Test(arguments: [
    (0o600, "ok       settings:"), (0o644, "ok       settings:"),
    (0o664, "PROBLEM"),
    (0o602, "PROBLEM"),
  ]) func `[D35] Settings that others may write are a problem, and the suggested remedy fixes it.`(
    mode: Int, line: String
  ) async throws {
    try await withFile("config.toml", "") { path in
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      let environment = ["HOME": "/nonexistent", "RIFFLE_CONFIG": path]
      let result = try await Program.run(["doctor"], environment: environment)
      #expect(
        result.output.contains(
          line == "PROBLEM"
            ? "  PROBLEM  settings: \(path) is writable by others (mode \(String(mode, radix: 8)))\n"
            : "  \(line) \(path) (\(String(mode, radix: 8)))\n"),
        "\(result.output)")
      #expect(result.status == (line.hasPrefix("ok") ? 0 : 1))
      guard result.status == 1 else { return }
      #expect(result.output.contains("→ chmod go-w \(path)\n"))
      _ = try await Program.shell("chmod go-w \(path)")
      #expect(try await Program.run(["doctor"], environment: environment).status == 0)
    }
  }

  @Test func `[D35] Others may read a source, but not the file of its token.`() async throws {
    try await withFile("token", "s3cr3t-value\n") { token in
      let home = URL(filePath: token).deletingLastPathComponent().path
      let source = """
        schema = 1
        id = "mine"
        request.url = "https://a.example/x"
        [auth]
        type = "bearer"
        from = "file:\(token)"
        """
      try FileManager.default.createDirectory(
        atPath: "\(home)/.config/riffle/sources", withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o755])
      try Data(source.utf8).write(to: URL(filePath: "\(home)/.config/riffle/sources/mine.toml"))
      for (mode, line) in [
        (
          0o644,
          "WARNING  mine: file:\(token) is readable by others (mode 644) for https://a.example\n           → chmod 600 \(token)\n"
        ),
        (0o600, "ok       mine: file:\(token) exists for https://a.example\n"),
      ] {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: token)
        let result = try await Program.run(["doctor"], environment: ["HOME": home])
        #expect(result.output.contains("  \(line)"), "\(result.output)")
        #expect(result.output.hasSuffix(mode == 0o644 ? "1 warning\n" : "no problems\n"))
        #expect(result.status == 0)
        #expect(!result.output.contains("mine.toml") && !result.output.contains("s3cr3t"))
      }
    }
  }

  @Test func `A credential that would be sent unencrypted is a problem here, too.`() async throws {
    let source = """
      schema = 1
      id = "plain"
      request.url = "http://a.example/x"
      [auth]
      type = "bearer"
      from = "env:MY_TOKEN"
      """
    try await withFile("x", "") { path in
      let home = URL(filePath: path).deletingLastPathComponent().path
      let folder = "\(home)/.config/riffle/sources"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
      try Data(source.utf8).write(to: URL(filePath: "\(folder)/plain.toml"))
      for command in [["doctor"], ["doctor", "plain"]] {
        let result = try await Program.run(command, environment: ["HOME": home, "MY_TOKEN": "s3cr3t"])
        #expect(
          result.output.contains(
            """
              PROBLEM  source plain would send env:MY_TOKEN to http://a.example unencrypted. Use https, or remove [auth]
                       → change its server or auth, in its file or under [sources.…] in config.toml
            """), "\(result.output)")
        #expect(result.status == 1)
      }
      let quoted = try await Program.run(
        ["doctor", "plain"], environment: ["HOME": home, "MY_TOKEN": "'s3cr3t'"])
      #expect(
        quoted.output.contains(
          """
            PROBLEM  plain: the credential from env:MY_TOKEN is in quotes
                     → remove them
          """), "\(quoted.output)")
    }
  }

  @Test func `Each secret that a login or a token endpoint needs is reported separately.`() async throws {
    let sources = [
      "session": """
      [auth]
      type = "login"
      [auth.login]
      url = "https://a.example/login"
      body = { user = "{secret:user}", password = "{secret:password}" }
      token = "token"
      [secrets]
      user.from = "env:A_USER"
      password.from = ["env:A_PASSWORD", "file:/nonexistent/password"]
      """,
      "tokens": """
      [auth]
      type = "oauth"
      grant = "client_credentials"
      token_url = "https://a.example/token"
      client_id_from = "env:A_ID"
      client_secret_from = "env:A_SECRET"
      """,
      "device": """
      [auth]
      type = "oauth"
      grant = "device"
      token_url = "https://a.example/token"
      device_url = "https://a.example/device"
      client_id = "me"
      """,
    ]
    try await withFile("config.toml", "") { file in
      let home = URL(filePath: file).deletingLastPathComponent().path
      let folder = "\(home)/.config/riffle/sources"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      for (id, text) in sources {
        let head = "schema = 1\nid = \"\(id)\"\nrequest.url = \"https://a.example/x\"\n"
        try Data((head + text).utf8).write(to: URL(filePath: "\(folder)/\(id).toml"))
      }
      let result = try await Program.run(["doctor"], environment: ["HOME": home, "A_USER": "ann"])
      let lines = result.output.split(separator: "\n").filter { $0.contains(/session|tokens|device/) }
      #expect(
        lines.joined(separator: "\n") == """
            PROBLEM  device: not logged in
                     → run: riffle auth login device
            ok       session: env:A_USER is set for https://a.example
            PROBLEM  session: env:A_PASSWORD is not set, file:/nonexistent/password does not exist
                     → set A_PASSWORD: session sends no requests without a credential
            ok       session: no token is stored yet; the first request obtains one for https://a.example
            PROBLEM  tokens: env:A_ID is not set
                     → set A_ID: tokens sends no requests without a credential
            PROBLEM  tokens: env:A_SECRET is not set
                     → set A_SECRET: tokens sends no requests without a credential
            ok       tokens: no token is stored yet; the first request obtains one for https://a.example
          """, "\(result.output)")
    }
  }

  @Test func `Mistakes in the settings are reported and do not hide the other checks.`() async throws {
    try await withFile("config.toml", "[search]\nlive = 1\n") { path in
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      let result = try await Program.run(
        ["doctor"], environment: ["HOME": "/nonexistent", "RIFFLE_CONFIG": path])
      #expect(result.status == 1)
      #expect(result.output.contains("PROBLEM  \(path):2:8: [search] live: expected true or false"))
      #expect(result.output.contains("\(BuiltInSources.sources.count) sources"))
    }
  }

  @Test func `Credentials are reported by name, never by value.`() async throws {
    let result = try await Program.run(
      ["doctor"], environment: ["HOME": "/nonexistent", "GITHUB_TOKEN": "s3cr3t-value", "GH_TOKEN": ""])
    #expect(
      result.output.contains("github and 18 others: env:GITHUB_TOKEN is set"),
      "\(result.output)"
    )
    #expect(!result.output.contains("s3cr3t"))
  }

  @Test func `A proxy is reported without its login, and an unusable one is a problem.`() async throws {
    let good = try await Program.run(
      ["doctor"],
      environment: ["HOME": "/nonexistent", "https_proxy": "http://me:s3cr3t@proxy.example:3128"])
    #expect(good.output.contains("https: proxy proxy.example:3128 (https_proxy)"))
    #expect(!good.output.contains("s3cr3t"))
    let bad = try await Program.run(
      ["doctor"], environment: ["HOME": "/nonexistent", "https_proxy": "ftp://me:s3cr3t@proxy.example"])
    #expect(bad.status == 1)
    #expect(bad.output.contains("https: https_proxy cannot be used: only http:// and socks5://"))
    #expect(!bad.output.contains("s3cr3t"))
  }

  @Test func `A root certificate file that contains no certificate is a problem.`() async throws {
    try await withFile("roots.pem", "no certificate\n") { path in
      let result = try await Program.run(
        ["doctor"], environment: ["HOME": "/nonexistent", "SSL_CERT_FILE": path])
      #expect(result.status == 1)
      #expect(
        result.output.contains(
          "PROBLEM  cannot read \(path) (SSL_CERT_FILE): not a PEM file of certificates\n           → set SSL_CERT_FILE to a"
        ))
    }
  }

  @Test func `[U22] The report on one source has its credentials and their benefit, and nothing else.`()
    async throws
  {
    let plain = try await Program.run(
      ["doctor", "github-repository-issues"], environment: ["PATH": "/nonexistent"])
    #expect(plain.status == 0, "\(plain)")
    #expect(
      plain.output.hasPrefix(
        """
        source
          ok       github: GitHub repositories, https://api.github.com (built in)
          ok       github-repository-issues: GitHub issues of a repository, https://api.github.com (built in)
        credentials
          note     github: env:GH_TOKEN is not set, env:GITHUB_TOKEN is not set, gh is not installed \
        (optional: 30 requests a minute instead of 10)
        """), "\(plain)")
    #expect(!plain.output.contains("terminal") && plain.output.contains("\nnetwork\n"))
    let code = try await Program.run(["doctor", "github-code"], environment: ["PATH": "/nonexistent"])
    #expect(
      code.status == 1 && code.output.contains("PROBLEM  github-code: env:GH_TOKEN is not set"), "\(code)")
    let unknown = try await Program.run(["doctor", "githubb"])
    #expect(unknown.status == 64 && unknown.errors.contains("Did you mean"), "\(unknown)")
  }
}
