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
      switch tty.write(bytes[sent...]) {
      case .count(let count): sent += count
      case .blocked: return true
      case .hangup: return false
      }
    }
    removeAll()
    return true
  }
}
