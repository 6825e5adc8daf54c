/// Bytes on their way to the terminal. A slow one takes them in parts, and keys are read meanwhile.
struct OutputQueue {
  private var bytes: [UInt8] = []
  private var sent = 0

  var isEmpty: Bool { sent == bytes.count }

  mutating func append(_ text: some Sequence<UInt8>) {
    bytes.append(contentsOf: text)
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    sent = 0
  }

  /// Writes what the terminal takes now. False when the terminal is gone.
  mutating func flush(to tty: borrowing TTY) -> Bool {
    while !isEmpty {
      switch tty.write(bytes[sent..<portionEnd]) {
      case .count(let count): sent += count
      case .blocked: return true
      case .hangup: return false
      }
    }
    removeAll()
    return true
  }

  /// Linux passes a write on to a terminal whole up to this many bytes (the page of its terminal buffers).
  private static let portion = 1_792

  /// Where the next write ends: before a sequence, so that a terminal that draws what one read brings is not
  /// given half of a cluster.
  var portionEnd: Int {
    let limit = sent + OutputQueue.portion
    guard limit < bytes.count else { return bytes.count }
    return bytes[sent + 1..<limit].lastIndex(of: ASCII.escape) ?? limit
  }
}
