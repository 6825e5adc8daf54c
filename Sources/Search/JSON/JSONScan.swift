/// The result of scanning a whole text.
struct JSONScan {
  let tape: [JSONTapeEntry]
  let firstMalformedByte: Int?
  let hasLineBreaks: Bool

  /// The tape, which may be as large as the text, is written in place and never copied.
  init(_ text: UnsafeBufferPointer<UInt8>, from start: Int, maxDepth: Int) throws(JSONFault) {
    guard let first = text.baseAddress else { throw JSONFault(offset: 0, expectation: .value) }
    var fault: JSONFault?
    var (firstMalformedByte, hasLineBreaks) = (nil as Int?, false)
    var entriesOutsideRoom: [JSONTapeEntry]?
    let entries = [JSONTapeEntry](
      unsafeUninitializedCapacity: JSONTape.usualCount(forTextOf: text.count)
    ) { room, initializedCount in
      guard let firstEntry = room.baseAddress else { return }
      do throws(JSONFault) {
        var scanner = JSONScanner(
          first, count: text.count, maxDepth: maxDepth, start: start,
          tape: JSONTape(in: firstEntry, capacity: room.count))
        try scanner.scanText()
        (firstMalformedByte, hasLineBreaks) = (scanner.firstMalformedByte, scanner.hasLineBreaks)
        initializedCount = scanner.tape.countInRoom
        entriesOutsideRoom = scanner.tape.entriesOutsideRoom
      } catch {
        fault = error
      }
    }
    if let fault { throw fault }
    tape = entriesOutsideRoom ?? entries
    self.firstMalformedByte = firstMalformedByte
    self.hasLineBreaks = hasLineBreaks
  }
}
