import NIOHTTP1
import Testing

@testable import Demo

struct RequestBudgetTests {
  @Test func `A budget is spent and then refuses requests until its window ends.`() {
    var budget = RequestBudget(limit: 2, window: 60)
    let lines = [1000, 1030, 1059, 1060].map { now in
      let refusal = budget.spend(at: now)
      let fields = budget.headers(at: now).map { "\($0.name.split(separator: "-").last ?? "") \($0.value)" }
      return "\(now): " + fields.joined(separator: ", ") + (refusal.map { " – \($0.message)" } ?? "")
    }
    #expect(
      lines == [
        "1000: Limit 2, Remaining 1, Reset 1060",
        "1030: Limit 2, Remaining 0, Reset 1060, After 30",
        "1059: Limit 2, Remaining 0, Reset 1060, After 1 – rate limit of 2 requests reached. Wait 1 s",
        "1060: Limit 2, Remaining 1, Reset 1120",
      ])
  }
}
