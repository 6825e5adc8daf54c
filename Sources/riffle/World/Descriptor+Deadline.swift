import Glibc

/// A point in time that waiting ends at.
struct Deadline: Sendable {
  private let at: Int64

  init(seconds: Int) { at = Self.now + Int64(seconds) * 1000 }

  private init(at: Int64) { self.at = at }

  static let passed = Deadline(at: 0)

  /// What is left, for `poll`; 0 when it has passed.
  var milliseconds: Int32 { Int32(clamping: max(0, at - Self.now)) }

  /// Of a clock that only goes on.
  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

extension Descriptor {
  /// What can be read until the writer closes, at most 64 KiB, and whether that was in time.
  func text(until deadline: Deadline) -> (String, isInTime: Bool) {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while bytes.count < 65_536 {
      let left = deadline.milliseconds
      guard left > 0 else { return ("", false) }
      var descriptors = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
      guard poll(&descriptors, 1, left) > 0 else { continue }
      let count = Glibc.read(number, &chunk, chunk.count)
      if count == 0 { break }
      if count > 0 { bytes += chunk[..<count] } else if errno != EINTR { break }
    }
    return (String(decoding: bytes, as: UTF8.self), true)
  }

  /// Writes to a pipe whose reader may be slow or gone; whether it has taken everything in time.
  func write(_ bytes: [UInt8], until deadline: Deadline) -> Bool {
    _ = fcntl(number, F_SETFL, O_NONBLOCK)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        let left = deadline.milliseconds
        guard left > 0 else { return false }
        var descriptors = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        poll(&descriptors, 1, left)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}
