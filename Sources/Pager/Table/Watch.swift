import Search
import Text

/// Refreshing by itself, at intervals.
package struct Watch: Sendable, Hashable {
  /// In seconds.
  package let interval: Double
  /// When the rows are refreshed next, by the clock of the session.
  package let deadline: Double

  /// The interval if the user names none, in seconds.
  static let usualInterval = 60.0

  init(every interval: Double, from now: Double) {
    self.interval = interval
    deadline = now + interval
  }

  /// `60 s`, `5 min`.
  var intervalText: String { DurationText.words(seconds: interval) }
}

extension PagerState {
  /// When `.watchElapsed` is due; nil if nothing is watched, or another program or screen has the terminal.
  package var watchDeadline: Double? { exitReason == nil ? watch?.deadline : nil }

  mutating func toggleWatch() {
    if watch != nil {
      watch = nil
      notify("automatic refresh off")
    } else {
      let watch = Watch(every: rules.watchInterval ?? Watch.usualInterval, from: clock)
      self.watch = watch
      notify("refreshing every \(watch.intervalText)" + hint("toggle-watch", "stop"))
    }
  }

  /// Refreshes if nothing speaks against it now; else the next interval does.
  mutating func endWatchInterval(at now: Double) {
    guard let deadline = watchDeadline, now >= deadline else { return }
    update(.reached(now))
    if canRefreshUnasked { refresh() }
    watch = watch.map { Watch(every: $0.interval, from: clock) }
  }

  /// Whether the user types nothing, no request is on its way or waits, and the service has requests to spare.
  private var canRefreshUnasked: Bool {
    guard session.hasQuery, session.isSettled, session.refusedUntil == nil else { return false }
    guard mode == .table || mode.isPopup, typed.isEmpty else { return false }
    return session.allowsPrefetch || session.budget?.resetsAt == nil
  }

  /// `refreshing every 60 s, updated 14:02`; nil if nothing is watched.
  var watchText: String? {
    guard let watch else { return nil }
    let text = "refreshing every \(watch.intervalText)"
    guard let refreshed, refreshed > 0, let time = Timestamp(epoch: refreshed) else { return text }
    return "\(text), updated \(time.clock(in: rules.zone))"
  }

  /// When the first of the rows arrived, in seconds since 1970; nil without rows.
  var refreshed: Double? {
    if let first = session.fresh.blocks.first { return first.arrivedAt }
    return list.rows.blocks.first?.arrivedAt
  }
}
