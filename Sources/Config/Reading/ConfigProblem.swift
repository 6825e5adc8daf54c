/// One thing that is wrong in a configuration, with its place: `mine.toml:12:3: [rows] kye: unknown key`.
/// Names and values in it come from the file: it is one line without control characters, and whoever shows
/// it on a screen sanitises the rest.
package struct ConfigProblem: Sendable, Hashable, CustomStringConvertible {
  package enum Place: Sendable, Hashable {
    case position(FilePosition)
    /// A file as a whole, an environment variable or an option, as the user calls it.
    case named(String)
  }

  package let place: Place
  /// The table as its header is written, `[rows]`; empty at the top.
  package let table: String
  package let key: String?
  /// What was expected, what was found, what to do.
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

/// Everything that is wrong with a configuration, found in one go: one problem a line.
package struct ConfigError: Error, Sendable, Hashable, CustomStringConvertible {
  package let problems: [ConfigProblem]

  /// More than these nobody reads of one thing; a hostile file could have a million.
  static let mostProblems = 100

  /// Problems of one file are put in the order of their places.
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

  /// Whether it is the command line alone that is wrong.
  package var isUsage: Bool { !problems.isEmpty && problems.allSatisfy(\.place.isOption) }
}
