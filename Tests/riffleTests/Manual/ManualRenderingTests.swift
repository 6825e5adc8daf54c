import Foundation
import TestSupport
import Testing

/// Checks the manual pages with the programs that show them, where those are installed.
@Suite(.takesTurns) struct ManualRenderingTests {
  private static func isInstalled(_ program: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
  }

  private static func pages() throws -> [String] {
    let folder = RepositoryFile(path: "man").url
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .map { folder.appending(path: $0).path }
  }

  @Test(.enabled(if: isInstalled("groff")), arguments: [60, 80, 120])
  func `groff formats each page without a warning.`(columns: Int) async throws {
    for page in try Self.pages() {
      let result = try await Program.shell("groff -ww -man -Tutf8 -rLL=\(columns)n \(page)")
      #expect(result.errors.isEmpty && result.status == 0, "\(page): \(result.errors)")
    }
  }

  @Test(.enabled(if: isInstalled("mandoc"))) func `mandoc lint reports no problem.`() async throws {
    for page in try Self.pages() {
      let result = try await Program.shell("mandoc -T lint \(page) || true")
      // It does not matter here whether other pages are installed.
      let problems = result.lines.filter { !$0.contains("referenced manual not found") }
      #expect(problems.isEmpty, "\(problems)")
    }
  }
}
