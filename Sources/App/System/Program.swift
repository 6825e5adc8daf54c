import Glibc
import Terminal
import Text

/// The version of the program.
package enum Version {
  static let number = "0.1.0"
  /// The day of its release, or of the last change of the manual.
  static let date = "2026-11-21"

  /// The program's version and the Unicode version of its width data.
  package static let text = "riffle \(number) (Unicode \(CellWidth.unicodeVersion))"
}

/// The commands of the program. No source can have one of these names.
package enum CommandName: String, CaseIterable, Sendable {
  case browse, search, plan, pick, add, sources, auth, config, state, replay, demo, doctor, help

  static let all = allCases.map(\.rawValue)
}

/// The exit statuses of the program, as listed in the manual.
package enum ExitStatus: Int32, CaseIterable, Sendable {
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

/// How a run of the program ended.
package enum RunEnd: Sendable, Hashable {
  case status(ExitStatus)
  /// The user left without choosing what was asked for.
  case canceled
  /// A signal stopped the run. Its process ends by it, so that the parent sees it.
  case signal(Int32)
}

extension RunEnd {
  init(_ exit: LoopExit) {
    self =
      switch exit {
      case .finished: .status(.done)
      case .signal(let number): .signal(number)
      case .hangup: .signal(SIGHUP)
      }
  }
}

/// A command failed: one message and one exit status.
package struct CommandError: Error, Sendable, Hashable, CustomStringConvertible {
  package let message: String
  package let status: ExitStatus

  package var description: String { message }

  package init(_ message: String, _ status: ExitStatus) {
    self.message = message
    self.status = status
  }

  init(_ error: SystemError, _ status: ExitStatus) {
    self.init("\(error). Use riffle search, which needs no terminal", status)
  }
}

/// Messages for the user on stderr, sanitized and one line each.
package struct Message: Sendable {
  private let colors: CommandColors
  package var isQuiet = false
  /// The thread for progress and log messages.
  let thread = WritingThread("riffle.messages")
  private let errors: Descriptor

  package init(_ dependencies: Dependencies) {
    errors = dependencies.errors
    colors = dependencies.colors
  }

  /// Prints what failed and what to do next; not silenced by `--quiet`.
  package func failure(_ text: String) { put("riffle: ", .error, text) }

  /// Prints what the user should know although nothing failed; not silenced by `--quiet`.
  func warning(_ text: String) { put("riffle: ", .warning, text) }

  func note(_ text: String) { if !isQuiet { put("riffle: ", .dim, text) } }

  /// Prints a line without the program's name.
  func plain(_ text: String) { put("", .dim, text) }

  /// Prints lines of a name, a colon and what is said about it.
  func facts(_ text: String) {
    for line in text.split(separator: "\n") {
      let name = line.prefix { $0 != ":" }
      guard name.count < line.count else { return plain(String(line)) }
      write(
        colors.errors(.header, Sanitized(String(name)).string)
          + Sanitized(String(line[name.endIndex...])).string
          + "\n")
    }
  }

  /// Asks a yes/no question on the terminal: whether the user answered yes; nil if the session is not
  /// interactive.
  func isAgreed(_ question: String, _ dependencies: Dependencies) -> Bool? {
    answer(to: "\(question) [y/N] ", dependencies).map(Self.isYes)
  }

  static func isYes(_ answer: String) -> Bool { ["y", "yes"].contains(answer.lowercased()) }

  /// What the user types; nil if there is no terminal to ask on.
  func answer(to question: String, _ dependencies: Dependencies) -> String? {
    guard dependencies.input.isTerminal, errors.isTerminal else { return nil }
    write(Sanitized(question).string)
    return String(decoding: dependencies.input.line(upTo: 4_096), as: UTF8.self)
  }

  /// Whether the user agrees, or need not be asked.
  ///
  /// - Throws: If there is no terminal to ask on.
  func isAgreed(
    _ question: String, unless isAgreed: Bool, _ dependencies: Dependencies
  ) throws(CommandError) -> Bool {
    if isAgreed { return true }
    if let answer = self.isAgreed(question, dependencies) { return answer }
    throw CommandError("cannot ask for confirmation without a terminal. Use --yes", .usage)
  }

  /// Prints text that may control the terminal. Errors are ignored.
  func write(_ text: String) { try? errors.write(Array(text.utf8)) }

  private func put(_ prefix: String, _ role: Role, _ text: String) {
    let prefix = prefix.isEmpty ? "" : colors.errors(role, prefix)
    let lines = text.split(separator: "\n").map { prefix + Sanitized(String($0)).string + "\n" }
    for line in lines {
      do { try errors.write(Array(line.utf8)) } catch { return }
    }
  }
}

/// Formats short lists as columns, two spaces apart.
enum ColumnList {
  /// - Parameters:
  ///   - limit: A wider cell does not move the columns of other rows.
  ///   - style: Styles the padded text of a cell; called with its row and column.
  static func lines(
    _ rows: [[String]], limit: Int = .max, style: (Int, Int, String) -> String = { _, _, text in text }
  ) -> [String] {
    let cells = rows.map { $0.map { Sanitized($0) } }
    let count = cells.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      cells.map { column < $0.count ? $0[column].width(.clusters) : 0 }.filter { $0 <= limit }.max() ?? 0
    }
    return cells.enumerated().map { number, row in
      let padded = row.enumerated().map { index, cell in
        let fitted =
          index == row.count - 1 || cell.width(.clusters) > widths[index]
          ? cell : cell.fitted(to: widths[index], .leading, .clusters)
        return style(number, index, fitted.string)
      }
      return padded.joined(separator: "  ")
    }
  }
}
