extension FeedbackSystem {
  /// Stops the system and waits until its effects have ended.
  ///
  /// ```swift
  /// let stubborn = await system.stopped(within: .seconds(1))
  /// if !stubborn.isEmpty { log("still running: \(stubborn)") }
  /// ```
  ///
  /// Stopping cancels effects, but an effect that ignores cancellation goes on. This tells which ones do. Called inside
  /// an effect, it waits for that effect too, and so until the limit.
  ///
  /// - Parameters:
  ///   - limit: How long to wait.
  ///   - clock: Measures the limit.
  /// - Returns: The effects that have not ended, oldest first; empty if all have. Returns at once when the waiting task
  ///   is cancelled.
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

  /// Every effect whose task has not ended, cancelled ones included, oldest first. Before the start it waits for it.
  public func runningEffects() async -> [RunningEffect] {
    await withCheckedContinuation { continuation in
      inbox.post(.report { continuation.resume(returning: $0) })
    }
  }

  /// Calls `body` with every effect whose task has not ended, at once if no other thread is draining.
  package func report(_ body: @escaping @Sendable ([RunningEffect]) -> Void) {
    inbox.post(.report(body))
  }

  /// Empty as soon as no effect is left; when the task is cancelled before, the effects that are left.
  package func effectsEnded() async -> [RunningEffect] {
    let ticket = inbox.newWaitingTicket()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // A task that was cancelled before it came here still wants the list.
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
