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

  /// The manual and the Makefile take both from the program; see ManualTests and InstallTests.
  @Test
  func `The newest heading of the changelog has the version of the program, and its date once released.`()
    throws
  {
    let lines = try RepositoryFile(path: "CHANGELOG.md").text().split(separator: "\n")
    let heading = lines.first { $0.hasPrefix("## ") } ?? ""
    let headings = ["(unreleased)", "- \(Version.date)"].map { "## \(Version.number) \($0)" }
    #expect(headings.contains(String(heading)), "\(heading)")
  }

  @Test func `A version that cannot be printed is an error.`() async throws {
    let result = try await Program.shell("riffle --version >&-")
    #expect(result.status == 74)
    #expect(result.errors == "riffle: stdout is closed\n")
  }
}
