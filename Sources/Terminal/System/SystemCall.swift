internal import Glibc

/// A system call that failed.
package struct SystemError: Error, Equatable, CustomStringConvertible {
  /// What was tried: the call, and on what.
  package let operation: String
  package let code: Int32

  package var description: String { "\(operation): \(String(cString: strerror(code)))" }
}

enum SystemCall {
  /// Calls until a signal does not interrupt, and turns −1 into an error.
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
