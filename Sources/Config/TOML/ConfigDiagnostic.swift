import JSON
private import Text

/// A problem in a configuration, with its location: `mine.toml:12:3: [rows] kye: unknown setting`. It is one line
/// without control characters, but names and values in it come from the file, so the caller sanitizes it for
/// display.
package struct ConfigDiagnostic: Sendable, Hashable, CustomStringConvertible {
  package enum Place: Sendable, Hashable {
    case position(FilePosition)
    /// A whole file, an environment variable or an option, as the user names it.
    case named(String)
    /// A file that cannot be read.
    case unreadable(String)
  }

  package let place: Place
  /// The table as written in its header, `[rows]`; empty at the top level.
  package let table: String
  package let key: String?
  /// The expectation, the finding, and the remedy.
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

extension ConfigDiagnostic.Place: CustomStringConvertible {
  package var description: String {
    switch self {
    case .position(let position): position.description
    case .named(let name): name
    case .unreadable(let file): "cannot read \(file)"
    }
  }

  var position: FilePosition? { if case .position(let position) = self { position } else { nil } }

  var file: String {
    switch self {
    case .position(let position): position.file
    case .named(let file), .unreadable(let file): file
    }
  }

  fileprivate var isOption: Bool { if case .named(let name) = self { name.hasPrefix("--") } else { false } }
}

/// All problems of a configuration, one per line.
package struct ConfigError: Error, Sendable, Hashable, CustomStringConvertible {
  package let problems: [ConfigDiagnostic]

  /// The maximum number of reported problems; a malicious file could have a million.
  static let maxProblems = 100

  /// Sorts the problems of each file by position.
  package init(_ problems: [ConfigDiagnostic]) {
    var files: [String] = []
    let keyed = problems.enumerated().map { offset, problem in
      let file = files.firstIndex(of: problem.place.file) ?? files.count
      if file == files.count { files.append(problem.place.file) }
      let position = problem.place.position
      return (key: (file, position?.line ?? 0, position?.column ?? 0, offset), problem: problem)
    }
    self.problems = keyed.sorted { $0.key < $1.key }.map(\.problem)
  }

  init(at place: ConfigDiagnostic.Place, _ message: String) {
    problems = [ConfigDiagnostic(at: place, message)]
  }

  package var description: String { problems.map(\.description).joined(separator: "\n") }

  /// Whether all problems are in the command line.
  package var isUsage: Bool { !problems.isEmpty && problems.allSatisfy(\.place.isOption) }
}

/// Phrases shared by messages.
enum Wording {
  /// A value of the file, quoted, and limited to one line in form and length.
  static func quoted(_ text: String) -> String {
    JSONText.quoted(text.count > 60 ? text.prefix(60) + "…" : text)
  }

  /// A word of a command line for a shell, in quotes if it needs them.
  static func shellWord(_ text: String) -> String {
    let isPlain = text.wholeMatch(of: /[A-Za-z0-9_.\/+@%:,-]+/) != nil
    return isPlain ? text : "'\(text.replacing("'", with: "'\\''"))'"
  }

  /// The message for a word that is not among the allowed ones.
  static func badChoice(_ word: String, among words: [String]) -> String {
    let expected = words.map { "\"\($0)\"" }.joined(separator: ", ")
    let found = "expected one of \(expected), found \(quoted(word))"
    return Sentences.joined([found, nearestName(to: word, among: words)])
  }

  /// `Did you mean "first"?`, or a list of all names.
  static func suggestion(for name: String, among names: [String]) -> String {
    NearestName.question(name, among: names)
      ?? "Expected \(names.count == 1 ? "" : "one of ")\(names.joined(separator: ", "))"
  }

  /// `Did you mean "first"?`, with the nearest word only.
  static func nearestName(to word: String, among words: [String]) -> String? {
    NearestName.question(NearestName.nearest(to: word, among: words).prefix(1).map { "\"\($0)\"" })
  }

  /// The message for a name that no source has.
  static func unknownSource(_ name: String, nearest: [String], orElse advice: String = "") -> String {
    let question = NearestName.question(nearest.map { "\"\($0)\"" })
    let advice = question ?? "To list sources, run: riffle sources list\(advice)"
    return "unknown source \(quoted(name)). \(advice)"
  }
}

/// A problem with a value, without its position.
struct ValueFormatError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// The durations that a key or a setting allows.
extension ClosedRange<Duration> {
  func duration(_ text: String) throws(ValueFormatError) -> Duration {
    guard let duration = DurationText.duration(text) else {
      throw ValueFormatError("expected a duration like \"400ms\" or \"5m\", found \(Wording.quoted(text))")
    }
    if contains(duration) { return duration }
    throw ValueFormatError("expected \(words), found \(Wording.quoted(text))")
  }

  func allows(_ text: String) -> Bool { DurationText.duration(text).map(contains) ?? false }

  /// The range in words: `a duration from 1s to 1h`.
  var words: String { "a duration from \(DurationText.text(lowerBound)) to \(DurationText.text(upperBound))" }
}
