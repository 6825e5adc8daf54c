extension FeedbackSystem {
  /// Sends an event and waits while a condition holds, starting with the state after that event.
  ///
  /// ```swift
  /// await system.send(.refresh, while: \.isRefreshing, onCancel: .cancelRefresh)
  /// ```
  ///
  /// - Parameters:
  ///   - event: An event from outside.
  ///   - condition: Called for every state on the draining thread until it returns false.
  ///   - onCancel: An event to send if the waiting task is canceled before the condition is false.
  /// - Returns: ``Outcome/settled`` when the condition is false, immediately if it is false in the first state. If the
  ///   waiting task is canceled, ``Outcome/cancelled``, after `onCancel` has been reduced; a task that was canceled
  ///   before the call sends neither event. ``Outcome/stopped`` if the system stops or has stopped.
  @inlinable
  public nonisolated(nonsending) func send(
    _ event: Event, while condition: @escaping @Sendable (State) -> Bool, onCancel: Event? = nil
  ) async -> Outcome {
    cell.assertNotReducing()
    return await wait(sending: event, while: condition, onCancel: onCancel)
  }

  /// Waits while a condition holds, starting with the current state.
  ///
  /// ```swift
  /// guard await system.settled(while: \.isLoading) == .settled else { return }
  /// ```
  ///
  /// - Parameter condition: Called for every state on the draining thread until it returns false.
  /// - Returns: As ``send(_:while:onCancel:)``.
  @inlinable
  public nonisolated(nonsending) func settled(
    while condition: @escaping @Sendable (State) -> Bool
  ) async -> Outcome {
    await wait(sending: nil, while: condition, onCancel: nil)
  }

  @inlinable
  nonisolated(nonsending) func wait(
    sending event: Event?, while condition: @escaping @Sendable (State) -> Bool, onCancel: Event?
  ) async -> Outcome {
    let ticket = inbox.newWaitingTicket()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waiter = Waiter(condition: condition, continuation: continuation)
        let sent = event.map { Item<State, Event>.sent($0) }
        let items = [sent, .wait(ticket, waiter)].compactMap(\.self)
        if !inbox.post(items, using: ticket) { continuation.resume(returning: .cancelled) }
      }
    } onCancel: {
      inbox.cancel(ticket, with: .cancelWait(ticket, onCancel))
    }
  }
}
