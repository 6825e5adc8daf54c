import HTTPValues

/// One way the service may page, as keys of `[pagination]`, with its confidence and reason.
package struct PaginationGuess: Sendable, Hashable {
  package enum Style: String, Sendable {
    case page, offset, cursor, link, merge, none
  }

  /// The value for the first page.
  package enum First: Sendable, Hashable {
    case number(Int)
    case text(String)
  }

  package let style: Style
  /// The query parameter for the number or cursor.
  package var parameter: String?
  package var first: First?
  // Value expressions.
  package var next: String?
  package var more: String?
  package var done: String?
  package var pages: String?
  /// From 0 to 1. At `certain` or above, no second page is needed to confirm it.
  package let confidence: Double
  /// What was found, as a sentence without the final period.
  package let reason: String
  /// Worth trying before the next guess, but wrong unless its second page has new rows.
  package private(set) var isTentative = false

  package static let certain = 0.9

  package var isCertain: Bool { confidence >= Self.certain }

  init(
    _ style: Style, parameter: String? = nil, first: First? = nil, next: String? = nil, more: String? = nil,
    done: String? = nil, pages: String? = nil, _ confidence: Double, _ reason: String
  ) {
    self.style = style
    self.parameter = parameter
    self.first = first
    self.next = next
    self.more = more
    self.done = done
    self.pages = pages
    self.confidence = confidence
    self.reason = reason
  }

  /// Whether both guesses produce the same requests.
  func isSame(as other: PaginationGuess) -> Bool {
    style == other.style && parameter == other.parameter && first == other.first && next == other.next
      && more == other.more && done == other.done && pages == other.pages
  }

  /// The same guess with pages numbered from 0, which only the pages themselves can show.
  var countingFromZero: PaginationGuess {
    var guess = self
    guess.first = .number(0)
    guess.isTentative = true
    return guess
  }

  static let onePage = PaginationGuess(.none, 0.5, "the reply does not mention another page")
}

extension PaginationGuess: CustomStringConvertible {
  /// `offset by from`
  package var description: String { [style.rawValue, parameter].compactMap { $0 }.joined(separator: " by ") }
}

/// A property of a reply that shows how the service pages. A new one is one entry in `all`.
struct PaginationSignal: Sendable {
  /// The guesses it leads to, most likely first; empty if the reply does not have the property.
  let guesses: @Sendable (DetectionContext) -> [PaginationGuess]

  /// A property that leads to one guess, or none.
  static func one(_ guess: @escaping @Sendable (DetectionContext) -> PaginationGuess?) -> PaginationSignal {
    PaginationSignal { context in guess(context).map { [$0] } ?? [] }
  }

  /// In order of precedence among guesses of equal confidence.
  static let all: [PaginationSignal] = [
    linkHeader, linkList, nextAddress, nextHeader, pageInfo, continueObject, pageHeaders, pageCount, token,
    tokenHeader, moreFlag,
    numberInAddress, emptyNext, echoedNumber, largerTotal,
  ]

  /// All guesses without duplicates, most certain first; the last one is a single page.
  static func paginations(_ context: DetectionContext) -> [PaginationGuess] {
    var guesses: [PaginationGuess] = []
    for guess in all.flatMap({ $0.guesses(context) }) {
      if !guesses.contains(where: guess.isSame) { guesses.append(guess) }
    }
    let sorted = guesses.enumerated().sorted { a, b in
      (-a.element.confidence, a.offset) < (-b.element.confidence, b.offset)
    }
    return sorted.flatMap { withOrigin($0.element, context) } + [.onePage]
  }

  /// A URL for page 1 may mean the first page or, if pages are numbered from 0, the second.
  private static func withOrigin(_ guess: PaginationGuess, _ context: DetectionContext) -> [PaginationGuess] {
    guard guess.style == .page, guess.first == .number(1), let page = context.request.page,
      page.name == guess.parameter
    else { return [guess] }
    return [guess.countingFromZero, guess]
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

  /// The first match, from the root down, whose name is one of these words and that passes.
  func place(
    _ words: [String], where passes: (MemberIndex.Place) -> Bool = { _ in true }
  ) -> MemberIndex.Place? {
    body.places.first { words.contains($0.word) && passes($0) }
  }

  func text(_ place: MemberIndex.Place) -> String? { body.text(place) }

  /// The parameter for the page number, and the number of the first page.
  var pageParameter: (name: String, first: Int) {
    let name = request.page?.name ?? "page"
    if request.page?.value == 0 { return (name, 0) }
    let echo = place(DetectionContext.pageEchoes) { body.count($0) != nil }.flatMap { body.count($0) }
    // A URL without a page number requests the first page.
    return (name, request.page == nil && echo == 0 ? 0 : 1)
  }

  static let pageEchoes = ["page", "currentpage", "pagenumber", "pageindex", "pageno", "number"]
  static let offsetEchoes = ["offset", "start", "startat", "startindex", "skip", "from"]
}
