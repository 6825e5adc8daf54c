internal import Glibc

/// A failed system call.
package struct SystemError: Error, Equatable, CustomStringConvertible {
  /// The failed operation: the call and its object.
  package let operation: String
  package let code: Int32

  package var description: String { "cannot \(operation): \(String(cString: strerror(code)))" }
}

/// System calls that are repeated when a signal interrupts them.
enum SystemCall {
  /// Repeats a call that was interrupted by a signal, and throws if the result is −1.
  @discardableResult
  static func check<Value: SignedInteger>(
    _ operation: @autoclosure () -> String, _ call: () -> Value
  ) throws(SystemError) -> Value {
    while true {
      let value = call()
      if value != -1 { return value }
      let code = errno
      if code != EINTR { throw SystemError(operation: operation(), code: code) }
    }
  }
}
