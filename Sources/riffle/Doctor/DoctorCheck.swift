/// The result of one check.
struct DoctorCheck: Sendable, Hashable {
  enum Verdict: Sendable, Hashable {
    case fine
    /// For information; no action is needed.
    case note
    /// It works, but is unsafe.
    case warning(remedy: String)
    case problem(remedy: String)
  }

  let verdict: Verdict
  let text: String

  static func fine(_ text: String) -> DoctorCheck { DoctorCheck(verdict: .fine, text: text) }

  static func note(_ text: String) -> DoctorCheck { DoctorCheck(verdict: .note, text: text) }

  static func warning(_ text: String, remedy: String) -> DoctorCheck {
    DoctorCheck(verdict: .warning(remedy: remedy), text: text)
  }

  static func problem(_ text: String, remedy: String) -> DoctorCheck {
    DoctorCheck(verdict: .problem(remedy: remedy), text: text)
  }

  var isProblem: Bool { if case .problem = verdict { true } else { false } }
  var isWarning: Bool { if case .warning = verdict { true } else { false } }
}
