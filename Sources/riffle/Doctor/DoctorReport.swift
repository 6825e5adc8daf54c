import Text

/// The results of all checks, by subject.
struct DoctorReport: Sendable {
  struct Subject: Sendable {
    let title: String
    let results: [DoctorCheck]
  }

  let subjects: [Subject]

  var problemCount: Int { subjects.flatMap(\.results).count(where: \.isProblem) }

  /// The report: one finding per line, with its remedy below.
  var lines: [String] {
    subjects.flatMap { [$0.title] + $0.results.flatMap(\.lines) } + [conclusion]
  }

  private var conclusion: String {
    let warnings = subjects.flatMap(\.results).count(where: \.isWarning)
    let counts = [(problemCount, "problem"), (warnings, "warning")].filter { $0.0 > 0 }
    return counts.isEmpty
      ? "no problems" : counts.map { Digits.counted($0, $1) }.joined(separator: ", ")
  }
}

extension DoctorCheck {
  /// Text from files or the terminal is reduced to one line without control characters.
  fileprivate var lines: [String] {
    let text = Sanitized(text.replacing("\n", with: "; ")).string
    return switch verdict {
    case .fine: ["  ok       \(text)"]
    case .note: ["  note     \(text)"]
    case .warning(let remedy): ["  WARNING  \(text)", "           → \(Sanitized(remedy).string)"]
    case .problem(let remedy): ["  PROBLEM  \(text)", "           → \(Sanitized(remedy).string)"]
    }
  }
}
