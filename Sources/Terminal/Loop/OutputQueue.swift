/// Buffers output for the terminal, so that keys can be read while a slow terminal accepts it in parts.
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

  /// Writes as much as the terminal accepts now. Returns false if the terminal is gone.
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

  /// Linux passes a write of up to this many bytes to a terminal in one piece (the page size of its terminal
  /// buffers).
  private static let portion = 1_792

  /// The end of the next write: before a sequence, so that a terminal that draws after each read does not
  /// draw part of a cluster.
  var portionEnd: Int {
    let limit = sent + OutputQueue.portion
    guard limit < bytes.count else { return bytes.count }
    return bytes[sent + 1..<limit].lastIndex(of: ASCII.escape) ?? limit
  }
}
