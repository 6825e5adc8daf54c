import Search
import Text

/// How far a run is, in one line: rows, pages, total, rate, budget, time left; or what it waits for.
struct ProgressLine {
  let session: Session
  /// Seconds since 1970.
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

  /// What is waited for, and how long yet; nil when nothing is.
  var wait: String? {
    guard let wait = currentWait else { return nil }
    let seconds = max(1, Int((wait.until - now).rounded(.up)))
    return switch wait.reason {
    case .pacing: "next page in \(seconds) s"
    case .retry(let error): "waiting \(seconds) s: \(error.message)"
    }
  }

  /// That of the next page, else that of the total.
  var currentWait: Wait? {
    if case .waiting(_, let wait) = session.phase { wait } else { session.totalWait }
  }

  private var rows: Int { session.freshCount }

  /// Rows a second since the first one.
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
