import Text

/// What was found, by subject.
struct Examination: Sendable {
  struct Subject: Sendable {
    let title: String
    let findings: [Finding]
  }

  let subjects: [Subject]

  var problemCount: Int { subjects.flatMap(\.findings).count(where: \.isProblem) }

  /// As it is told: one finding a line, its remedy below.
  var lines: [String] {
    subjects.flatMap { [$0.title] + $0.findings.flatMap(\.lines) } + [conclusion]
  }

  private var conclusion: String {
    switch problemCount {
    case 0: "nothing is wrong"
    case 1: "1 problem"
    default: "\(problemCount) problems"
    }
  }
}

extension Finding {
  /// Whatever comes from files or a terminal is one line each, without controls.
  fileprivate var lines: [String] {
    let text = Sanitized(text.replacing("\n", with: "; ")).string
    return switch verdict {
    case .fine: ["  ok       \(text)"]
    case .note: ["  note     \(text)"]
    case .problem(let remedy): ["  PROBLEM  \(text)", "           → \(Sanitized(remedy).string)"]
    }
  }
}
