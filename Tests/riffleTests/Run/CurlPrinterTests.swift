import ArgumentParser
import Config
import Credentials
import Foundation
import HTTPValues
import TestSupport
import Testing

@testable import App
@testable import Search
@testable import riffle

/// Tests the output of `--dry-run`, which is meant for a shell: it must send the same request as riffle, and run
/// nothing else.
@Suite(.takesTurns) struct CurlPrinterTests {
  /// Texts that a shell would run, cut or change.
  private static let hostile = [
    "$(touch pwned)", "`touch pwned`", "'; touch pwned; '", "\"; touch pwned; \"", "\"$(touch pwned)\"", "\\",
    "a\\'b", "!! !$", "${IFS}$HOME", "*", "~", "#", ")", "$", "-n", "${x:-$(touch pwned)}", "&& touch pwned",
    "| touch pwned", "%s%n", "a''b", "@/etc/passwd",
  ]
  /// Texts that no header can hold, or no secret.
  private static let unprintable = [
    "\n touch pwned\n", "\u{3}touch pwned\n", "\r", "\t", "\u{1B}[201~touch pwned\n", "\u{9B}", "\u{202E}",
    "日本 é", "\u{301}", "👩‍👩‍👧", "",
  ]

  /// A basic string of TOML.
  private func toml(_ text: String) -> String {
    let escapes = text.unicodeScalars.map { scalar in
      let digits = String(scalar.value, radix: 16)
      return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
    }
    return "\"\(escapes.joined())\""
  }

  private func literal(_ text: String) -> String {
    text.replacing("{", with: "{{").replacing("}", with: "}}")
  }

  /// The arguments of each `curl` that a shell runs when given the script.
  private func arguments(
    of script: String, by shell: String, in folder: String, _ environment: [String: String]
  ) async throws -> [[String]] {
    let output = "\(folder)/argv"
    try Data().write(to: URL(filePath: output))
    try Data(script.utf8).write(to: URL(filePath: "\(folder)/script"))
    let environment = environment.merging(["PATH": "\(folder)/bin:/usr/bin:/bin", "ARGV": output]) { $1 }
    let run = try await Program.shell("cd \(folder)/empty && \(shell) ../script", environment: environment)
    #expect(run.errors == "", "\(shell)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/empty") == [], "\(shell)")
    let words = try Data(contentsOf: URL(filePath: output)).split(
      separator: 0, omittingEmptySubsequences: false)
    return words.map { String(decoding: $0, as: UTF8.self) }.split(separator: "END OF WORDS").map(Array.init)
      .dropLast()
  }

  /// A folder with a `curl` that records its arguments, and `tell`, a program that prints its own.
  private func withPrograms(_ body: (String) async throws -> Void) async throws {
    try await withFile("x", "") { path in
      let folder = URL(filePath: path).deletingLastPathComponent().path
      let programs = [
        "curl": #"printf '%s\0' "$@" 'END OF WORDS' >> "$ARGV""#,
        "tell": "printf 'v%s|' \"$@\"; printf '\\n second line\\n'",
      ]
      for name in ["bin", "empty"] {
        try FileManager.default.createDirectory(
          atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
      }
      for (name, text) in programs {
        try Data("#!/bin/sh\n\(text)\n".utf8).write(to: URL(filePath: "\(folder)/bin/\(name)"))
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o700], ofItemAtPath: "\(folder)/bin/\(name)")
      }
      try await body(folder)
    }
  }

  private static var shells: [String] {
    ["sh", "bash"] + (FileManager.default.isExecutableFile(atPath: "/usr/bin/zsh") ? ["zsh"] : [])
  }

  @Test func `[D48] A shell sends what riffle would send, and runs nothing from any text in it.`()
    async throws
  {
    try await withPrograms { folder in
      var random = SeededGenerator(seed: 48)
      func any(_ texts: [String]) -> String { texts.randomElement(using: &random) ?? "" }
      var environment = ["HOME": "\(folder)/home"]
      var script = ""
      var expected: [[String]] = []
      for number in 0..<40 {
        let (printable, all) = (Self.hostile, Self.hostile + Self.unprintable)
        let file = "\(folder)/\(any(printable).replacing("/", with: "_"))\(any(["\n", "x"]))\(number)"
        try Data("v\(any(printable))\(number)\nsecond line\n".utf8).write(to: URL(filePath: file))
        // A value that begins with the prefix is refused.
        environment["V\(number)"] = "v\(any(printable))v"
        environment["W\(number)"] = "v\(any(printable.filter { !$0.contains(":") }))v"
        let words = (0..<3).map { _ in any(printable).replacing(" ", with: "_") }
        func origin() -> String {
          any([
            "env:V\(number)", "env:W\(number)", "file:\(file)",
            "cmd:\(folder)/bin/tell \(words.joined(separator: " "))",
          ])
        }
        let auth = any([
          "type = \"header\"\nheader = \"X-Auth\"\nprefix = \(toml(any(printable)))",
          "type = \"query\"\nparam = \(toml("k" + any(all)))",
          "type = \"basic\"\nuser_from = \"env:W\(number)\"",
        ])
        let document = """
          schema = 1
          id = "mine"
          [options.o]
          default = \(toml(any(all)))
          [request]
          method = "\(any(["GET", "POST"]))"
          url = "https://a.example/{query}"
          params = { q = "{query}{o}", p = \(toml(literal(any(all)) + "{secret:one}" + literal(any(all)))) }
          headers = { X-One = \(toml(literal(any(printable)) + "{secret:one}")), X-Two = \(toml(any([literal(any(printable)), ""]))) }
          [rows]
          path = "items"
          [secrets.one]
          from = \(toml(origin()))
          [auth]
          \(auth)
          from = \(toml(origin()))
          """
        let safe = """
          safe = true
          body_type = "\(any(["json", "form"]))"
          body = { a = \(toml(literal(any(all)))), b = "{query}", \
          c = \(toml(literal(any(all)) + any(["{secret:one}", ""]) + literal(any(all)))), d = 1 }
          [rows]
          """
        let text = document.contains("POST") ? document.replacing("[rows]", with: safe) : document
        let catalog = Catalog(
          builtIns: [BuiltInDocument(name: "mine", bytes: Array(text.utf8))],
          folder: nil, files: .system(), user: 0, input: SearchInput())
        let header = "X-Three: \(any(printable).filter { $0 != "$" })$V\(number) \(any(["", "$ "]))e"
        let options = try RequestOptions.parse(["mine", "-H", header, "--", any(all) + "q"])
        let additions = try RequestAdditions(options, environment: environment)
        let named = try catalog.entry(named: "mine")
        var entry = named
        entry.source = try additions.applied(to: named.source)
        let page = PageRequest(
          query: try options.query(for: entry.source), position: entry.source.pagination.style.first,
          generation: 0)
        let secrets = ShellCredentials(
          of: entry.source, additions.shellWords, in: environment, nonce: UInt64(number))
        let marked = try entry.source.request(for: page, in: RunContext(credentials: secrets.credentials))
        script += CurlPrinter(request: marked, secrets: secrets).text
        let resolver = SecretResolver(environment: environment, files: .system()) {
          try await ChildProgram.firstLine(of: $0)
        }
        var found = try await resolver.credentials(for: entry)
        found.secrets.merge(additions.secrets) { $1 }
        let request = try entry.source.request(for: page, in: RunContext(credentials: found))
        expected.append(Self.arguments(for: request))
      }
      for shell in Self.shells {
        let sent = try await arguments(of: script, by: shell, in: folder, environment)
        for (sent, expected) in zip(sent, expected) {
          #expect(sent == expected, "\(shell)")
        }
        #expect(sent.count == expected.count, "\(shell)")
      }
      // When it is pasted, only line ends act as control characters.
      let controls = script.unicodeScalars.filter { $0 != "\n" && $0.properties.generalCategory == .control }
      #expect(controls.isEmpty)
    }
  }

  /// The words that curl needs to send a request with its real secrets.
  private static func arguments(for request: HTTPRequest) -> [String] {
    let query = request.credentials.compactMap { credential -> String? in
      guard case .query(let name) = credential.place else { return nil }
      return "\(PercentEncoding.encoded(name))=\(credential.secret.reveal())"
    }
    let headers = request.credentials.compactMap { credential -> String? in
      guard case .header(let name) = credential.place else { return nil }
      return "\(name): \(credential.secret.reveal())"
    }
    let hasBody = !request.sentBody.isEmpty
    var words = [request.url.description]
    if !hasBody { words.append("--get") }
    words += query.flatMap { [hasBody ? "--url-query" : "--data-urlencode", $0] }
    if request.method == .post { words += ["-X", "POST"] }
    words += (request.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" } + headers)
      .flatMap { ["-H", $0] }
    words.append("--compressed")
    return words + data(of: request)
  }

  /// A field of a form with a secret is a word of its own, which curl encodes.
  private static func data(of request: HTTPRequest) -> [String] {
    let body = String(decoding: request.sentBody, as: UTF8.self)
    let fields = request.credentials.compactMap { credential -> String? in
      guard case .field(let name) = credential.place else { return nil }
      return "\(name)=\(credential.secret.reveal())"
    }
    guard let field = fields.first else { return body.isEmpty ? [] : ["--data-raw", body] }
    let items = body.split(separator: "&").map(String.init)
    return [
      "--data-raw", items[..<2].joined(separator: "&"), "--data-urlencode", field, "--data-raw", items[3],
    ]
  }

  @Test func `[D33] The words of programs and the paths of files are quoted when a shell runs them.`() throws
  {
    let secrets = [
      ShellWord.firstLine(of: ["gh", "auth", "token"]), .firstLine(of: ["$(touch pwned)", "a'b; x"]),
      .firstLine(ofFile: "~/my token"), .firstLine(ofFile: "/x/$(touch pwned)"), .variable("GH_TOKEN"),
      .variable("x$(touch pwned)"), .variable("1st"), ShellWord(""), ShellWord("it's\u{3}\tnew\n"),
    ]
    #expect(
      secrets.map(\.description) == [
        #""$('gh' 'auth' 'token' | head -n 1)""#, #""$('$(touch pwned)' 'a'\''b; x' | head -n 1)""#,
        #""$(head -n 1 -- "$HOME"'/my token')""#, #""$(head -n 1 -- '/x/$(touch pwned)')""#, #""$GH_TOKEN""#,
        #""$(printenv -- 'x$(touch pwned)')""#, #""$(printenv -- '1st')""#, "''",
        #"'it'\''s'"$(printf '\003')""$(printf '\011')"'new"# + "\n'",
      ])
  }

  @Test func `A secret in a body is read by the shell, and encoded as the body is.`() throws {
    func printed(_ body: String) throws -> String {
      let source = try SourceDecoder.source(
        TOMLDocument(
          """
          schema = 1
          id = "mine"
          [request]
          url = "https://a.example/x"
          headers = { Accept = "", User-Agent = "" }
          \(body)
          [secrets.key]
          from = "env:KEY"
          """, file: "mine.toml"))
      let secrets = ShellCredentials(of: source, in: ["KEY": "a"], nonce: 1)
      let page = PageRequest(first: source, Query("swift"))
      let request = try source.request(for: page, in: RunContext(credentials: secrets.credentials))
      return CurlPrinter(request: request, secrets: secrets).text.split(separator: "--compressed \\\n").last
        .map(
          String.init) ?? ""
    }
    #expect(
      try printed("body = { q = \"{query}\", k = \"{secret:key}\" }")
        == #"  --data-raw '{"q":"swift","k":"'"$(printf %s "$KEY" | sed 's/["\\]/\\&/g')"'"}'"# + "\n")
    #expect(
      try printed("body_type = \"form\"\nbody = { q = \"{query}\", k = \"{secret:key}\" }")
        == "  --data-raw 'q=swift' \\\n  --data-urlencode 'k='\"$KEY\"\n")
  }

  @Test func `[D48] The line that the program prints is safe to paste into a shell.`() async throws {
    let source = """
      schema = 1
      id = "mine"
      [request]
      url = "https://a.example/{query}"
      headers = { X-Literal = "$(touch pwned)'`touch pwned`" }
      [auth]
      type = "header"
      header = "X-Key"
      prefix = "$(touch pwned) "
      from = "cmd:tell $(touch${IFS}pwned) 'x"
      """
    try await withPrograms { folder in
      let file = "\(folder)/$(touch pwned).toml"
      try Data(source.utf8).write(to: URL(filePath: file))
      let dry = try await Program.run(
        [
          "search", file, "$(touch pwned)", "-H", "X-More: `touch pwned`$HOME$(touch pwned)", "--trust",
          "--dry-run",
        ],
        environment: ["HOME": folder])
      #expect(dry.status == 0, "\(dry)")
      for shell in Self.shells {
        let sent = try await arguments(of: dry.output, by: shell, in: folder, ["HOME": folder])
        #expect(
          sent == [
            [
              "https://a.example/%24%28touch%20pwned%29", "-H", "Accept: application/json, */*;q=0.1", "-H",
              "User-Agent: riffle/\(Version.number)", "-H", "X-Literal: $(touch pwned)'`touch pwned`", "-H",
              "X-More: `touch pwned`\(folder)$(touch pwned)", "-H",
              "X-Key: $(touch pwned) v$(touch${IFS}pwned)|v'x|", "--compressed",
            ]
          ], "\(shell)")
      }
    }
  }

  @Test(
    arguments: [
      ([:], "github", nil), (["GH_TOKEN": "abc123"], "github", "$GH_TOKEN"),
      (["GH_TOKEN": "abc123"], "github --set server=https://ghe.example/api/v3", nil),
      ([:], "github-code", "$GH_TOKEN"),
    ] as [([String: String], String, String?)])
  func `[U8] A dry run shows an optional credential only if it would be sent.`(
    environment: [String: String], source: String, credential: String?
  ) async throws {
    let environment = environment.merging(["PATH": "/nonexistent"]) { $1 }
    let words = source.split(separator: " ").map(String.init)
    let dry = try await Program.run(["search"] + words + ["tui", "--dry-run"], environment: environment)
    #expect(dry.status == 0, "\(dry)")
    #expect(dry.output.contains("uthorization") == (credential != nil), "\(dry)")
    if let credential {
      #expect(dry.output.contains(credential) || dry.output.contains("gh' 'auth'"), "\(dry)")
    }
  }

  @Test func `[U8] A dry run shows no command that sends a required credential to another server.`()
    async throws
  {
    let dry = try await Program.run(
      ["search", "github-code", "tui", "--set", "server=https://other.example", "--dry-run"],
      environment: ["GH_TOKEN": "abc123"])
    #expect(dry.status == 4 && dry.output == "", "\(dry)")
    #expect(dry.errors.contains("to https://api.github.com only, not to https://other.example"), "\(dry)")
  }
}
