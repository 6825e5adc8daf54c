import FeedbackLoop

private let samples = 20_000

/// From `send` on an idle system to the moment the state is there and every feedback and observer has been told.
func idleLatency() -> LatencyReport {
  let system = FeedbackSystem<Int, Int>(
    initialState: 0, reduce: { $0 += $1 },
    feedbacks: (0..<5).map { _ in .react(to: { $0 < 0 ? 1 : nil }, effect: { _ in nil }) })
  system.start()
  let clock = ContinuousClock()
  let durations = (0..<samples).map { _ in clock.measure { system.send(1) } }
  return LatencyReport(name: "idle send → settled state", durations: durations)
}

/// From `send` to a task that iterates the states, a thread hop included.
func observerLatency() async -> LatencyReport {
  let system = FeedbackSystem<Int, Int>(initialState: 0, reduce: { $0 = $1 })
  system.start()
  let clock = ContinuousClock()
  var states = system.states().makeAsyncIterator()
  _ = await states.next()
  var durations: [Duration] = []
  for sample in 1...samples {
    let start = clock.now
    system.send(sample)
    _ = await states.next()
    durations.append(start.duration(to: clock.now))
  }
  return LatencyReport(
    name: "idle send → the same task takes the state from a sequence", durations: durations)
}

struct LatencyReport {
  let name: String
  let durations: [Duration]

  func report() {
    for (label, part) in [("p50", 0.5), ("p99", 0.99)] {
      Measurement(name: "\(name), \(label)", unit: .microseconds, values: [durations.percentile(part)])
        .report()
    }
  }
}
