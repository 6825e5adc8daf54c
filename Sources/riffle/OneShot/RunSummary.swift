import ArgumentParser
import Glibc
import Search

/// Prints the report at the end of a run and sets the exit status.
struct RunSummary {
  let options: ReportOptions
  /// The maximum number of rows the service returns; nil if it has no cap.
  let cap: Int?
  let message: Message

  /// - Throws: The exit status, unless it is 0. If a signal interrupted the run, the process ends by it.
  func conclude(_ state: OneShotState) throws {
    let report = state.report
    for note in report.notes { message.note(note) }
    if let failure = report.failure { message.failure(failure) }
    if let advice = report.advice { message.failure(advice) }
    try writeStatistics(of: state)
    if let signal = state.interruption { Signals.raise(signal) }
    if options.count, state.isComplete { try printCount(of: state) }
    if report.status != .done { throw ExitCode(report.status.rawValue) }
  }

  /// Prints the number of rows read, if all were; else the service's total.
  private func printCount(of state: OneShotState) throws(CommandError) {
    guard state.awaitsTotal, let total = state.session.total else {
      return try Descriptor.print("\(state.writtenRows)\n")
    }
    switch total {
    case .exact: break
    case .atLeast: message.note("the total is a lower bound")
    case .estimate: message.note("the total is an estimate by the service")
    }
    try Descriptor.print("\(total.count)\n")
  }

  private func writeStatistics(of state: OneShotState) throws(CommandError) {
    guard let target = options.stats else { return }
    let text = RunStatistics(state: state, cap: cap).json
    let descriptor =
      target == "-" ? STDERR_FILENO : open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw CommandError("cannot write \(target) (--stats): \(String(cString: strerror(errno)))", .output)
    }
    defer { if descriptor != STDERR_FILENO { close(descriptor) } }
    if let code = Descriptor(descriptor).write(Array(text.utf8)) {
      throw CommandError("cannot write \(target) (--stats): \(String(cString: strerror(code)))", .output)
    }
  }
}
