import Algorithms
import HTTPValues
import JSON

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

  /// `continue: {…}`, `next_page_params: {…}`. All of its fields go into the next request (MediaWiki).
  static let continueObject = one { context in
    let place = context.body.places.first { place in
      let isNamed =
        place.word == "continue" && place.depth == 1
        || place.word.hasPrefix("next") && place.word.contains("param")
      return isNamed && place.kind == .object
    }
    guard let place else { return nil }
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
    let place = context.body.places.first { context.isEmpty($0) && $0.isCalledToken && !$0.leadsBack }
    guard let place else { return nil }
    let names = ParameterFamilies.tokenParameters(for: place.name, in: place.parentName)
    let flag = context.flag
    return PaginationGuess(
      style: .cursor, parameter: context.request.cursor?.name ?? names.first ?? place.name,
      next: "\(place.path)", more: flag?.more, done: flag?.done, confidence: 0.65,
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
    let parts = ParameterFamilies.words(of: field.name).drop { ["x", "ms"].contains($0) }
    // What precedes is the name of the service: `X-Nomad-NextToken`.
    let name = parts[(parts.firstIndex(of: "next") ?? parts.startIndex)...].joined(separator: "_")
    let isNext = name.hasPrefix("next_") && field.name.lowercased().hasPrefix("next-")
    let plain = name.hasSuffix("_token") ? [String(name.dropLast(6))] : []
    let known = ParameterFamilies.tokenParameters(for: name, in: "")
    var names = Array(
      ([context.request.cursor?.name].compactMap(\.self) + (name == "next_cursor" ? [] : [name]) + plain
        + ParameterFamilies.lastWord(of: name) + known)
        .uniqued())
    names.insert("header:\(isNext ? String(field.name.dropFirst(5)) : field.name)", at: min(2, names.count))
    return names.prefix(8).enumerated().map { offset, name in
      var guess = PaginationGuess(
        style: .cursor, parameter: name, next: "header:\(field.name.lowercased())",
        confidence: 0.7 - 0.015 * Double(offset),
        reason: "the \(field.name) header is a token, sent back as \(name)")
      guess.isBlind = offset > 1
      return guess
    }
  }

  /// The values that the last row is sorted by, sent back joined in a URL, or as they are in a body, as search engines
  /// have it.
  static let sortOfLastRow = one { context in
    let (document, flag) = (context.body.document, context.flagThatContinues)
    let name = JSONKey("sort")
    guard context.mayHaveMore || flag != nil, let row = context.rows.sample.last,
      let path = context.pathInLastRow(JSONPath(steps: [.member(name)])),
      let sort = document.member(of: row, named: name), document.kind(of: sort) == .array
    else { return nil }
    let values = Array(document.elements(of: sort)).prefix(8).indices.map { "{\(path)[\($0)]}" }
    return PaginationGuess(
      style: .cursor, parameter: "search_after",
      next: context.request.example.body == nil ? "=\(values.joined(separator: ","))" : "\(path)",
      more: flag?.more, done: flag?.done, confidence: 0.7,
      reason: "\(path) is what the last row is sorted by, sent back as search_after"
    ).asAttempt
  }

  private static func guesses(
    _ place: MemberIndex.Place, rank: Int, _ context: DetectionContext
  ) -> [PaginationGuess] {
    let requested = context.request.cursor
    let flag = context.flagThatContinues
    let isTime = (context.body.count(place) ?? 0) > 1_000_000_000
    let names = ParameterFamilies.tokenParameters(
      for: place.name, in: place.parentName, beside: context.request.pageSize?.name, isTime: isTime)
    let sent = ([requested?.name].compactMap(\.self) + names).uniqued().enumerated().map { offset, name in
      let isAsked = offset == 0 && requested != nil
      let way = isAsked ? "which the request sends as" : "sent back as"
      let likely = 0.7 - 0.05 * Double(rank) - 0.015 * Double(offset)
      var guess = PaginationGuess(
        style: .cursor, parameter: name, first: requested?.value == "*" ? .text("*") : nil,
        next: "\(place.path)", more: flag?.more, done: flag?.done,
        confidence: isAsked ? 0.85 : offset < 10 ? max(0.41, likely) : 0.3,
        reason: "\(place.path) is a token, \(way) \(name)")
      guess.isBlind = offset > 1
      return guess
    }
    return sent + alone(place, context)
  }

  /// A token that replaces all other parameters (Dynatrace).
  private static func alone(_ place: MemberIndex.Place, _ context: DetectionContext) -> [PaginationGuess] {
    guard context.request.example.body == nil, place.word.hasPrefix("next"),
      let text = context.body.text(place), !text.contains(where: { " #%&+".contains($0) })
    else { return [] }
    let guess = PaginationGuess(
      style: .link, next: "=?\(place.name)={\(place.path)}", confidence: 0.45,
      reason: "\(place.path) is a token, sent back as \(place.name) without other parameters")
    return [guess.asAttempt]
  }
}

extension MemberIndex.Place {
  /// Whether its name is that of a previous page.
  fileprivate var leadsBack: Bool { ["prev", "before", "back"].contains(where: word.contains) }

  /// Whether only tokens of a next page have such a name.
  var isCalledToken: Bool {
    word.hasSuffix("cursor") || word.hasSuffix("token") || word.hasPrefix("continuation")
  }

  /// The rank of a field that may be a token: 0 for a name that only tokens have, higher for others; nil if it is not a
  /// token.
  func tokenRank(in context: DetectionContext) -> Int? {
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
