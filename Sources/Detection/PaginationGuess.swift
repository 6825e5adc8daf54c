import HTTPValues
import JSON

/// A possible pagination of the service, as keys of `[pagination]`, with its confidence and reason.
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
  /// The finding, as a sentence without the final period.
  package let reason: String
  /// Whether the guess is to be tried before the next one, but wrong unless its second page has new rows.
  package internal(set) var isTentative = false
  /// Whether its parameter is one of the usual ones, without evidence in the response.
  package internal(set) var isBlind = false
  /// The strings of the request with the position, if that is a part of them.
  package internal(set) var inner: InnerPosition?
  /// The status of a page after the last one, if that is an error.
  package var endStatus: Int?

  /// The findings of its trial about the rows.
  package var trial = Trial()

  package struct Trial: Sendable, Hashable {
    /// Whether more rows arrived than the total counts.
    package var isTotalWrong = false
    /// Whether different rows had the same key.
    package var isKeyAmbiguous = false
    /// Whether a page without rows lacks the path of the rows.
    package var mayRowsBeMissing = false

    package init() {}
  }

  package static let certain = 0.9

  /// Whether the key of the last row is sent, which even the last page has.
  package var isKeyOfLastRow: Bool { style == .cursor && next?.contains("[-1]") ?? false }

  package var isCertain: Bool { confidence >= Self.certain }

  /// Whether both guesses produce the same requests.
  func isSame(as other: PaginationGuess) -> Bool {
    style == other.style && parameter == other.parameter && first == other.first && next == other.next
      && more == other.more && done == other.done && pages == other.pages && inner == other.inner
  }

  static let oneObject = PaginationGuess(style: .none, confidence: 1, reason: "the response is one object")
  package static let onePage = PaginationGuess(
    style: .none, confidence: 0.5, reason: "the response does not mention another page")
}

extension PaginationGuess: CustomStringConvertible {
  /// `offset with parameter from`
  package var description: String {
    [style.rawValue, parameter].compactMap { $0 }.joined(separator: " with parameter ")
  }

  /// `numbered, with the parameter "page"`
  package var words: String {
    guard let parameter else { return style.rawValue }
    if inner?.url != nil { return "\(style == .page ? "numbered" : "by offset"), in the path of the URL" }
    let style =
      switch self.style {
      case .page: "numbered"
      case .offset: "by offset"
      case .cursor: "by cursor"
      case .link, .merge, .none: self.style.rawValue
      }
    return "\(style), with the parameter \"\(parameter)\""
  }
}

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
    nextNumber,
    echoBesideSize, otherPages, keyOfLastRow,
  ]

  /// All guesses without duplicates, most certain first; the last one is a single page.
  static func paginations(_ context: DetectionContext) -> [PaginationGuess] {
    let guesses = all.flatMap { $0.guesses(context) }.reduce(into: [PaginationGuess]()) { guesses, guess in
      if !guesses.contains(where: guess.isSame) { guesses.append(guess) }
    }
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
  static let nextAddress = one { context in
    nextPath(context.body).map {
      PaginationGuess(
        style: .link, next: "\($0)", confidence: 0.95, reason: "\($0) is the URL of the next page")
    }
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
  fileprivate func isEmpty(_ place: MemberIndex.Place) -> Bool {
    place.kind == .null || place.kind == .string && body.text(place) == ""
  }

  fileprivate func hasLink(_ relations: [String]) -> Bool {
    relations.contains { LinkHeader.target(rel: $0, in: headers.all("Link")) != nil }
  }
}

extension MemberIndex.Place {
  fileprivate var isCalledNext: Bool {
    ResponseWords.nextAddresses.contains(word)
      || (["href", "url", "uri"].contains(word) && ParameterRole.word(parentName) == "next")
  }

  /// Whether the field has an address, and a name that tokens of the next page have elsewhere.
  func mayBeNext(in body: MemberIndex) -> Bool {
    kind == .string && (word.hasPrefix("next") || word == "afterurl")
      && body.text(self).map(PaginationSignal.isAbsoluteAddress) ?? false
  }

  /// Whether only a list has such a field, so that a response with it is not one object.
  var mentionsNextPage: Bool {
    kind == .bool && ResponseWords.mores.contains(word) || word.hasSuffix("cursor")
      || word != "next" && ResponseWords.nextAddresses.contains(word)
      || word.hasPrefix("next") && isCalledToken
  }
}

/// Signs that are values to send back.
extension PaginationSignal {
  /// `pageInfo: {hasNextPage, endCursor}` (Relay).
  static let pageInfo = one { context in
    let document = context.body.document
    for place in context.body.places where place.kind == .object {
      for (more, cursor) in [("hasNextPage", "endCursor"), ("has_next_page", "end_cursor")] {
        guard document.member(of: place.node, named: JSONKey(more)) != nil,
          document.member(of: place.node, named: JSONKey(cursor)) != nil
        else { continue }
        let paths = [cursor, more].map { JSONPath(steps: place.path.steps + [.member(JSONKey($0))]) }
        return PaginationGuess(
          style: .cursor,
          parameter: context.request.cursor?.name ?? context.request.cursorVariable ?? "after",
          next: "\(paths[0])",
          more: "\(paths[1])", confidence: 0.95, reason: "\(place.path) has \(more) and \(cursor)")
      }
    }
    return nil
  }

  /// `continue: {…}`. All of its fields go into the next request (MediaWiki).
  static let continueObject = one { context in
    guard let place = context.place(["continue"], where: { $0.kind == .object && $0.depth == 1 }) else {
      return nil
    }
    return PaginationGuess(
      style: .merge, next: "\(place.path)", confidence: 0.95,
      reason: "\(place.path) holds the parameters of the next request")
  }

  /// A field that looks like a position, sent back in one of the usual parameters.
  static let token = PaginationSignal { context in
    let places = context.body.places.enumerated().compactMap { offset, place in
      (place.tokenRank(in: context) ?? (context.isOfLastRow(place) ? 1 : nil)).map {
        (rank: ($0, offset), place: place)
      }
    }.sorted { $0.rank < $1.rank }
    return places.prefix(3).flatMap { guesses($0.place, rank: $0.rank.0, context) }
  }

  /// A null where the token of the next page usually is: this page is the last or the only one.
  static let emptyToken = one { context in
    guard let place = context.body.places.first(where: { context.isEmpty($0) && $0.isCalledToken }) else {
      return nil
    }
    let names = ParameterFamilies.tokenParameters(for: place.name, in: place.parentName)
    let flag = context.flag
    return PaginationGuess(
      style: .cursor, parameter: context.request.cursor?.name ?? names.first ?? place.name,
      next: "\(place.path)",
      more: flag.flatMap { $0.isDone ? nil : $0.path }, done: flag.flatMap { $0.isDone ? $0.path : nil },
      confidence: 0.65,
      reason:
        "\(place.path), which usually holds the next position, is \(place.kind == .null ? "null" : "empty")")
  }

  /// A token in a separate header: `X-Next-Cursor`, `X-Continuation-Token`.
  static let tokenHeader = PaginationSignal { context in
    let words = ["next", "cursor", "continu", "pagetoken", "marker", "scroll"]
    let field = context.headers.first { field in
      let word = ParameterRole.word(field.name)
      return words.contains(where: word.contains) && !field.value.isEmpty && !isAbsoluteAddress(field.value)
        && word != "xnextpage" && word != "nextpage"
    }
    guard let field else { return [] }
    let name = field.name.lowercased().split(separator: "-").drop { ["x", "ms"].contains($0) }.joined(
      separator: "_")
    let plain = name.hasSuffix("_token") ? [String(name.dropLast(6))] : []
    let known = ParameterFamilies.tokenParameters(for: name, in: "")
    var names: [String] = []
    for name in [context.request.cursor?.name].compactMap(\.self) + (name == "next_cursor" ? [] : [name])
      + plain + known
    where !names.contains(name) { names.append(name) }
    names.insert("header:\(field.name)", at: min(2, names.count))
    return names.prefix(8).enumerated().map { offset, name in
      var guess = PaginationGuess(
        style: .cursor, parameter: name, next: "header:\(field.name.lowercased())",
        confidence: 0.7 - 0.015 * Double(offset),
        reason: "the \(field.name) header is a token, sent back as \(name)")
      guess.isBlind = offset > 1
      return guess
    }
  }

  private static func guesses(
    _ place: MemberIndex.Place, rank: Int, _ context: DetectionContext
  ) -> [PaginationGuess] {
    let requested = context.request.cursor
    let isTime = (context.body.count(place) ?? 0) > 1_000_000_000
    let names = ParameterFamilies.tokenParameters(
      for: place.name, in: place.parentName, beside: context.request.pageSize?.name, isTime: isTime
    ).filter { $0 != requested?.name }
    return ([requested?.name].compactMap { $0 } + names).enumerated().map { offset, name in
      let isAsked = offset == 0 && requested != nil
      let way = isAsked ? "which the request sends as" : "sent back as"
      let likely = 0.7 - 0.05 * Double(rank) - 0.015 * Double(offset)
      var guess = PaginationGuess(
        style: .cursor, parameter: name, first: requested?.value == "*" ? .text("*") : nil,
        next: "\(place.path)", confidence: isAsked ? 0.85 : offset < 10 ? max(0.41, likely) : 0.3,
        reason: "\(place.path) is a token, \(way) \(name)")
      guess.isBlind = offset > 1
      return guess
    }
  }
}

extension MemberIndex.Place {
  /// Whether only tokens of a next page have such a name.
  fileprivate var isCalledToken: Bool {
    word.hasSuffix("cursor") || word.hasSuffix("token") || word.hasPrefix("continuation")
  }

  /// The rank of a field that may be a token: 0 for a name that only tokens have, higher for others; nil if it is not a
  /// token.
  fileprivate func tokenRank(in context: DetectionContext) -> Int? {
    if kind == .object, context.request.example.body != nil {
      return ParameterFamilies.objectTokens.contains(word) ? 0 : nil
    }
    guard [.string, .number].contains(kind), let text = context.body.text(self), !text.isEmpty,
      !isPageNumber(in: context), !text.contains("://"), !text.hasPrefix("javascript:"),
      !(isCalledNext && PaginationSignal.isAddress(text))
    else { return nil }
    let isNumber = Int(text) != nil
    if ["next", "cursor", "token", "continu"].contains(where: word.hasPrefix) || word.hasSuffix("cursor")
      || word.hasSuffix("token")
    {
      return isNumber && !word.hasPrefix("next") ? 2 : 0
    }
    if ParameterRole.word(parentName) == "next" { return 0 }
    let others = [
      "marker", "after", "scroll", "bookmark", "position", "lastid", "offset", "pagekey", "pageinfo", "start",
    ]
    guard others.contains(where: word.contains) else { return nil }
    // A number may be the start of this page.
    return isNumber ? (context.body.count(self) == context.rows.count ? 2 : nil) : 1
  }

  var isCalledNextPage: Bool { ["next", "nextpage", "nextpagenumber", "pagenext"].contains(word) }

  /// Whether the value is the number of the next page and not a token.
  func isPageNumber(in context: DetectionContext) -> Bool {
    guard isCalledNextPage, kind == .number, let number = context.body.count(self) else { return false }
    return number == (context.request.page?.value ?? 1) + 1 || number == 1
  }
}

/// Signs of numbered pages and offsets.
extension PaginationSignal {
  /// `X-Next-Page`, or a header with the number of pages.
  static let pageHeaders = one { context in
    let (name, first) = context.pageParameter
    func guess(_ header: String, isNext: Bool) -> PaginationGuess {
      let expression = "header:\(header.lowercased())"
      return PaginationGuess(
        style: .page, parameter: name, first: .number(first), next: isNext ? expression : nil,
        pages: isNext ? nil : expression, confidence: 0.9, reason: "the \(header) header has page numbers")
    }
    if context.headers.first("X-Next-Page") != nil { return guess("X-Next-Page", isNext: true) }
    for header in ResponseWords.pageCountHeaders {
      if context.headers.first(header).flatMap({ Int($0) }) != nil { return guess(header, isNext: false) }
    }
    let other = context.headers.first { field in
      guard ResponseWords.isPageCountHeader(field.name), let pages = Int(field.value), pages > 0 else {
        return false
      }
      let (total, rows) = (context.total?.count, max(context.rows.count, 1))
      return total.map { pages == ($0 + rows - 1) / rows } ?? true
    }
    return other.map { guess($0.name, isNext: false) }
  }

  /// A page count in the body.
  static let pageCount = one { context in
    let named = context.place(
      ResponseWords.pageCounts, where: { $0.kind == .number && context.body.count($0) != nil })
    guard let place = named ?? context.body.pageFacts?.pages else { return nil }
    let (name, first) = context.pageParameter
    let isNumbered = context.request.page != nil || context.place(DetectionContext.pageEchoes) != nil
    return PaginationGuess(
      style: .page, parameter: name, first: .number(first), pages: "\(place.path)",
      confidence: isNumbered ? 0.85 : 0.6, reason: "\(place.path) is the number of pages")
  }

  /// `has_more: true`: increases the page or offset in the URL, or else sends the key of the last row.
  static let moreFlag = PaginationSignal { context in
    guard let flag = context.flag else { return [] }
    func guess(
      _ style: PaginationGuess.Style, _ parameter: String, first: Int? = nil, next: String? = nil,
      _ confidence: Double, isBlind: Bool = false
    ) -> PaginationGuess {
      var guess = PaginationGuess(
        style: style, parameter: parameter, first: first.map { .number($0) }, next: next,
        more: flag.isDone ? nil : flag.path, done: flag.isDone ? flag.path : nil, confidence: confidence,
        reason: "\(flag.path) says whether there are more rows")
      guess.isBlind = isBlind
      return guess
    }
    let (page, firstPage) = context.pageParameter
    if context.request.page != nil { return [guess(.page, page, first: firstPage, 0.85)] }
    if let offset = context.request.offset { return [guess(.offset, offset.name, first: 0, 0.85)] }
    let isEchoed = context.place(DetectionContext.pageEchoes, where: { $0.kind == .number }) != nil
    var guesses = [guess(.page, page, first: firstPage, isEchoed ? 0.7 : 0.55)]
    guesses += context.keyOfLastRow(0.6).map {
      guess(.cursor, $0.parameter ?? "", next: $0.next, $0.confidence, isBlind: true)
    }
    guesses += context.usualWays.enumerated().map { rank, way in
      guess(way.style, way.name, first: way.style == .page ? 1 : 0, 0.5 - 0.005 * Double(rank), isBlind: true)
    }
    return guesses
  }

  /// The URL itself contains a page number or an offset.
  static let numberInAddress = one { context in
    let confidence = context.total == nil ? 0.7 : 0.8
    if let page = context.request.page {
      return PaginationGuess(
        style: .page, parameter: page.name, first: .number(context.pageParameter.first),
        confidence: confidence, reason: "the URL requests page \(page.value)")
    }
    guard let offset = context.request.offset else { return nil }
    return PaginationGuess(
      style: .offset, parameter: offset.name, first: .number(offset.value == 1 ? 1 : 0),
      confidence: confidence,
      reason: "the URL requests the rows from \(offset.value)")
  }

  /// A total, and a page number or first row that the response echoes.
  static let echoedNumber = PaginationSignal { context in
    guard context.total != nil else { return [] }
    if let place = context.place(DetectionContext.pageEchoes, where: { $0.kind == .number }) {
      let first = context.pageParameter.first
      return [place.name, "page"].map { name in
        PaginationGuess(
          style: .page, parameter: name, first: .number(first), confidence: name == place.name ? 0.6 : 0.55,
          reason: "the response has a total and is at \(place.path) \(first)")
      }
    }
    func isFirst(_ place: MemberIndex.Place) -> Bool { context.body.count(place) ?? 2 <= 1 }
    let named = context.place(DetectionContext.offsetEchoes, where: isFirst)
    guard let place = named ?? context.body.pageFacts?.others.first(where: isFirst),
      let first = context.body.count(place)
    else { return [] }
    return [
      PaginationGuess(
        style: named == nil ? .page : .offset, parameter: place.name, first: .number(first), confidence: 0.6,
        reason: "the response has a total and is at \(place.path) \(first)")
    ]
  }

  /// A number beside the echoed page size that is 0 or 1 on the first page, whatever its name: the request may have it
  /// under the same name, or under this one in the frame of the page size.
  static let echoBesideSize = PaginationSignal { context in
    let sizes = context.body.places.filter { place in
      ParameterFamilies.isLikeSize(place.word)
        && context.body.count(place).map { $0 == context.request.pageSize?.value ?? context.rows.count }
          ?? false
    }.map { $0.path.steps.dropLast() }
    guard context.mayHaveMore, context.request.page == nil, context.request.offset == nil else { return [] }
    let echoes = context.body.places.filter { place in
      context.body.count(place).map { $0 <= 1 } ?? false && sizes.contains(place.path.steps.dropLast())
    }
    let frame = context.request.pageSize.flatMap { ParameterFamilies.Frame(ofSize: $0.name) }
    return echoes.prefix(3).flatMap { place -> [PaginationGuess] in
      let first = context.body.count(place) ?? 0
      let styles: [PaginationGuess.Style] =
        first == 0 ? [.offset] : place.word.contains("page") ? [.page, .offset] : [.offset, .page]
      return ([frame?.name(place.name), place.name].compactMap(\.self)).flatMap { name in
        styles.map { style in
          var guess = PaginationGuess(
            style: style, parameter: name, first: .number(first), confidence: 0.42,
            reason: "\(place.path) is \(first) beside the page size")
          guess.isBlind = true
          guess.isTentative = true
          return guess
        }
      }
    }
  }

  /// `next_page: 2`: the number of the next page.
  static let nextNumber = PaginationSignal { context in
    let next = (context.request.page?.value ?? 1) + 1
    let place = context.body.places.first { $0.isCalledNextPage && context.body.count($0) == next }
    guard let place else { return [] }
    let usual = context.usualWays.filter { $0.style == .page }.map(\.name)
    // A number in a string may be a token.
    let confidence = place.kind == .number ? 0.8 : 0.72
    return ([context.pageParameter.name] + usual + ["current_page"]).enumerated().map { rank, name in
      var guess = PaginationGuess(
        style: .page, parameter: name, first: .number(1), next: "\(place.path)",
        confidence: confidence - 0.03 * Double(rank), reason: "\(place.path) is the number of the next page")
      guess.isTentative = place.kind == .string
      return guess
    }
  }

  /// Tries the usual parameters if the list has or may have more rows than this page, but nothing shows how to request
  /// them.
  static let otherPages = PaginationSignal { context in
    guard context.mayHaveMore else { return [] }
    return context.usualWays.enumerated().map { rank, way in
      var guess = PaginationGuess(
        style: way.style, parameter: way.name, first: .number(way.style == .page ? 1 : 0),
        confidence: rank < 30 ? 0.4 - 0.005 * Double(rank) : 0.2,
        reason: "a common parameter name")
      guess.isBlind = true
      guess.isTentative = true
      return guess
    }
  }

  /// Tries the key of the last row if the page may not be the whole list.
  static let keyOfLastRow = PaginationSignal { context in context.mayHaveMore ? context.keyOfLastRow(0.3) : []
  }
}

extension DetectionContext {
  /// A flag that says whether more pages follow or, with `isDone`, that none do.
  fileprivate var flag: (path: String, isDone: Bool)? {
    if let place = place(ResponseWords.mores, where: { $0.kind == .bool }) { return ("\(place.path)", false) }
    if let place = place(ResponseWords.dones, where: { $0.kind == .bool }) { return ("\(place.path)", true) }
    let like = body.places.first { place in
      place.kind == .bool && body.text(place) == "true" && ResponseWords.saysMore(place.word)
    }
    return like.map { ("\($0.path)", false) }
  }

  /// Whether a field repeats a value of the last row that the first one does not have: the list goes on after it.
  fileprivate func isOfLastRow(_ place: MemberIndex.Place) -> Bool {
    guard rows.shape == .list, rows.sample.count == rows.count, rows.count > 1, mayHaveMore,
      [.string, .number].contains(place.kind), let text = body.text(place), text.utf8.count > 1,
      let first = rows.sample.first, let last = rows.sample.last
    else { return false }
    func has(_ row: JSONNode) -> Bool {
      body.document.members(of: row).prefix(100).contains { body.document.text(of: $0.value) == text }
    }
    return has(last) && !has(first)
  }

  /// The usual parameters for a position, most likely first.
  fileprivate var usualWays: [ParameterFamilies.Way] {
    ParameterFamilies.ways(
      beside: request.pageSize?.name, spelledAs: "\(rows.path)", usesUnderscores: usesUnderscores)
  }

  /// Whether the service joins the words of names with underscores.
  private var usesUnderscores: Bool {
    let names = rows.sample.first.map { row in
      body.document.kind(of: row) == .object
        ? body.document.members(of: row).prefix(50).compactMap { body.document.string(of: $0.name) } : []
    }
    return (names ?? []).contains { $0.dropFirst().dropLast().contains("_") }
  }

  /// Whether the page may not be the whole list: the total is larger, it has as many rows as requested, or a number
  /// of rows that services choose as a page size.
  var mayHaveMore: Bool {
    if let total { return total.count > rows.count }
    if let size = request.pageSize { return size.value == rows.count }
    return rows.count >= 5 && rows.count % 5 == 0 || [12, 24, 48, 64, 128, 256].contains(rows.count)
  }

  /// Guesses that send the key of the last row.
  fileprivate func keyOfLastRow(_ confidence: Double) -> [PaginationGuess] {
    guard let key = lastKey else { return [] }
    let field = identity.order.flatMap { try? JSONPath($0) }?.memberNames?.last
    let names = ParameterFamilies.keyParameters(beside: request.pageSize?.name, of: field)
    let asked = request.cursor.map { [$0.name] } ?? []
    return (asked + names.filter { !asked.contains($0) }).enumerated().map { rank, name in
      var guess = PaginationGuess(
        style: .cursor, parameter: name, next: key,
        // A parameter of the address comes before those that only others use.
        confidence: asked.contains(name) ? confidence + 0.15 : confidence - 0.005 * Double(rank),
        reason: "\(key) is the key of the last row, sent back as \(name)")
      guess.isBlind = true
      guess.isTentative = true
      return guess
    }
  }

  /// The key of the last row, as an expression on the whole response.
  fileprivate var lastKey: String? {
    guard rows.shape == .list, let key = identity.order, let path = try? JSONPath(key) else { return nil }
    let list = rows.path.singularPrefix.steps
    return
      "\(JSONPath(steps: list + [.element(-1)] + rows.path.steps.dropFirst(list.count + 1) + path.steps))"
  }
}
