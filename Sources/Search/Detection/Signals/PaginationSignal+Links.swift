/// Signs that are URLs: the next page is a link to follow.
extension PaginationSignal {
  /// `Link: <…>; rel="next"` (RFC 8288).
  static let linkHeader = PaginationSignal { context in
    guard context.hasLink(["next"]) else { return [] }
    return [PaginationGuess(.link, next: "link:next", 1, "the Link header has the next page")]
  }

  /// `links: [{rel: "next", href: "…"}]` (OGC, STAC), `link: [{relation: "next", url: "…"}]` (FHIR).
  static let linkList = PaginationSignal { context in
    let document = context.body.document
    for place in context.body.places where place.kind == .array && ["links", "link"].contains(place.word) {
      for (relation, address) in [("rel", "href"), ("relation", "url")] {
        let path = JSONPath(
          steps: place.path.steps + [
            .firstElement(where: JSONKey(relation), hasText: "next"), .member(JSONKey(address)),
          ])
        guard let node = path.firstNode(in: document, from: document.rootNode),
          document.text(of: node)?.isEmpty == false
        else { continue }
        return [PaginationGuess(.link, next: "\(path)", 0.95, "\(path) is the address of the next page")]
      }
    }
    return []
  }

  /// A member named `next` or similar whose text is a URL.
  static let nextAddress = PaginationSignal { context in
    let place = context.body.places.first { place in
      place.isCalledNext && context.text(place).map(isAddress) == true && place.kind == .string
    }
    guard let path = place?.path else { return [] }
    return [PaginationGuess(.link, next: "\(path)", 0.95, "\(path) is the address of the next page")]
  }

  /// A separate header with the URL (Kinto).
  static let nextHeader = PaginationSignal { context in
    guard let text = context.headers.first("Next-Page"), isAddress(text) else { return [] }
    return [PaginationGuess(.link, next: "header:next-page", 0.95, "the Next-Page header is an address")]
  }

  /// An empty member for the next page: this page is the last or the only one.
  static let emptyNext = PaginationSignal { context in
    if context.hasLink(["first", "last", "prev"]), !context.hasLink(["next"]) {
      return [
        PaginationGuess(.link, next: "link:next", 0.65, "the Link header has pages, but no next one here")
      ]
    }
    guard let place = context.body.places.first(where: { $0.isCalledNext && $0.kind == .null }) else {
      return []
    }
    return [
      PaginationGuess(
        .link, next: "\(place.path)", 0.65,
        "\(place.path), which usually holds the next page, is null")
    ]
  }

  /// Whether a text can be a link, absolute or relative; a token does not contain such characters.
  static func isAddress(_ text: String) -> Bool {
    if text.contains(" ") { return false }
    return ["http://", "https://", "/", "?"].contains { text.hasPrefix($0) }
      || (text.contains("?") && text.contains("="))
  }
}

extension DetectionContext {
  fileprivate func hasLink(_ relations: [String]) -> Bool {
    relations.contains { LinkHeader.target(rel: $0, in: headers.all("Link")) != nil }
  }
}

extension MemberIndex.Place {
  private static let nextWords: Set = [
    "next", "nexturl", "nextlink", "nextpage", "nextpageurl", "nextpagelink", "nexthref", "nextrecordsurl",
    "odatanextlink", "hydranext", "nextpath",
  ]

  fileprivate var isCalledNext: Bool {
    Self.nextWords.contains(word)
      || (["href", "url"].contains(word) && ParameterRole.word(parentName) == "next")
  }
}
