internal import FeedbackLoop

extension TestSystem {
  /// Sends an event, asserts what it changes, and runs effects until none can continue.
  ///
  /// `change` turns the state before the event into the one after it. Without it, the state must not change. All
  /// received events must have been asserted before.
  public func send(
    _ event: Event,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
    _ change: ((inout State) -> Void)? = nil
  ) {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    let step = "send(\(ValueDescription.line(event)))"
    skip("\(step): these events must be received first", place)
    system.send(event)
    guard let transition = eventTrace.takeFirst() else {
      fail("\(step): the system has stopped and takes no events", place)
      return
    }
    check(step, transition.state, change, place)
    settle(place)
  }

  /// Asserts the next event sent by an effect or an observer, and what it changed.
  ///
  /// `change` turns the state before the event into the one after it. Without it, the state must not change. With
  /// ``Exhaustivity/off``, other events before this one are skipped.
  public func receive(
    _ event: Event,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
    _ change: ((inout State) -> Void)? = nil
  ) where Event: Equatable {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    receive(
      "receive(\(ValueDescription.line(event)))", { $0 == event },
      { "received another event (− expected, + received)\n\(Difference(expected: event, actual: $0))" },
      change, place)
  }

  /// Asserts that the next event sent by an effect or an observer satisfies a condition, and what it changed.
  ///
  /// `change` turns the state before the event into the one after it. Without it, the state must not change. With
  /// ``Exhaustivity/off``, events that do not satisfy the condition are skipped.
  public func receive(
    where isExpected: (Event) -> Bool,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
    _ change: ((inout State) -> Void)? = nil
  ) {
    let place = Place(fileID: fileID, filePath: filePath, line: line, column: column)
    receive(
      "receive(where:)", isExpected, { "received another event: \(ValueDescription.line($0))" }, change, place
    )
  }

  /// Skips all events that have not been received yet. An exhaustive test fails if there are none.
  public func skipReceived(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    if let last = eventTrace.takeAll().last {
      state = last.state
    } else if exhaustivity == .on {
      fail(
        "skipReceived(): there is no event to skip",
        Place(fileID: fileID, filePath: filePath, line: line, column: column))
    }
  }

  private func receive(
    _ step: String, _ isExpected: (Event) -> Bool, _ mismatch: (Event) -> String,
    _ change: ((inout State) -> Void)?, _ place: Place
  ) {
    guard let transition = nextTransition(isExpected) else {
      fail("\(step): no such event was received. Running: \(listed(running()))", place)
      return
    }
    if isExpected(transition.event) {
      check(step, transition.state, change, place)
    } else {
      fail("\(step): \(mismatch(transition.event))", place)
      state = transition.state
    }
  }

  /// The next unreceived transition; if the test is not exhaustive, the next with an expected event.
  private func nextTransition(_ isExpected: (Event) -> Bool) -> Transition<State, Event>? {
    guard exhaustivity == .off else { return eventTrace.takeFirst() }
    guard eventTrace.transitions.contains(where: { isExpected($0.event) }) else { return nil }
    while let transition = eventTrace.takeFirst() {
      if isExpected(transition.event) { return transition }
    }
    return nil
  }

  /// Skips to the state after all unreceived events, which is a failure if the test is exhaustive.
  func skip(_ problem: String, _ place: Place) {
    let skipped = eventTrace.takeAll()
    guard let last = skipped.last else { return }
    state = last.state
    guard exhaustivity == .on else { return }
    let events = skipped.map { "  + \(ValueDescription.line($0.event))" }
    fail("\(problem):\n\(events.joined(separator: "\n"))", place)
  }

  private func check(
    _ step: String, _ actual: State, _ change: ((inout State) -> Void)?, _ place: Place
  ) {
    let before = state
    state = actual
    var expected = exhaustivity == .on ? before : actual
    change?(&expected)
    if expected != actual {
      let problem =
        change == nil ? "the state changed, and no change was expected" : "the state is not as expected"
      fail(
        "\(step): \(problem) (− expected, + actual)\n\(Difference(expected: expected, actual: actual))", place
      )
    } else if exhaustivity == .on, change != nil, expected == before {
      fail("\(step): the expectation changes nothing. Omit it if the event changes nothing", place)
    }
  }
}
