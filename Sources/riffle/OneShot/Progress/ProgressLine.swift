import Search
import Text

/// The progress of a run in one line: rows, pages, total, rate, budget and time left, or what it is waiting
/// for.
struct ProgressLine {
  let session: Session
  /// The time in seconds since 1970.
  let now: Double
  let startedAt: Double
  let zone: LocalZone

  var text: String {
    var facts = [Digits.counted(rows, "row"), "page \(session.pageCount)"]
    if let total = session.total { facts.append(Self.found(total)) }
    if let rate { facts.append("\(Digits.compact(rate) ?? "") rows/s") }
    if let budget { facts.append(budget) }
    if let wait { facts.append(wait) } else if let timeLeft { facts.append(timeLeft) }
    return facts.joined(separator: " · ")
  }

  /// What the run is waiting for, and for how much longer; nil if it is not waiting.
  var wait: String? {
    guard let wait = currentWait else { return nil }
    let seconds = max(1, Int((wait.until - now).rounded(.up)))
    return switch wait.reason {
    case .pacing: "next page in \(seconds) s"
    case .retry(let error): "retrying in \(seconds) s: \(error.message)"
    }
  }

  /// The wait for the next page, else the one for the total.
  var currentWait: Wait? {
    if case .waiting(_, let wait) = session.phase { wait } else { session.totalWait }
  }

  private var rows: Int { session.freshCount }

  /// Rows per second since the first one.
  private var rate: Double? {
    let elapsed = now - startedAt
    return rows > 0 && elapsed >= 1 ? Double(rows) / elapsed : nil
  }

  private static func found(_ total: Total) -> String {
    switch total {
    case .exact(let count): "of \(Digits.grouped(count))"
    case .atLeast(let count): "of at least \(Digits.grouped(count))"
    case .estimate(let count): "of about \(Digits.grouped(count))"
    }
  }

  private var budget: String? {
    guard let budget = session.budget, let remaining = budget.remaining else { return nil }
    let share = budget.limit.map { "\(remaining)/\($0) requests" } ?? "\(remaining) requests"
    guard let reset = budget.resetsAt.flatMap({ Timestamp(epoch: $0) }) else { return share }
    return "\(share), reset \(reset.clock(in: zone))"
  }

  private var timeLeft: String? {
    guard let rate, rate > 0, let wanted = session.rowsWanted, wanted > rows else { return nil }
    let seconds = (Double(wanted - rows) / rate).rounded(.up)
    return seconds < 864_000 ? "\(DurationText.text(.seconds(Int64(seconds)))) left" : nil
  }
}
