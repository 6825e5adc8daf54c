import Glibc

/// An open file, pipe or terminal.
struct Descriptor: Sendable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  /// Writes all bytes, waiting as long as that takes; gives the error that prevented it.
  func write(_ bytes: [UInt8]) -> Int32? {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = Glibc.write(number, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
          waitUntilWritable()
        } else if errno != EINTR {
          return errno
        }
      }
      return nil
    }
  }

  /// For a descriptor somebody else made non-blocking.
  private func waitUntilWritable() {
    var descriptors = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
    poll(&descriptors, 1, -1)
  }
}

extension Descriptor {
  /// Text on stdout. A reader that went away is no failure.
  static func print(_ text: String) throws(Complaint) {
    guard fcntl(STDOUT_FILENO, F_GETFD) >= 0 else { throw Complaint("stdout is closed", .output) }
    signal(SIGPIPE, SIG_IGN)
    guard let code = Descriptor(STDOUT_FILENO).write(Array(text.utf8)), code != EPIPE else { return }
    throw Complaint("the output cannot be written: \(String(cString: strerror(code)))", .output)
  }
}
