import Foundation
import HTTPValues
import Search
import TestSupport
import Testing

@testable import App
@testable import riffle

/// Every claim of the security page is backed by existing tests. Tests of claims that fit no other suite are below.
@Suite(.takesTurns) struct SecurityClaimTests {
  /// The names of all tests in the repository.
  private static func names() throws -> Set<String> {
    let folder = RepositoryFile(path: "Tests").url
    var names: Set<String> = []
    for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    where file.hasSuffix(".swift") {
      let source = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      // A defect number such as `[D8]` is not part of the name.
      for match in source.matches(
        of: /func `(?:\[[A-Z][0-9]+\] )?([^`]+)`|@Test\(\s*"(?:\[[A-Z][0-9]+\] )?([^"]+)"/)
      {
        if let name = match.1 ?? match.2 { names.insert(String(name)) }
      }
    }
    return names
  }

  @Test func `Every claim names tests, and every test it names exists.`() throws {
    let names = try Self.names()
    for claim in SecurityClaim.groups.flatMap(\.claims) {
      #expect(!claim.tests.isEmpty, "\(claim.text)")
      for test in claim.tests { #expect(names.contains(test), "\(test)") }
    }
  }

  @Test func `A run that does not check certificates says so even with --quiet.`() async throws {
    let run = try await Program.run(["search", "unicode", "snowman", "--quiet", "--insecure", "-n", "1"])
    #expect(run.errors == "riffle: \(RequestOptions.insecureWarning)\n")
    #expect(run.status == 0)
  }

  @Test func `A URL is a single argument, whatever it contains.`() async throws {
    try await withFile("x", "") { path in
      let file = path + ".opened"
      let opener = Opener(command: ["sh", "-c", "printf '%s\\n' \"$#\" \"$1\" > \(file)", "sh", "{url}"])
      let address = "https://a.example/$(touch%20x)?a=b;c&d=`e`'f'*|g"
      let outcome = await opener.open(address)
      #expect(String(describing: outcome).contains("opened https://a.example/"))
      let arguments = try String(contentsOfFile: file, encoding: .utf8)
      #expect(arguments == "1\n\(try #require(WebURL.link(address)))\n")
      #expect(arguments.contains("$(touch%20x)?a=b;c&d="))
    }
  }

  @Test func `Text in a recording cannot control the terminal.`() async throws {
    try await withFile("x", "") { path in
      let file = "\(path).riffle"
      let terminal = try Program.onTerminal(
        ["unicode", "arrow", "--record", file], columns: 80, rows: 16,
        environment: ["HOME=/dev/null"])
      #expect(terminal.shows("found"))
      terminal.type("]q")
      #expect(terminal.ending() == .exit(0))
      // Escaped for the body and the document, and once more for their lines.
      let attack = #"\\u001b]0;pwned\\u0007\\u009b31m\\u202e"#
      let text = try String(contentsOfFile: file, encoding: .utf8)
        .replacing("ARROW", with: "\(attack)AR").replacing("Unicode characters", with: "\(attack)title")
        .replacing(#"title = \"Name\""#, with: #"title = \"\#(attack)name\""#)
      let lines = text.split(separator: "\n").dropLast()
      let typed = attack.replacing(#"\\"#, with: #"\"#)
      let inputs = [
        #"{"at":9,"key":"s"}"#, #"{"at":9,"paste":"\#(typed)pasted"}"#, #"{"at":9,"key":"\#(typed)"}"#,
      ]
      func replay(_ inputs: [String]) async throws -> Program.Result {
        try Data((lines + inputs.map { $0[...] } + [""]).joined(separator: "\n").utf8)
          .write(to: URL(filePath: file))
        return try await Program.run(["replay", file])
      }
      let shown = try await replay(Array(inputs.prefix(2)))
      #expect(shown.status == 0, "\(shown)")
      for text in ["pasted", "LEFT ␛", "title", "NAME  "] { #expect(shown.output.contains(text), "\(shown)") }
      let refusal = try await replay(inputs)
      #expect(refusal.errors.contains("is not a key"), "\(refusal)")
      for said in [shown.output, refusal.errors] {
        let isDriven = said.unicodeScalars.contains {
          "\u{1B}\u{7}\u{9B}\u{202E}".unicodeScalars.contains($0)
        }
        #expect(!isDriven, "\(said.debugDescription)")
      }
    }
  }
}
