import FeedbackLoop
import FeedbackLoopSwiftTesting
import FeedbackLoopTesting
import Testing

/// A queue of jobs that runs two at once.
struct JobQueue: Sendable, Equatable {
  struct Job: Sendable, Hashable {
    let name: String
    let seconds: Int
  }

  enum Status: Sendable, Equatable { case waiting, running, done }

  var jobs: [Job] = []
  var statuses: [Job: Status] = [:]

  /// The jobs that should be done. A job that is canceled leaves this list, and its effect with it.
  var pending: [Job] { jobs.filter { statuses[$0] != .done } }

  enum Event: Sendable, Equatable { case added(Job), canceled(Job), started(Job), done(Job) }

  @Sendable static func reduce(_ queue: inout JobQueue, _ event: Event) {
    switch event {
    case .added(let job):
      queue.jobs.append(job)
      queue.statuses[job] = .waiting
    case .canceled(let job):
      queue.jobs.removeAll { $0 == job }
      queue.statuses[job] = nil
    case .started(let job): queue.statuses[job] = .running
    case .done(let job): queue.statuses[job] = .done
    }
  }

  static func workers(_ work: @escaping @Sendable (Job) async -> Void) -> Feedback<JobQueue, Event> {
    .react(toEach: \.pending, maxConcurrent: 2, name: "job") { job, emit in
      emit(.started(job))
      await work(job)
      emit(.done(job))
    }
  }
}

@Suite struct JobQueueTests {
  @Test func `Two jobs run at once, in the order of the queue`() {
    let queue = TestSystem(
      initialState: JobQueue(), reduce: JobQueue.reduce,
      feedbacks: { clock in
        [JobQueue.workers { job in try? await clock.sleep(for: .seconds(job.seconds)) }]
      }, exhaustivity: .off)
    let jobs = zip(["a", "b", "c", "d", "e"], [2, 5, 9, 9, 2]).map { JobQueue.Job(name: $0, seconds: $1) }
    var pictures = jobs.map { $0.name + " " }
    for job in jobs { queue.send(.added(job)) }
    for second in 0..<11 {
      if second == 7 { queue.send(.canceled(jobs[3])) }
      for (index, job) in jobs.enumerated() {
        switch queue.state.statuses[job] {
        case .waiting: pictures[index] += "·"
        case .running: pictures[index] += "█"
        case .done, nil: break
        }
      }
      queue.advance(by: .seconds(1))
    }
    #expect(
      pictures.joined(separator: "\n") == """
        a ██
        b █████
        c ··█████████
        d ·····██
        e ·······██
        """)
    queue.advance(by: .seconds(3_600))
    queue.expectRunning([:])
    queue.finish()
  }
}
