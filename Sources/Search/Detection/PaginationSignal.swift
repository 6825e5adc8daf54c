/// A property of a reply that shows how the service pages. A new one is one entry in `all`.
struct PaginationSignal: Sendable {
  /// The guesses it leads to, most likely first; empty if the reply does not have the property.
  let guesses: @Sendable (DetectionContext) -> [PaginationGuess]

  init(_ guesses: @escaping @Sendable (DetectionContext) -> [PaginationGuess]) { self.guesses = guesses }

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
