import Foundation
import JSON
import Testing

/// Tests real responses, which are outside the project in the directory that RIFFLE_RECORDINGS names.
@Suite struct RecordingsTests {
  static let folder = ProcessInfo.processInfo.environment["RIFFLE_RECORDINGS"]

  @Test(.enabled(if: folder != nil, "RIFFLE_RECORDINGS names no folder of recorded responses"))
  func `Every recorded response is read as Foundation reads it.`() throws {
    let folder = URL(fileURLWithPath: try #require(Self.folder))
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    let responses = (files?.allObjects ?? []).compactMap { $0 as? URL }.filter { $0.pathExtension == "json" }
    #expect(!responses.isEmpty)
    for response in responses {
      let bytes = Array(try Data(contentsOf: response))
      let value = try? JSONDocument(bytes).root
      let other = foundationValue(bytes)
      #expect((value == nil) == (other == nil), "\(response.path)")
      if let value, let other { #expect(agrees(value, with: other), "\(response.path)") }
    }
  }
}
