internal import FeedbackLoop

/// What happened in a system under test and has not been asserted yet.
final class EventTrace<State: Sendable, Event: Sendable>: Sendable {
  private struct Contents: Sendable {
    var transitions: [Transition<State, Event>] = []
    var problems: [String] = []
  }

  private let contents = Lock(Contents())

  var transitions: [Transition<State, Event>] {
    contents.withLock { $0.transitions }
  }

  func add(_ transition: Transition<State, Event>) {
    contents.withLock { $0.transitions.append(transition) }
  }

  func note(_ problem: String) {
    contents.withLock { $0.problems.append(problem) }
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

  func takeProblems() -> [String] {
    contents.withLock { contents in
      defer { contents.problems = [] }
      return contents.problems
    }
  }
}
