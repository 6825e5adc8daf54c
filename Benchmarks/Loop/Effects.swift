import FeedbackLoop

/// State asks, effect answers, answer makes the state ask again.
func effectRoundTrips() async -> Measurement {
  let count = 100_000
  let system = FeedbackSystem<Int, Int>(
    initialState: 0, reduce: { $0 = $1 },
    feedbacks: [.react(to: { $0 == 0 ? nil : $0 }, effect: { query in query - 1 })],
    guard: .off)
  system.start()
  return await rate("effect round trips, one after another", count: count) {
    _ = await system.send(count, while: { $0 > 0 })
  }
}

/// Every event cancels an effect and starts the next one.
func cancellations() async -> Measurement {
  let count = 20_000
  let system = FeedbackSystem<Int, Int>(
    initialState: 0, reduce: { $0 += $1 },
    feedbacks: [
      .react(
        to: { Optional($0) },
        effect: { _ in
          try? await Task.sleep(for: .seconds(1_000))
          return nil
        })
    ])
  system.start()
  return await rate("events that cancel an effect and start the next", count: count) {
    for _ in 0..<count { system.send(1) }
    // Another thread may be draining still, since effects that end are news too. A waiter comes after all of it.
    _ = await system.wait(while: { _ in false })
  }
}
