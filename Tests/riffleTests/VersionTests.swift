import TestSupport
import Testing
import Text

@testable import App
@testable import riffle

@Suite(.takesTurns) struct VersionTests {
  @Test func `Every command prints its version with that of Unicode.`() async throws {
    let text = "riffle \(Version.number) (Unicode \(CellWidth.unicodeVersion))\n"
    for words in [["--version"], ["search", "--version"], ["config", "show", "--version"]] {
      let result = try await Program.run(words)
      #expect(result.output == text && result.status == 0, "\(words): \(result.output)")
    }
  }

  @Test func `A version that cannot be printed is an error.`() async throws {
    let result = try await Program.shell("riffle --version >&-")
    #expect(result.status == 74)
    #expect(result.errors == "riffle: stdout is closed\n")
  }
}
