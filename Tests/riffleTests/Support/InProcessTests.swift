import TestSupport
import Testing

/// Most tests run riffle in their own process. These tests show that the program behaves in the same way.
@Suite(.takesTurns) struct InProcessTests {
  @Test(arguments: [
    "--version", "help", "help search", "add --help", "demo", "--generate-completion-script zsh",
    "", "soures", "search unicode -x", "search unicode --limit 0", "search --limitt 3",
    "search unicode arrow -n 3 -f csv -c name --stats -", "search unicode arrow --count -v --color always",
    "search ./no-such-file.toml", "search github tui --dry-run", "search http://127.0.0.1:1/list",
    "pick unicode", "replay /no/file", "sources show unicode", "sources edit no-such-source",
    "config show --origin", "config path --config x.toml", "auth status", "auth login unicode", "doctor",
    "add --dry-run http://127.0.0.1:1/list",
  ])
  func `A run in this process has the output, the messages and the status of the built program.`(line: String)
    async throws
  {
    let words = line.split(separator: " ").map(String.init)
    let environment = ["NO_COLOR": "1", "RIFFLE_SEARCH_RETRIES": "0", "TZ": "Asia/Kolkata"]
    let built = try await Program.runBuilt(words, environment: environment)
    let here = try await Program.run(words, environment: environment)
    #expect(masked(here) == masked(built))
    #expect(!(built.output + built.errors).isEmpty)
  }

  /// The result without parts that differ between runs: ports and times.
  private func masked(_ result: Program.Result) -> [String] {
    [result.output, result.errors].map {
      $0.replacing(/127\.0\.0\.1:\d{2,}/, with: "SERVICE").replacing(/\d+ (ms|s)\b/, with: "TIME")
        .replacing(/"seconds": [0-9.]+/, with: "\"seconds\": TIME")
    } + ["\(result.status)"]
  }
}
