import Config
import Glibc
import Text

/// Implements `riffle state`: what `riffle search --since-last` keeps.
package struct StateCommands: Sendable {
  private let files: StateFolderFiles
  private let dependencies: Dependencies
  private let message: Message

  package init(_ dependencies: Dependencies, _ message: Message) throws(CommandError) {
    files = try StateFolderFiles(environment: dependencies.environment)
    self.dependencies = dependencies
    self.message = message
  }

  /// Implements `riffle state list`: prints name, source, query, number of rows and last complete run of each state.
  package func list() throws(CommandError) -> RunEnd {
    var problems: [String] = []
    let rows = files.names.compactMap { name -> [String]? in
      do throws(CommandError) {
        return try files.header(name).map {
          [name, $0.source, $0.query, Digits.counted($0.rows, "row"), time(of: $0)]
        }
      } catch {
        problems.append("\(error)")
        return nil
      }
    }
    try dependencies.print(ColumnList.lines(rows).map { $0 + "\n" }.joined())
    for problem in problems { message.failure(problem) }
    if rows.isEmpty, problems.isEmpty {
      message.note("no saved states. To create one, run riffle search with --since-last")
    }
    return .status(problems.isEmpty ? .done : .failed)
  }

  /// Implements `riffle state show`: prints what one state contains, after checking all of it.
  package func show(_ name: String) throws(CommandError) -> RunEnd {
    guard let header = try files.state(name)?.header else { throw unknown(name) }
    let facts = [
      ("name", name), ("source", header.source), ("query", header.query),
      ("rows", Digits.grouped(header.rows)),
      ("last complete run", time(of: header)), ("since", header.since ?? ""),
      ("ids", header.keepsIDs ? "kept, for --deleted" : ""), ("file", files.path(of: name)),
    ]
    let lines = facts.filter { !$0.1.isEmpty }.map { "\($0.0): \(Sanitized($0.1).string)\n" }
    return try dependencies.print(lines.joined())
  }

  /// Implements `riffle state reset`: removes a state, even a damaged one, so that the next run writes all rows.
  package func reset(_ name: String) throws(CommandError) -> RunEnd {
    try StateFolderFiles.check(name)
    guard files.exists(name) else { throw unknown(name) }
    try files.remove(name)
    message.note("removed the state \(name). The next run writes all rows")
    return .status(.done)
  }

  private func time(of header: ListState.Header) -> String {
    guard let time = Timestamp(epoch: header.lastRun) else { return "" }
    return "\(time.date(in: dependencies.zone)) \(time.clock(in: dependencies.zone))"
  }

  private func unknown(_ name: String) -> CommandError {
    let advice =
      NearestName.question(name, among: files.names)
      ?? (files.names.isEmpty ? "No states are saved" : "To list states, run: riffle state list")
    return CommandError("no state \(name). \(advice)", .usage)
  }
}

extension StateFolderFiles {
  /// The names of the states of a run's environment, for completion.
  static func names(in dependencies: Dependencies) -> [String] {
    (try? StateFolderFiles(environment: dependencies.environment))?.names ?? []
  }
}
