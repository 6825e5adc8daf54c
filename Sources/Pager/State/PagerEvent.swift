package import Search
package import Terminal

/// What can happen to a pager.
package enum PagerEvent: Sendable {
  case key(Key)
  case pasted(String)
  case resized(Canvas)
  /// The terminal is ours again after a suspension.
  case resumed(Canvas)
  case session(SessionEvent)
  /// The columns made from the first page of a source that declares none.
  case columnsGuessed([Column], generation: Int)
  /// Nothing was typed since the edit with this number.
  case rested(edit: Int)
  /// Time passed while something moves on the screen; seconds since 1970.
  case ticked(Double)
  /// The loop guard stopped a chain of events that made no progress.
  case tripped(String)
}
