import FeedbackLoop
import FeedbackLoopTesting

typealias JournalFeedback = Feedback<String, String>

/// A system whose state is the text of all its events, on a manual executor.
struct Journal {
  let executor = ManualExecutor()
  let system: FeedbackSystem<String, String>
  private let recorded: Log<(reduced: ReducedEvent<String>, state: String)>
  private let initial: String

  init(
    _ initial: String = "", guard loopGuard: LoopGuard = .off,
    onTrip: (@Sendable (LoopGuard.Trip) -> String?)? = nil, _ feedbacks: JournalFeedback...
  ) {
    let recorded = Log<(reduced: ReducedEvent<String>, state: String)>()
    self.recorded = recorded
    self.initial = initial
    system = FeedbackSystem(
      initialState: initial, reduce: { $0 += $1 }, feedbacks: feedbacks, guard: loopGuard, onTrip: onTrip,
      executor: executor, recorder: { recorded.add(($0, $1)) })
  }

  /// Starts the system and lets every effect run as far as it can.
  func start() {
    system.start()
    executor.runUntilIdle()
  }

  /// Sends events, letting effects run as far as they can after each.
  func send(_ events: String...) {
    for event in events {
      system.send(event)
      executor.runUntilIdle()
    }
  }

  /// Stops the system and runs the remaining jobs.
  func stop() {
    system.stop()
    executor.runUntilIdle()
  }

  /// Every state so far, starting with the initial one.
  var states: [String] { [initial] + recorded.all.map(\.state) }
  var events: [String] { recorded.all.map(\.reduced.event) }
  var origins: [EventOrigin] { recorded.all.map(\.reduced.origin) }
}

/// Records when effects start, end and are canceled.
final class EffectLog: Sendable {
  private let lines = Log<String>()

  var all: [String] { lines.all }

  func note(_ line: String) {
    lines.add(line)
  }

  /// An effect that runs until it is canceled.
  func untilCancelled(_ name: some Sendable) async {
    lines.add("start \(name)")
    await FeedbackLoopTests.untilCancelled()
    lines.add("cancel \(name)")
  }
}
