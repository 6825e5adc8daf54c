import Algorithms
import HTTPValues
import JSON

/// A property of a response that shows how the service pages. A new one is one entry in `all`.
struct PaginationSignal: Sendable {
  /// The guesses it leads to, most likely first; empty if the response does not have the property.
  let guesses: @Sendable (DetectionContext) -> [PaginationGuess]

  /// A property that leads to one guess, or none.
  static func one(_ guess: @escaping @Sendable (DetectionContext) -> PaginationGuess?) -> PaginationSignal {
    PaginationSignal { context in guess(context).map { [$0] } ?? [] }
  }

  /// All signals, in order of precedence among guesses of equal confidence.
  static let all: [PaginationSignal] = [
    linkHeader, linkList, nextAddress, nextHeader, pageInfo, continueObject, pageHeaders, pageCount, token,
    tokenHeader, nextName, emptyToken, moreFlag, numberInAddress, innerPosition, emptyNext, echoedNumber,
    nextNumber, sortOfLastRow, echoBesideSize, otherPages, keyOfLastRow,
  ]

  /// All guesses without duplicates, most certain first; the last one is a single page.
  static func paginations(_ context: DetectionContext) -> [PaginationGuess] {
    let guesses = all.flatMap { $0.guesses(context) }.uniqued(on: \.requests)
    let sorted = guesses.enumerated().sorted { a, b in
      (-a.element.confidence, a.offset) < (-b.element.confidence, b.offset)
    }
    return sorted.flatMap { withOrigin($0.element, context) } + [.onePage]
  }

  /// The guess, and its variants with other starting points. A URL for page 1 may mean the first page or, if pages are
  /// numbered from 0, the second. Rows may be counted from 1. A number that looks like a row offset may be a page
  /// number, and the other way round.
  static func withOrigin(_ guess: PaginationGuess, _ context: DetectionContext) -> [PaginationGuess] {
    func other(_ style: PaginationGuess.Style, first: Int) -> PaginationGuess {
      var other = PaginationGuess(
        style: style, parameter: guess.parameter, first: .number(first), next: guess.next, more: guess.more,
        done: guess.done, pages: guess.pages, confidence: guess.confidence, reason: guess.reason)
      other.isTentative = true
      other.isBlind = guess.isBlind
      return other
    }
    if guess.inner != nil { return [guess] }
    switch (guess.style, guess.first) {
    case (.page, .number(1)):
      let asked = context.request.page?.name == guess.parameter
      let pages = asked ? [other(.page, first: 0), guess] : [guess, other(.page, first: 0)]
      let isNumbered = guess.pages != nil || guess.next != nil || guess.isBlind && guess.parameter != "page"
      return isNumbered ? pages : pages + [other(.offset, first: 0)]
    case (.offset, .number(0)): return [guess, other(.offset, first: 1), other(.page, first: 0)]
    case (.offset, .number(1)): return [guess, other(.page, first: 1)]
    default: return [guess]
    }
  }
}

/// The context in which signs are evaluated.
struct DetectionContext: Sendable {
  let request: RequestGuess
  let headers: HTTPFields
  let body: MemberIndex
  let rows: RowsGuess
  let identity: RowIdentity
  let total: TotalGuess?

  /// The first value, from the root down, whose name is one of these words and that satisfies the condition.
  func place(
    _ words: [String], where passes: (MemberIndex.Place) -> Bool = { _ in true }
  ) -> MemberIndex.Place? {
    body.places.first { words.contains($0.word) && passes($0) }
  }

  /// The parameter for the page number, and the number of the first page.
  var pageParameter: (name: String, first: Int) {
    let name = request.page?.name ?? "page"
    if request.page?.value == 0 { return (name, 0) }
    let echo = place(DetectionContext.pageEchoes) { body.count($0) != nil }.flatMap(body.count)
    // A URL without a page number requests the first page.
    return (name, request.page == nil && echo == 0 ? 0 : 1)
  }

  static let pageEchoes = ["page", "currentpage", "pagenumber", "pageindex", "pageno", "number"]
  static let offsetEchoes = ["offset", "start", "startat", "startindex", "skip", "from"]
}
