internal import FeedbackLoop

/// What happened in a system under test and has not been asserted yet.
final class Happenings<State: Sendable, Event: Sendable>: Sendable {
  private struct Contents: Sendable {
    var transitions: [Transition<State, Event>] = []
    var complaints: [String] = []
  }

  private let contents = Lock(Contents())

  var transitions: [Transition<State, Event>] {
    contents.withLock { $0.transitions }
  }

  func add(_ transition: Transition<State, Event>) {
    contents.withLock { $0.transitions.append(transition) }
  }

  func note(_ complaint: String) {
    contents.withLock { $0.complaints.append(complaint) }
  }

  func takeFirst() -> Transition<State, Event>? {
    contents.withLock { $0.transitions.isEmpty ? nil : $0.transitions.removeFirst() }
  }

  func takeAll() -> [Transition<State, Event>] {
    contents.withLock { contents in
      defer { contents.transitions = [] }
      return contents.transitions
    }
  }

  func takeComplaints() -> [String] {
    contents.withLock { contents in
      defer { contents.complaints = [] }
      return contents.complaints
    }
  }
}
