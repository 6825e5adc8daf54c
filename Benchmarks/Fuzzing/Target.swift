/// A part of riffle that reads what others write.
struct Target: Sendable {
  let name: String
  let summary: String
  /// Stops the process when something does not hold.
  let feed: @Sendable ([UInt8]) -> Void

  static let all: [Target] = [
    .json, .links, .keys, .sources, .expressions, .sanitizer, .responses, .markup,
  ]
}

/// What must hold of every input.
func hold(
  _ isTrue: Bool, _ what: @autoclosure () -> String, line: UInt = #line, file: StaticString = #fileID
) {
  if !isTrue { fatalError("\(what()) (\(file):\(line))") }
}

extension [UInt8] {
  /// As text, what is no UTF-8 replaced.
  var text: String { String(decoding: self, as: UTF8.self) }

  /// The parts between line feeds.
  var lines: [String] { split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0).text } }
}
