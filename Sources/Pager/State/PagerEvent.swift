package import Search
package import Terminal

/// What can happen to a pager.
///
/// Keys are by far the most of it, and the latest events are all kept: what is larger than a key lies in a box of
/// its own, so that a key takes no more than a key.
package enum PagerEvent: Sendable {
  case key(Key)
  case pasted(String)
  case mouse(Mouse)
  case resized(Canvas)
  /// The terminal is ours again after a suspension.
  case resumed(Canvas)
  /// The terminal told its ground, or changed it.
  case background(Background)
  /// The terminal gained (true) or lost the focus.
  case focused(Bool)
  indirect case session(SessionEvent)
  /// Rows were looked at: an answer, or a part of it, to `orderRequest` or `searchRequest`.
  indirect case ordered(RowOrder)
  /// Nothing was typed since the edit with this number.
  case rested(edit: Int)
  /// It is so late, by the run's clock: told while something moves on the screen, and before input.
  case ticked(Double)
  /// The row asked for by `readingRequest` was read, or could not be.
  indirect case read(RowDetail.Content, for: RowDetail.Identity)
  /// What was asked of the world once (`errands`) has come to an end.
  case errandEnded(id: Int, ErrandOutcome)
  /// The queries of former sessions, the latest last.
  case historyRead([String])
  /// The source that was chosen cannot be asked: why, and what to do. The list of sources goes on.
  case refused(String)
  /// Something beside the session went wrong, and it goes on without it.
  case warned(String)
  /// The loop guard stopped a chain of events that made no progress.
  case tripped(String)
}
