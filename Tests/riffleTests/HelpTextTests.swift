import TestSupport
import Testing

@testable import riffle

@Suite(.takesTurns) struct HelpTextTests {
  private func help(_ words: String) async throws -> String {
    let result = try await Program.run(words.split(separator: " ").map(String.init))
    #expect(result.status == 0 && result.errors.isEmpty)
    return result.output
  }

  @Test func `The help of search shows the usual options, and how to list all.`() async throws {
    let text = try await help("search --help")
    let names = text.matches(of: /\n  (?:-[a-z], )?(--[a-z-]+|<[a-z]+>)/).map { String($0.output.1) }
    let usual = [
      "<source>", "<query>", "--set", "--watch", "--limit", "--all", "--filter", "--format", "--columns",
      "--output",
      "--help",
    ]
    #expect(names == usual)
    #expect(
      text.hasPrefix("OVERVIEW: Search and write the rows to stdout, for scripts.\n\n  riffle search unicode")
    )
    #expect(text.contains("\n\nUSAGE: riffle search [<options>] [<source>] [<query> ...]\n\nOPTIONS:\n"))
    #expect(
      text.hasSuffix(
        "  -h, --help              Show help information.\n\nTo list all 48 options, use --help-all.\n"))
    #expect(try await help("search -h") == text)
  }

  @Test func `All options are shown by --help-all and by riffle help.`() async throws {
    let all = try await help("search --help-all")
    for option in ["--max-wait", "--resume", "--csv-safe", "--stats", "--limit"] {
      #expect(all.contains("\n  \(option)") || all.contains(", \(option)"))
    }
    #expect(try await help("help search") == all)
  }

  @Test func `[U4] The help of plan lists only options that it takes.`() async throws {
    let options = /\n  (?:-[a-zA-Z], |-[a-z], )?(--[a-z-]+)/
    func names(_ words: String) async throws -> Set<String> {
      Set(try await help(words).matches(of: options).map { String($0.output.1) })
    }
    let listed = try await names("plan --help-all").subtracting(["--shards", "--workers", "--json"])
    let others = try await names("search --help-all").subtracting(listed)
    #expect(others.contains("--limit") && listed.contains("--split"))
    for option in others.subtracting(["--all"]).sorted() {
      let values = [
        "", "3", "pages:1-2@10", "1/2", "60s", "a",
      ].lazy.map { ["plan", "unicode", "arrow", "--shards", "2", option] + ($0.isEmpty ? [] : [$0]) }
      var said = ""
      for words in values where !said.contains("cannot be used with plan") {
        said = try await Program.run(words).errors
      }
      #expect(said.hasPrefix("riffle: \(option) cannot be used with plan. "), "\(option): \(said)")
    }
    let some = try await Program.run(["plan", "gitlab-issues", "runner", "--each", "--all", "--shards", "2"])
    #expect(some.status == 0, "\(some)")
  }

  @Test(arguments: [("", true), ("search", false), ("config show", false), ("demo", false)])
  func `Only the program's own help lists --version.`(command: String, isListed: Bool) async throws {
    #expect(try await help("\(command) --help-all").contains("--version") == isListed)
  }

  @Test func `An example is not wrapped at 80 columns, where it would be two commands.`() throws {
    func check(_ command: CommandTree) {
      let lines = (command.discussion ?? "").split(separator: "\n").filter { $0.hasPrefix("  ") }
      for line in lines { #expect(line.count <= 80, "\(line)") }
      command.commands.forEach(check)
    }
    check(try CommandTree.riffle())
  }

  @Test func `After -- the words are a query, not a request for help.`() {
    #expect(HelpText.request(in: ["search", "unicode", "--", "--help-all"]).arguments.last == "--help-all")
    #expect(!HelpText.request(in: ["search", "unicode", "--", "-h"]).isShort)
  }
}
