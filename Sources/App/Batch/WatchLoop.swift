import Config
import Output
import Search
import Text

/// The rounds of a search that watches its rows: each requests the same pages, and what is new or changed is written.
struct WatchLoop: Sendable {
  /// In seconds, from the end of a round to the next.
  let interval: Double
  /// The number of the current or last round, from 1.
  private(set) var number = 1
  /// When the next round begins, by the clock of the run; nil during a round.
  fileprivate(set) var deadline: Double?
  /// The rows that the current round has written.
  private(set) var new = 0
  private(set) var changed = 0
  /// The rows that all rounds have written.
  private(set) var rows = 0

  init(interval: Double) { self.interval = interval }

  mutating func note(new: Int, changed: Int) {
    self.new += new
    self.changed += changed
    rows += new + changed
  }

  fileprivate mutating func begin() {
    number += 1
    (new, changed, deadline) = (0, 0, nil)
  }
}

/// What is printed after a round.
struct RoundReport: Sendable, Hashable {
  let number: Int
  let new: Int
  let changed: Int
  let failure: String?
  /// When the round ended, in seconds since 1970.
  let endedAt: Double

  /// `3 new, 1 changed (14:02)`; nil if nothing was written.
  func text(in zone: LocalZone) -> String? {
    let counts = [(new, "new"), (changed, "changed")].filter { $0.0 > 0 }
    guard !counts.isEmpty, let time = Timestamp(epoch: endedAt) else { return nil }
    let text = counts.map { "\(Digits.grouped($0.0)) \($0.1)" }.joined(separator: ", ")
    return "\(text) (\(time.clock(in: zone)))"
  }
}

extension OneShotState {
  /// When the next round begins; nil during a round, and at the end of the run.
  var roundDeadline: Double? { ending == nil ? rounds?.deadline : nil }

  /// Whether nothing happens before the next round.
  var isResting: Bool { roundDeadline != nil }

  /// The report of the last round; nil for the first one, whose rows are all new.
  var roundReport: RoundReport? {
    guard let rounds, isResting, rounds.number > 1 else { return nil }
    let failure = lists.failure.map { error in
      let page = session.currentOrdinal.map { "page \($0 + 1) failed: " } ?? ""
      let wait = DurationText.words(seconds: (rounds.deadline ?? session.clock) - session.clock)
      return Sentences.joined([page + error.message, error.advice, "the next round is in \(wait)"])
    }
    return RoundReport(
      number: rounds.number, new: rounds.new, changed: rounds.changed, failure: failure,
      endedAt: session.clock)
  }

  /// Ends the current round if it is over. The next one begins later if the service asks for it.
  mutating func settleRound() {
    guard let rounds, ending == nil, rounds.deadline == nil, isRoundOver, !isFinished else { return }
    let deadline = max(session.clock + rounds.interval, session.refusedUntil ?? 0)
    self.rounds?.deadline = deadline
  }

  mutating func beginRound(at now: Double) {
    guard let deadline = roundDeadline, now >= deadline else { return }
    rounds?.begin()
    clock = now
    lists.reduce(.reached(now))
    lists.reduce(.searched(start.query, start.demand))
  }
}

extension OneShot {
  /// - Throws: If an option cannot be used with `--watch`.
  static func checkWatch(
    _ request: RequestOptions, _ rows: RowOptions, _ form: FormatOptions, _ report: ReportOptions
  ) throws(CommandError) {
    guard request.watch != nil else { return }
    let others = [
      ("--resume", rows.resume), ("--each", rows.each), ("--sort", rows.isSorted), ("--count", report.count),
    ]
    if let (name, _) = others.first(where: \.1) {
      throw CommandError("--watch and \(name) cannot be used together", .usage)
    }
  }
}

extension FormatOptions {
  /// Checks whether rows can be added to the document, and chooses such a format if none is named.
  mutating func checkWatch(of run: Run, _ dependencies: Dependencies) throws(CommandError) {
    if namedFormat == nil, run.settings.output.format == nil { format = .standard(isTerminal: false) }
    let chosen = format(run.settings, dependencies)
    if !chosen.isGrowing {
      throw CommandError(
        "--watch cannot add rows to a document of format \(chosen.name). Use --format \(OutputFormats.growing)",
        .usage)
    }
  }
}
