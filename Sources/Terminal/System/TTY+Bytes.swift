internal import Glibc

/// Non-blocking reads and writes.
extension TTY {
  enum Transfer: Equatable {
    case count(Int)
    /// No bytes can be transferred now.
    case blocked
    /// The terminal is gone: end of file or an I/O error.
    case hangup
  }

  /// Reads into the start of `buffer`.
  func read(into buffer: inout [UInt8]) -> Transfer {
    transfer(endsAtZero: true) { Glibc.read(descriptor, &buffer, buffer.count) }
  }

  /// Writes a prefix of `bytes`.
  func write(_ bytes: ArraySlice<UInt8>) -> Transfer {
    transfer(endsAtZero: false) {
      bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
  }

  private func transfer(endsAtZero: Bool, _ call: () -> Int) -> Transfer {
    do throws(SystemError) {
      let count = try SystemCall.check("exchange data with the terminal", call)
      return count == 0 && endsAtZero ? .hangup : .count(count)
    } catch {
      return error.code == EAGAIN ? .blocked : .hangup
    }
  }
}
