package import Search
package import Terminal

/// An event of the pager.
///
/// Most events are keys, and the latest events are all kept; larger payloads are therefore boxed
/// (`indirect`), so that a key takes little memory.
package enum PagerEvent: Sendable {
  case key(Key)
  case pasted(String)
  case mouse(Mouse)
  case resized(Canvas)
  /// The program regained the terminal after a suspension.
  case resumed(Canvas)
  /// The terminal reported its background, or a change of it.
  case background(Background)
  /// The terminal gained (true) or lost the focus.
  case focused(Bool)
  indirect case session(SessionEvent)
  /// A complete or partial result of `orderRequest` or `searchRequest`.
  indirect case ordered(RowOrder)
  /// Nothing was typed since the edit with this number.
  case rested(edit: Int)
  /// The time of the run's clock; sent while something on the screen is animated, and before input.
  case ticked(Double)
  /// The result of `readingRequest`.
  indirect case read(RowDetail.Content, for: RowDetail.Identity)
  /// A one-time effect (`effects`) has ended.
  case effectEnded(id: Int, EffectOutcome)
  /// The queries of earlier sessions, the latest last.
  case historyRead([String])
  /// The chosen source cannot be used: why, and what to do. The list of sources stays open.
  case refused(String)
  /// Something outside the session failed, and the session continues without it.
  case warned(String)
  /// The loop guard stopped a cycle of events that made no progress.
  case tripped(String)
}
