/// The exit statuses of the program, as listed in the manual.
enum ExitStatus: Int32, CaseIterable, Sendable {
  case done = 0
  /// The run failed before the first row.
  case failed = 1
  /// The run stopped after some rows.
  case partial = 3
  case unauthorized = 4
  case rateLimited = 5
  case usage = 64
  case output = 74
  case configuration = 78
}

/// A command failed: one message and one exit status.
struct CommandError: Error, Sendable, Hashable {
  let message: String
  let status: ExitStatus

  init(_ message: String, _ status: ExitStatus) {
    self.message = message
    self.status = status
  }
}
