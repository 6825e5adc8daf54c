/// What the program tells its caller; the table of the manual.
enum ExitStatus: Int32, CaseIterable, Sendable {
  case done = 0
  /// Failed before the first row.
  case failed = 1
  /// Stopped after some rows.
  case partial = 3
  case unauthorized = 4
  case rateLimited = 5
  case usage = 64
  case output = 74
  case configuration = 78
}

/// A reason to stop before or instead of a run: one message, one status.
struct Complaint: Error, Sendable, Hashable {
  let message: String
  let status: ExitStatus

  init(_ message: String, _ status: ExitStatus) {
    self.message = message
    self.status = status
  }
}
