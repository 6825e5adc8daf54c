internal import Dispatch
public import FeedbackLoop
internal import Locking

extension TestSystem {
  /// Asserts the next event, waiting for it if it has to come from another thread.
  ///
  /// ```swift
  /// await system.receive(.decoded(image), from: "decoder", within: .seconds(5)) { $0.image = image }
  /// ```
  ///
  /// It waits for the event itself, so a passing test takes no longer than the work does: the limit only ends a test that
  /// fails. Meanwhile it runs effects that become ready. If the effect sleeps on ``clock``, advance it instead.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - origin: Who sent it: the name of a feedback, or ``ExpectedOrigin/outside``; by default anything.
  ///   - limit: How long to wait, in real time, before the test fails. Canceling the task of the test ends the wait as
  ///     well.
  ///   - fileID: Where a failure is reported, as are `filePath`, `line` and `column`.
  ///   - filePath: See `fileID`.
  ///   - line: See `fileID`.
  ///   - column: See `fileID`.
  ///   - change: Turns the state before the event into the one after it. Without it, the state must not change.
  public nonisolated(nonsending) func receive(
    _ event: Event, from origin: ExpectedOrigin = .any, within limit: Duration,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
    _ change: ((inout State) -> Void)? = nil
  ) async where Event: Equatable {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    await receive(.equal(to: event, from: origin), within: limit, change, place)
  }

  /// Asserts that the next event satisfies a condition, waiting for it if it has to come from another thread.
  ///
  /// The parameters are those of ``receive(_:from:within:fileID:filePath:line:column:_:)``. With ``Exhaustivity/off``,
  /// events that do not satisfy the condition are skipped.
  public nonisolated(nonsending) func receive(
    where isExpected: @escaping (Event) -> Bool, from origin: ExpectedOrigin = .any, within limit: Duration,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
    _ change: ((inout State) -> Void)? = nil
  ) async {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    await receive(.satisfying(isExpected, from: origin), within: limit, change, place)
  }

  private nonisolated(nonsending) func receive(
    _ expected: ExpectedEvent<Event>, within limit: Duration, _ change: ((inout State) -> Void)?,
    _ place: Place
  ) async {
    await run(within: limit, place) {
      transitions.withLock { transitions in
        if exhaustivity == .on { return !transitions.isEmpty }
        return transitions.all.contains { expected.mismatch($0.event, $0.origin) == nil }
      }
    }
    // The thread that sent the event may still be starting and canceling effects for it.
    finishDraining(place)
    receive(expected, change, place, absence: "no such event was received within \(limit)")
  }

  /// Sends an event as `FeedbackSystem.send(_:while:onCancel:)` does, asserts what it changes, and waits while a
  /// condition holds.
  ///
  /// ```swift
  /// let outcome = await system.send(.refresh, while: \.isRefreshing, advancing: .seconds(1)) { $0.isRefreshing = true }
  /// #expect(outcome == .settled)
  /// system.receive(.refreshed(rows)) { … }
  /// ```
  ///
  /// It never waits for something that only the test can do. If the condition still holds when no effect can continue,
  /// the clock has been advanced and the limit has passed, the test fails, and the wait is canceled.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - condition: Called for every state, from the one after the event on, until it returns false.
  ///   - onCancel: An event to send if the wait is canceled.
  ///   - duration: How far the clock may be advanced; it stops when the condition is false.
  ///   - limit: How long to wait for work on other threads, in real time.
  ///   - fileID: Where a failure is reported, as are `filePath`, `line` and `column`.
  ///   - filePath: See `fileID`.
  ///   - line: See `fileID`.
  ///   - column: See `fileID`.
  ///   - change: Turns the state before the event into the one after it. Without it, the state must not change.
  /// - Returns: The outcome of the live system; the events received while waiting are still to be asserted.
  public nonisolated(nonsending) func send(
    _ event: Event, while condition: @escaping @Sendable (State) -> Bool, onCancel: Event? = nil,
    advancing duration: Duration = .zero, within limit: Duration = .zero,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
    _ change: ((inout State) -> Void)? = nil
  ) async -> Outcome {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    let step = "send(\(ValueDescription.brief(event)), while:)"
    skip("\(step): these events must be received first", place)
    let outcome = await wait(step, advancing: duration, within: limit, place) { [live] in
      await live.send(event, while: condition, onCancel: onCancel)
    }
    if isSentEventReduced { _ = checkSent(step, change, place) }
    return outcome
  }

  /// Waits while a condition holds, as `FeedbackSystem.wait(while:)` does.
  ///
  /// It never waits for something that only the test can do; see
  /// ``send(_:while:onCancel:advancing:within:fileID:filePath:line:column:_:)``.
  ///
  /// - Parameters:
  ///   - condition: Called for every state, from the current one on, until it returns false.
  ///   - duration: How far the clock may be advanced; it stops when the condition is false.
  ///   - limit: How long to wait for work on other threads, in real time.
  ///   - fileID: Where a failure is reported, as are `filePath`, `line` and `column`.
  ///   - filePath: See `fileID`.
  ///   - line: See `fileID`.
  ///   - column: See `fileID`.
  /// - Returns: The outcome of the live system; the events received while waiting are still to be asserted.
  public nonisolated(nonsending) func wait(
    while condition: @escaping @Sendable (State) -> Bool,
    advancing duration: Duration = .zero, within limit: Duration = .zero,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async -> Outcome {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    return await wait("wait(while:)", advancing: duration, within: limit, place) { [live] in
      await live.wait(while: condition)
    }
  }

  private nonisolated(nonsending) func wait(
    _ step: String, advancing duration: Duration, within limit: Duration, _ place: Place,
    for body: @escaping @Sendable () async -> Outcome
  ) async -> Outcome {
    let outcome = Lock<Outcome?>(nil)
    let activity = activity
    let waiting = Task(executorPreference: executor) {
      let result = await body()
      outcome.withLock { $0 = result }
      activity.signal()
    }
    return await withTaskCancellationHandler {
      await run(advancing: duration, within: limit, place) { outcome.withLock { $0 } != nil }
      if let outcome = outcome.withLock({ $0 }) { return outcome }
      let running = "Running: \(listed(running())). Tasks that sleep on the clock: \(clock.sleepers)"
      fail("\(step): the condition still holds, and nothing ends it. \(running)", place)
      waiting.cancel()
      settle(place)
      return outcome.withLock { $0 } ?? .cancelled
    } onCancel: {
      waiting.cancel()
    }
  }

  /// Runs effects until `isDone`: those that are ready, then those that wake as the clock advances, then those that
  /// another thread makes ready within the limit.
  private nonisolated(nonsending) func run(
    advancing duration: Duration = .zero, within limit: Duration, _ place: Place, until isDone: () -> Bool
  ) async {
    let target = clock.now.advanced(by: duration)
    let deadline = ContinuousClock.now.advanced(by: limit)
    while true {
      guard settle(place), !isDone() else { return }
      if clock.wakeNext(before: target) { continue }
      finishDraining(place)
      // Anything that happens from now on ends the wait; earlier events are examined first.
      let seen = activity.count
      if isDone() { return }
      if !executor.isIdle { continue }
      guard limit > .zero, await activity.next(after: seen, until: deadline) else { return }
    }
  }

  /// Waits until everything sent so far has been reduced, which another thread may be doing, and returns the effects
  /// whose task has not ended, and those that have returned and are still requested.
  @discardableResult
  func finishDraining(_ place: Place) -> (running: [RunningEffect], answered: [RunningEffect]) {
    let effects = Lock<(running: [RunningEffect], answered: [RunningEffect])?>(nil)
    live.report { [activity] running, answered in
      effects.withLock { $0 = (running, answered) }
      activity.signal()
    }
    while true {
      let seen = activity.count
      if let effects = effects.withLock({ $0 }) { return effects }
      executor.runUntilIdle(limit: maximumJobs)
      if activity.blockUntilNext(after: seen, atMost: 10) { continue }
      fail(
        "another thread has been processing an event for 10 seconds. An observer or a reducer blocks it",
        place)
      return ([], [])
    }
  }
}

/// Counts the activity of a system, so that a test can wait for the next thing that another thread does.
final class Activity: Sendable {
  private struct Contents {
    var count: UInt64 = 0
    var lastTicket: UInt64 = 0
    /// The waits that have not ended. The end may come before the waiter, if the time is over at once.
    var open: Set<UInt64> = []
    /// Called once, for the next thing that happens, or for the end of the wait.
    var waiters: [UInt64: @Sendable () -> Void] = [:]
  }

  private let contents = Lock(Contents())

  /// How many things have happened.
  var count: UInt64 { contents.withLock { $0.count } }

  /// Counts one more, and wakes everything that waits.
  func signal() {
    let waiters = contents.withLock { contents in
      contents.count += 1
      defer { contents.waiters = [:] }
      return contents.waiters
    }
    for waiter in waiters.values { waiter() }
  }

  /// Waits until more than `seen` things have happened; returns false if the time is over or the task is canceled before.
  func next(after seen: UInt64, until deadline: ContinuousClock.Instant) async -> Bool {
    let ticket = newTicket()
    let limit = Task.detached {
      // A canceled sleep ends the wait as well.
      try? await ContinuousClock().sleep(until: deadline)
      self.end(ticket)
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isWaiting = add(ticket, after: seen) { continuation.resume() }
        if !isWaiting { continuation.resume() }
      }
    } onCancel: {
      limit.cancel()
    }
    limit.cancel()
    end(ticket)
    return count > seen
  }

  /// Blocks the thread until more than `seen` things have happened; returns false if the time is over before.
  func blockUntilNext(after seen: UInt64, atMost seconds: Int) -> Bool {
    let ticket = newTicket()
    let semaphore = DispatchSemaphore(value: 0)
    let isWaiting = add(ticket, after: seen) { semaphore.signal() }
    if isWaiting { _ = semaphore.wait(timeout: .now() + .seconds(seconds)) }
    end(ticket)
    return count > seen
  }

  private func newTicket() -> UInt64 {
    contents.withLock { contents in
      contents.lastTicket += 1
      contents.open.insert(contents.lastTicket)
      return contents.lastTicket
    }
  }

  /// Adds a waiter; returns false if more than `seen` things have happened already, or the wait has ended.
  private func add(_ ticket: UInt64, after seen: UInt64, _ waiter: @escaping @Sendable () -> Void) -> Bool {
    contents.withLock { contents in
      guard contents.count == seen, contents.open.contains(ticket) else { return false }
      contents.waiters[ticket] = waiter
      return true
    }
  }

  private func end(_ ticket: UInt64) {
    let waiter = contents.withLock { contents in
      contents.open.remove(ticket)
      return contents.waiters.removeValue(forKey: ticket)
    }
    waiter?()
  }
}
