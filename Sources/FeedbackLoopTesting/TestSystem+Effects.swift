internal import FeedbackLoop

extension TestSystem {
  /// Advances the clock, and at each time at which an effect wakes, runs effects until none can continue.
  public func advance(
    by duration: Duration,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    clock.advance(by: duration, running: executor, limit: maximumJobs)
    reportProblems(Place(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Asserts which effects are running, in any order: `["page": 1, "page": 2, "search": "swift"]`.
  ///
  /// The pairs are names of feedbacks and queries. Queries are compared by their descriptions. Bindings, which always
  /// run, are left out.
  public func expectRunning(
    _ expected: KeyValuePairs<String, Any>,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    let expected = expected.map { "\($0.key): \(String(describing: $0.value))" }.sorted()
    let actual = running().map(\.description).sorted()
    guard expected != actual else { return }
    fail(
      "expectRunning: other effects are running (− expected, + running)\n"
        + "\(Difference(expected: expected, actual: actual))",
      Place(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Allows the effects that are running now to be running at the end of the test. An exhaustive test fails if there
  /// are none.
  public func skipEffects(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    let running = running()
    excused.formUnion(running.map(\.lifetime))
    guard running.isEmpty, exhaustivity == .on else { return }
    fail(
      "skipEffects(): no effect is running",
      Place(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Ends the test: asserts that nothing is left to assert, and stops the system.
  public func finish(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    guard !isFinished else { return }
    isFinished = true
    skip("finish(): these events were not received", place)
    let left = running().filter { !excused.contains($0.lifetime) }
    if exhaustivity == .on, !left.isEmpty {
      fail("finish(): these effects are still running: \(listed(left))", place)
    }
    system.stop()
    settle(place)
    let stubborn = effects()
    if exhaustivity == .on, !stubborn.isEmpty {
      fail(
        "finish(): these effects are still running although they were canceled: \(listed(stubborn))", place)
    }
  }

  /// The running effects, without bindings.
  func running() -> [RunningEffect] {
    effects().filter { !$0.isBinding }
  }

  /// All effects whose task has not ended.
  private func effects() -> [RunningEffect] {
    let effects = Lock<[RunningEffect]>([])
    system.report { running in effects.withLock { $0 = running } }
    return effects.withLock { $0 }
  }

  func listed(_ effects: [RunningEffect]) -> String {
    effects.isEmpty ? "nothing" : effects.map(\.description).joined(separator: ", ")
  }
}
