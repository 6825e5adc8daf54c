/// Sends events of one effect into its system.
///
/// It may be called from any thread, any number of times, until the effect returns. An event counts only if the
/// effect's query is still wanted when the event is *reduced*: a canceled effect cannot deliver, even if its event was
/// already queued. Events from one thread keep their order.
///
/// Calling it after the effect returned sends nothing, and is reported as
/// ``Diagnostic/emittedAfterReturn(feedback:query:)``.
public struct Emit<Event: Sendable>: Sendable {
  @usableFromInline let send: @Sendable (Event) -> Void

  @inlinable
  init(_ send: @escaping @Sendable (Event) -> Void) {
    self.send = send
  }

  /// Queues an event. Returns without waiting, unless this thread is the one that drains the queue. O(1) otherwise.
  @inlinable
  public func callAsFunction(_ event: Event) {
    send(event)
  }
}
