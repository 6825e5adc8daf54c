import FeedbackLoop
import FeedbackLoopSwiftTesting
import FeedbackLoopTesting
import Observation
import Testing

// This target is compiled with `defaultIsolation(MainActor.self)`. Functions that a system runs on other threads are
// nonisolated.

nonisolated struct Timer: Sendable, Equatable {
  var seconds = 0
  var isRunning = false

  enum Event: Sendable, Equatable { case started, stopped, ticked }

  @Sendable static func reduce(_ timer: inout Timer, _ event: Event) {
    switch event {
    case .started: timer.isRunning = true
    case .stopped: timer.isRunning = false
    case .ticked: timer.seconds += 1
    }
  }

  static func ticks(_ clock: some Clock<Duration>) -> Feedback<Timer, Event> {
    .whenBecomesTrue(\.isRunning, name: "ticks") { emit in
      while (try? await clock.sleep(for: .seconds(1))) != nil { emit(.ticked) }
    }
  }
}

/// A screen on the main actor, by default.
final class TimerScreen {
  private let store: FeedbackStore<Timer, Timer.Event>

  init(_ system: FeedbackSystem<Timer, Timer.Event>) { store = FeedbackStore(system) }

  var title: String { "\(store.state.seconds) s" }

  func pressed() { store.send(store.state.isRunning ? .stopped : .started) }
}

/// Something that may only be used on the main actor.
final class Sound {
  private(set) var played: [Int] = []

  func play(_ seconds: Int) { played.append(seconds) }

  /// Plays whenever a second has passed. The closure is on the main actor.
  func feedback() -> Feedback<Timer, Timer.Event> {
    .observe(name: "sound", onMainActor: { timer in self.play(timer.seconds) })
  }
}

struct MainActorProgramTests {
  @Test func `A screen of a program on the main actor sends events and shows states`() {
    let system = FeedbackSystem(
      initialState: Timer(), reduce: Timer.reduce, feedbacks: [Timer.ticks(ManualClock())])
    system.start()
    let screen = TimerScreen(system)
    screen.pressed()
    #expect(system.state.isRunning)
    system.send(.ticked)
    screen.pressed()
    #expect(!system.state.isRunning)
    #expect(screen.title == "1 s")
    system.stop()
  }

  @Test func `The system of a program on the main actor is tested on a manual clock`() {
    let system = TestSystem(
      initialState: Timer(), reduce: Timer.reduce,
      feedbacks: { clock in
        [Timer.ticks(clock)]
      })
    system.send(.started) { $0.isRunning = true }
    system.advance(by: .seconds(1))
    system.receive(.ticked, from: "ticks") { $0.seconds = 1 }
    system.send(.stopped) { $0.isRunning = false }
    system.finish()
  }

  @Test(.timeLimit(.minutes(5))) func `A feedback calls an object of the main actor`() async {
    let sound = Sound()
    let system = FeedbackSystem(
      initialState: Timer(), reduce: Timer.reduce, feedbacks: [sound.feedback()])
    system.start()
    system.send(.ticked)
    while sound.played.last != 1, !Task.isCancelled { await Task.yield() }
    #expect(sound.played.last == 1)
    system.stop()
  }

  @Test func `Closures written on the main actor are those of the system, not of the actor`() async {
    // `reduce` and an effect as closures, in code that is on the main actor.
    let system = FeedbackSystem<Int, Int>(
      initialState: 0, reduce: { $0 += $1 },
      feedbacks: [.react(to: { $0 == 1 ? $0 : nil }, name: "next") { _ in 10 }])
    system.start()
    #expect(await system.send(1, while: { $0 < 11 }) == .settled)
  }
}
