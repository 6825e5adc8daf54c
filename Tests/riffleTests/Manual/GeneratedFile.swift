import TestSupport
import Testing

extension RepositoryFile {
  /// Expects the file to have this text; with RIFFLE_WRITE=1, it is written first.
  func expect(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let isCurrent = try holds(text)
    #expect(isCurrent, "RIFFLE_WRITE=1 swift test writes \(path) again", sourceLocation: sourceLocation)
  }
}
