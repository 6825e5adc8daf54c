extension FeedbackSystem {
  /// Stops the system and waits until its effects have ended.
  ///
  /// ```swift
  /// let stubborn = await system.stopped(within: .seconds(1))
  /// if !stubborn.isEmpty { log("still running: \(stubborn)") }
  /// ```
  ///
  /// Stopping cancels effects, but an effect that ignores cancellation continues. The result lists such effects. Called
  /// inside an effect, it also waits for that effect, and therefore until the limit.
  ///
  /// - Parameters:
  ///   - limit: How long to wait.
  ///   - clock: Measures the limit.
  /// - Returns: The effects that have not ended, oldest first; empty if all have. Returns immediately when the waiting
  ///   task is canceled.
  public func stopped(
    within limit: Duration, clock: some Clock<Duration> = ContinuousClock()
  ) async -> [RunningEffect] {
    stop()
    return await withTaskGroup(of: [RunningEffect]?.self) { group in
      group.addTask { await self.effectsEnded() }
      group.addTask {
        try? await clock.sleep(for: limit)
        return nil
      }
      var unended: [RunningEffect] = []
      for await result in group {
        unended = result ?? unended
        group.cancelAll()
      }
      return unended
    }
  }

  /// All effects whose task has not ended, including canceled ones, oldest first. Waits until the system has been
  /// started.
  public func runningEffects() async -> [RunningEffect] {
    await withCheckedContinuation { continuation in
      inbox.post(.report { continuation.resume(returning: $0) })
    }
  }

  /// Calls `body` with all effects whose task has not ended, immediately if no other thread is draining.
  package func report(_ body: @escaping @Sendable ([RunningEffect]) -> Void) {
    inbox.post(.report(body))
  }

  /// Waits until no effect is left and returns an empty array; if the task is canceled first, returns the remaining
  /// effects.
  package func effectsEnded() async -> [RunningEffect] {
    let ticket = inbox.newWaitingTicket()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // A task that is already canceled still needs the list.
        let items: [Item<State, Event>] = [.awaitEnd(ticket, continuation)]
        if !inbox.post(items, using: ticket) {
          inbox.post(.awaitEnd(ticket, continuation))
          inbox.post(.cancelAwaitEnd(ticket))
        }
      }
    } onCancel: {
      inbox.cancel(ticket, with: .cancelAwaitEnd(ticket))
    }
  }
}
