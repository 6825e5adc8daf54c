/// A problem in a configuration, with its location: `mine.toml:12:3: [rows] kye: unknown key`. It is one line
/// without control characters, but names and values in it come from the file, so the caller sanitizes it for
/// display.
package struct ConfigProblem: Sendable, Hashable, CustomStringConvertible {
  package enum Place: Sendable, Hashable {
    case position(FilePosition)
    /// A whole file, an environment variable or an option, as the user names it.
    case named(String)
  }

  package let place: Place
  /// The table as written in its header, `[rows]`; empty at the top level.
  package let table: String
  package let key: String?
  /// What was expected, what was found, and what to do.
  package let message: String

  package init(at place: Place, table: String = "", key: String? = nil, _ message: String) {
    self.place = place
    self.table = table
    self.key = key
    self.message = message
  }

  package var description: String {
    let subject = [table, key ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    let text = [place.description, subject, message].filter { !$0.isEmpty }.joined(separator: ": ")
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
  }
}

extension ConfigProblem.Place: CustomStringConvertible {
  package var description: String {
    switch self {
    case .position(let position): position.description
    case .named(let name): name
    }
  }

  var file: String {
    if case .position(let position) = self { position.file } else { description }
  }

  fileprivate var isOption: Bool { if case .named(let name) = self { name.hasPrefix("--") } else { false } }

  fileprivate var lineAndColumn: (Int, Int) {
    if case .position(let position) = self { (position.line, position.column) } else { (0, 0) }
  }
}

/// All problems of a configuration, one per line.
package struct ConfigError: Error, Sendable, Hashable, CustomStringConvertible {
  package let problems: [ConfigProblem]

  /// The maximum number of reported problems; a malicious file could have a million.
  static let mostProblems = 100

  /// Sorts the problems of each file by position.
  package init(_ problems: [ConfigProblem]) {
    var files: [String] = []
    let keyed = problems.enumerated().map { offset, problem in
      let file = files.firstIndex(of: problem.place.file) ?? files.count
      if file == files.count { files.append(problem.place.file) }
      let (line, column) = problem.place.lineAndColumn
      return (key: (file, line, column, offset), problem: problem)
    }
    self.problems = keyed.sorted { $0.key < $1.key }.map(\.problem)
  }

  package var description: String { problems.map(\.description).joined(separator: "\n") }

  /// Whether all problems are in the command line.
  package var isUsage: Bool { !problems.isEmpty && problems.allSatisfy(\.place.isOption) }
}
