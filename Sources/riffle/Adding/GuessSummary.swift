import Search
import Text

/// Summarizes in a few lines what was guessed and how certain each guess is.
struct GuessSummary {
  private let outcome: SourceTrial.Outcome

  init(_ outcome: SourceTrial.Outcome) { self.outcome = outcome }

  var text: String {
    ([rows, query, paging] + outcome.refuted.map { "rejected: \($0)" }).joined(separator: "\n")
  }

  private var rows: String {
    let guess = outcome.guess
    let facts = [
      "\(guess.rowCount) rows at \(guess.rowsPath)", guess.identity.key.map { "key \($0)" },
      guess.identity.link.map { "link \($0)" },
      guess.total.map { "\(Digits.grouped($0.count)) in total (\($0.expression))" },
    ]
    return "rows: " + facts.compactMap { $0 }.joined(separator: ", ")
  }

  private var query: String {
    guard let name = outcome.guess.request.parameters.first(where: { $0.template == "{query}" })?.name else {
      return "query: no search parameter found. A comment in the source shows where to add it"
    }
    return "query: parameter \(name)"
  }

  private var paging: String {
    // Signs of further pages were tried and refuted; they are reported below.
    if outcome.pagination.style == .none, !outcome.refuted.isEmpty {
      return Sentences.joined(["pages: \(outcome.pagination)", outcome.verdict.remark])
    }
    let sureness = Int((outcome.pagination.confidence * 100).rounded())
    return Sentences.joined([
      "pages: \(outcome.pagination) (\(sureness)% sure): \(outcome.pagination.reason)",
      outcome.verdict.remark,
    ])
  }
}
