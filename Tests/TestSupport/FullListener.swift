import Glibc

/// A listener on the loopback interface whose queue is full: a client that connects is neither accepted nor
/// refused.
package final class FullListener: Sendable {
  package struct Failure: Error { let code: Int32 }

  package let port: Int
  private let descriptors: [Int32]

  package init() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var descriptors = [listener]
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    guard
      Self.with(&address, { bind(listener, $0, $1) }) == 0, listen(listener, 0) == 0,
      Self.with(
        &address,
        { address, size in
          var size = size
          return getsockname(listener, address, &size)
        }) == 0
    else { throw Failure(code: errno) }
    port = Int(UInt16(bigEndian: address.sin_port))
    // As many clients as are accepted, and one that is not.
    while descriptors.count < 16 {
      let caller = socket(
        AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
      _ = Self.with(&address) { connect(caller, $0, $1) }
      var polled = pollfd(fd: caller, events: Int16(POLLOUT), revents: 0)
      guard poll(&polled, 1, 200) > 0 else {
        close(caller)
        self.descriptors = descriptors
        return
      }
      descriptors.append(caller)
    }
    self.descriptors = descriptors
    throw Failure(code: EISCONN)
  }

  deinit { for descriptor in descriptors { close(descriptor) } }

  /// Whether a client is waiting to be accepted, in state SYN_SENT (proc_net_tcp(5)).
  package var hasCallers: Bool {
    guard let file = fopen("/proc/net/tcp", "re") else { return false }
    defer { fclose(file) }
    let remote = "0100007F:" + Self.hexadecimal(port) + " 02 "
    var line = [CChar](repeating: 0, count: 512)
    while fgets(&line, Int32(line.count), file) != nil {
      if String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).contains(
        remote)
      {
        return true
      }
    }
    return false
  }

  private static func hexadecimal(_ port: Int) -> String {
    let digits = String(port, radix: 16, uppercase: true)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }

  private static func with(
    _ address: inout sockaddr_in, _ call: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
