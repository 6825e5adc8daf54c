import Foundation
import Testing

/// A file of the repository that is made from the program: a test compares it, and with RIFFLE_WRITE=1 in the
/// environment writes it.
struct RepositoryFile {
  static let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

  let path: String

  var url: URL { Self.root.appending(path: path) }

  func text() throws -> String { try String(contentsOf: url, encoding: .utf8) }

  func expect(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    if ProcessInfo.processInfo.environment["RIFFLE_WRITE"] == "1" {
      try Data(text.utf8).write(to: url)
    }
    let present = (try? self.text()) ?? ""
    #expect(
      present == text, "RIFFLE_WRITE=1 swift test makes \(path) anew",
      sourceLocation: sourceLocation)
  }
}
