/// A property of a reply that shows how the service pages. A new one is one entry in `all`.
struct PaginationSign: Sendable {
  /// The guesses it leads to, most likely first; empty if the reply does not have the property.
  let guesses: @Sendable (Sighting) -> [PaginationGuess]

  init(_ guesses: @escaping @Sendable (Sighting) -> [PaginationGuess]) { self.guesses = guesses }

  /// In order of precedence among guesses of equal confidence.
  static let all: [PaginationSign] = [
    linkHeader, linkList, nextAddress, nextHeader, pageInfo, continueObject, pageHeaders, pageCount, token,
    tokenHeader, moreFlag,
    numberInAddress, emptyNext, echoedNumber, largerTotal,
  ]

  /// All guesses without duplicates, most certain first; the last one is a single page.
  static func paginations(_ sighting: Sighting) -> [PaginationGuess] {
    var guesses: [PaginationGuess] = []
    for guess in all.flatMap({ $0.guesses(sighting) }) {
      if !guesses.contains(where: guess.isSame) { guesses.append(guess) }
    }
    let sorted = guesses.enumerated().sorted { a, b in
      (-a.element.confidence, a.offset) < (-b.element.confidence, b.offset)
    }
    return sorted.flatMap { withOrigin($0.element, sighting) } + [.onePage]
  }

  /// A URL for page 1 may mean the first page or, if pages are numbered from 0, the second.
  private static func withOrigin(_ guess: PaginationGuess, _ sighting: Sighting) -> [PaginationGuess] {
    guard guess.style == .page, guess.first == .number(1), let page = sighting.request.page,
      page.name == guess.parameter
    else { return [guess] }
    return [guess.countingFromZero, guess]
  }
}

/// The context in which signs are evaluated.
struct Sighting: Sendable {
  let request: RequestGuess
  let headers: HTTPFields
  let body: BodySurvey
  let rows: RowsGuess
  let identity: RowIdentity
  let total: TotalGuess?

  /// The first match, from the root down, whose name is one of these words and that passes.
  func place(
    _ words: [String], where passes: (BodySurvey.Place) -> Bool = { _ in true }
  ) -> BodySurvey.Place? {
    body.places.first { words.contains($0.word) && passes($0) }
  }

  func text(_ place: BodySurvey.Place) -> String? { body.text(place) }

  /// The parameter for the page number, and the number of the first page.
  var pageParameter: (name: String, first: Int) {
    let name = request.page?.name ?? "page"
    if request.page?.value == 0 { return (name, 0) }
    let echo = place(Sighting.pageEchoes) { body.count($0) != nil }.flatMap { body.count($0) }
    // A URL without a page number requests the first page.
    return (name, request.page == nil && echo == 0 ? 0 : 1)
  }

  static let pageEchoes = ["page", "currentpage", "pagenumber", "pageindex", "pageno", "number"]
  static let offsetEchoes = ["offset", "start", "startat", "startindex", "skip", "from"]
}
