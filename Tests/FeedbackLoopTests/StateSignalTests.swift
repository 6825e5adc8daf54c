import Testing

@testable import FeedbackLoop

/// Observers of the latest state, which are signaled once and not again until they look.
@Suite struct StateSignalTests {
  @Test func `An observer that has not read the state is signaled once`() async {
    let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .unbounded)
    let signal = StateSignal(continuation)
    for _ in 0..<100 { signal.notify() }
    signal.reset()
    signal.notify()
    signal.finish()
    var count = 0
    for await _ in signals { count += 1 }
    #expect(count == 2)
  }

  @Test func `An observer of the latest state ends with the last one, regardless of when it reads`() async {
    for _ in 0..<100 {
      let system = FeedbackSystem<Int, Int>(initialState: 0, reduce: { $0 = max($0, $1) })
      system.start()
      let states = system.states()
      async let last = last(of: states, upTo: 200)
      for number in 1...200 { system.send(number) }
      #expect(await last == 200)
      system.stop()
    }
  }

  private func last(of states: AsyncStream<Int>, upTo end: Int) async -> Int? {
    var last: Int?
    for await state in states {
      if let last { #expect(state > last) }
      last = state
      if state == end { break }
    }
    return last
  }
}
