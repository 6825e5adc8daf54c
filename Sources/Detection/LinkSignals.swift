import HTTPValues
import JSON

/// Signs that are URLs: the next page is a link to follow.
extension PaginationSignal {
  /// `Link: <…>; rel="next"` (RFC 8288).
  static let linkHeader = one { context in
    guard context.hasLink(["next"]) else { return nil }
    return PaginationGuess(
      style: .link, next: "link:next", confidence: 1, reason: "the Link header has the next page")
  }

  /// `links: [{rel: "next", href: "…"}]` (OGC, STAC), `link: [{relation: "next", url: "…"}]` (FHIR), and such lists
  /// under other names.
  static let linkList = one { context in
    let document = context.body.document
    for place in context.body.places where place.kind == .array {
      for (relation, address) in [("rel", "href"), ("relation", "url")] {
        let path = JSONPath(
          steps: place.path.steps + [
            .firstElement(where: JSONKey(relation), hasText: "next"), .member(JSONKey(address)),
          ])
        guard let node = path.firstNode(in: document, from: document.rootNode),
          document.text(of: node)?.isEmpty == false
        else { continue }
        return PaginationGuess(
          style: .link, next: "\(path)", confidence: 0.95, reason: "\(path) is the URL of the next page")
      }
    }
    return nil
  }

  /// A field named `next` or similar that contains a URL, or an object or a list with one.
  static let nextAddress = PaginationSignal { context in
    guard let path = nextPath(context.body) else { return [] }
    let guess = PaginationGuess(
      style: .link, next: "\(path)", confidence: 0.95, reason: "\(path) is the URL of the next page")
    // Some services leave out the beginning of the path, like that of the API.
    let own = context.request.example.address
    guard let next = string(at: path, context.body).flatMap({ try? own.resolving($0) }),
      next.path != own.path,
      own.path.hasSuffix(next.path)
    else { return [guess] }
    var other = guess
    other.usesRequestPath = true
    return [guess, other]
  }

  private static func nextPath(_ body: MemberIndex) -> JSONPath? {
    body.places.lazy.filter { $0.isCalledNext || $0.mayBeNext(in: body) }.flatMap { place in
      let path = place.path.steps
      let inList =
        ["uri", "href", "url"].map { path + [.element(0), .member(JSONKey($0))] } + [path + [.element(0)]]
      return (place.kind == .array ? inList : [path]).map { JSONPath(steps: $0) }
    }.first { string(at: $0, body).map(isAddress) == true }
  }

  private static func string(at path: JSONPath, _ body: MemberIndex) -> String? {
    path.firstNode(in: body.document, from: body.document.rootNode).flatMap(body.document.string)
  }

  /// The URL of the next page, if the response has it in a header or a field.
  static func next(_ body: MemberIndex, _ response: HTTPResponse) -> WebURL? {
    let text =
      LinkHeader.target(rel: "next", in: response.headers.all("Link"))
      ?? nextPath(body).flatMap { string(at: $0, body) }
    return text.flatMap { try? response.url.resolving($0) }
  }

  /// A separate header with the URL (Kinto).
  static let nextHeader = one { context in
    let field = context.headers.first {
      ParameterRole.word($0.name).contains("next")
        && ($0.name.lowercased() == "next-page" || isAbsoluteAddress($0.value))
        && isAddress($0.value)
    }
    return field.map {
      PaginationGuess(
        style: .link, next: "header:\($0.name.lowercased())", confidence: 0.95,
        reason: "the \($0.name) header is a URL")
    }
  }

  /// An empty field for the next page: this page is the last or the only one.
  static let emptyNext = one { context in
    if context.hasLink(["first", "last", "prev"]), !context.hasLink(["next"]) {
      return PaginationGuess(
        style: .link, next: "link:next", confidence: 0.65,
        reason: "the Link header has pages, but no next one here")
    }
    guard let place = context.body.places.first(where: { $0.isCalledNext && context.isEmpty($0) }) else {
      return nil
    }
    return PaginationGuess(
      style: .link, next: "\(place.path)", confidence: 0.65,
      reason: "\(place.path), which usually holds the next page, is \(place.kind == .null ? "null" : "empty")"
    )
  }

  /// Whether a string can be a link, absolute or relative. A token does not contain such characters.
  static func isAddress(_ text: String) -> Bool {
    if text.contains(" ") { return false }
    return isAbsoluteAddress(text) || ["/", "?"].contains { text.hasPrefix($0) }
      || (text.contains("?") && text.contains("="))
  }

  static func isAbsoluteAddress(_ text: String) -> Bool {
    ["http://", "https://"].contains { text.hasPrefix($0) }
  }

  /// A field for the next page with a string that does not look like a URL, such as a file name.
  static let nextName = one { context in
    guard let place = context.body.places.first(where: { $0.isCalledNext && $0.kind == .string }),
      let text = context.body.text(place), !text.isEmpty, !isAddress(text)
    else { return nil }
    return PaginationGuess(
      style: .link, next: "\(place.path)", confidence: 0.5,
      reason: "\(place.path) may be the URL of the next page")
  }
}

extension DetectionContext {
  /// Whether a field has no value: null, or an empty string.
  func isEmpty(_ place: MemberIndex.Place) -> Bool {
    place.kind == .null || place.kind == .string && body.text(place) == ""
  }

  func hasLink(_ relations: [String]) -> Bool {
    relations.contains { LinkHeader.target(rel: $0, in: headers.all("Link")) != nil }
  }
}

extension MemberIndex.Place {
  var isCalledNext: Bool {
    ResponseWords.nextAddresses.contains(word)
      || (["href", "url", "uri"].contains(word) && ParameterRole.word(parentName) == "next")
  }

  /// Whether the field has an address, and a name that tokens of the next page have elsewhere.
  func mayBeNext(in body: MemberIndex) -> Bool {
    guard kind == .string, let text = body.text(self), !text.contains(" ") else { return false }
    let names = [word, ParameterRole.word(parentName)]
    let isNamed = ["next", "more", "older", "forward", "afterurl"].contains { part in
      names.contains { $0.contains(part) }
    }
    let isQuery = ["/", "?"].contains { text.hasPrefix($0) } && text.contains("?") && text.contains("=")
    return isNamed && (PaginationSignal.isAbsoluteAddress(text) || isQuery)
  }

  /// Whether only a list has such a field, so that a response with it is not one object.
  var mentionsNextPage: Bool {
    kind == .bool && ResponseWords.mores.contains(word) || word.hasSuffix("cursor")
      || word != "next" && ResponseWords.nextAddresses.contains(word)
      || word.hasPrefix("next") && isCalledToken
  }
}
