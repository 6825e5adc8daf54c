import Glibc

/// The time at which a wait ends.
struct Deadline: Sendable {
  private let at: Int64

  /// Accurate to the millisecond.
  init(after time: Duration) { at = Self.now + Int64((time / .milliseconds(1)).rounded(.up)) }

  private init(at: Int64) { self.at = at }

  /// This deadline or the given time from now, whichever is sooner.
  func sooner(of time: Duration) -> Deadline { Deadline(at: min(at, Deadline(after: time).at)) }

  static let passed = Deadline(at: 0)

  /// The remaining time for `poll`; 0 once the deadline has passed.
  var milliseconds: Int32 { Int32(clamping: max(0, at - Self.now)) }

  /// The monotonic clock.
  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

extension Descriptor {
  /// Reads what is available in a non-blocking pipe, at most `limit` bytes; `isOpen` is whether more may
  /// follow.
  func available(upTo limit: Int) -> ([UInt8], isOpen: Bool) {
    var chunk = [UInt8](repeating: 0, count: max(1, min(limit, 65_536)))
    let count = Glibc.read(number, &chunk, chunk.count)
    if count < 0 { return ([], errno == EAGAIN || errno == EINTR) }
    return (Array(chunk[..<count]), count > 0)
  }

  func waitUntilReadable(milliseconds: Int32) {
    var descriptors = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    poll(&descriptors, 1, milliseconds)
  }

  /// Writes to a pipe whose reader may be slow or gone; returns whether all bytes were accepted in time.
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
