/// Sends events of one effect into its system.
///
/// It may be called from any thread, any number of times, until the effect returns. An event counts only if the effect's
/// query is still wanted when the event is *reduced*: a cancelled effect cannot deliver, even if its event was queued
/// before. Events of one thread keep their order.
///
/// Calling it after the effect returned sends nothing, and is reported as ``Diagnostic/emittedAfterReturn(feedback:query:)``.
public struct Emit<Event: Sendable>: Sendable {
  @usableFromInline let send: @Sendable (Event) -> Void

  @inlinable
  init(_ send: @escaping @Sendable (Event) -> Void) {
    self.send = send
  }

  /// Queues an event. Returns without waiting, unless this thread is the one that drains the queue. O(1) besides.
  @inlinable
  public func callAsFunction(_ event: Event) {
    send(event)
  }
}
