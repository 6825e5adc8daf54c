import JSON

/// The pagination of an endpoint, derived from its parameters and the schema of its response.
struct EndpointPagination {
  let parameters: [EndpointParameter]
  let response: EndpointResponse
  /// The names of the response's header fields.
  let headers: [String]

  /// The guesses, most likely first; the last one is a single page.
  var guesses: [PaginationGuess] {
    [linkHeader, numberedToken, token, address, tokenHeader, lastKey, page, offset, onePage].compactMap(
      \.self)
  }

  private func parameter(_ role: EndpointParameter.Role) -> EndpointParameter? {
    parameters.first { $0.role == role }
  }

  private var linkHeader: PaginationGuess? {
    guard headers.contains(where: { $0.lowercased() == "link" }) else { return nil }
    return PaginationGuess(
      style: .link, next: "link:next", confidence: 0.95, reason: "the response has a Link header")
  }

  /// A token in the response whose parameter is named like a page or an offset but takes a string.
  private var numberedToken: PaginationGuess? {
    guard parameter(.cursor) == nil, let token = nextToken, token.schema.kind == .string,
      !token.schema.isAddress,
      let parameter = parameters.first(where: {
        [.page, .offset].contains($0.role) && $0.schema.kind == .string
      })
    else { return nil }
    return cursor(parameter, token, 0.9)
  }

  private var token: PaginationGuess? {
    guard let token = nextToken else { return nil }
    let cursors = parameters.filter { $0.role == .cursor } + parameters.filter { $0.role == .lastKey }
    guard let parameter = cursors.max(by: { similarity($0, token) < similarity($1, token) }) else {
      return nil
    }
    return cursor(parameter, token, 0.95)
  }

  private func cursor(
    _ parameter: EndpointParameter, _ token: EndpointResponse.Place, _ confidence: Double
  ) -> PaginationGuess {
    PaginationGuess(
      style: .cursor, parameter: parameter.name, next: "\(token.path)", more: flag(ResponseWords.mores),
      done: nil,
      confidence: confidence, reason: "\(token.path) is a token, sent back as \(parameter.name)")
  }

  /// How well the name of a parameter fits the name of a token: `nextPageToken` is sent as `pageToken`.
  private func similarity(_ parameter: EndpointParameter, _ token: EndpointResponse.Place) -> Int {
    let (a, b) = (parameter.word, token.word)
    if a == b { return 102 }
    if b.hasSuffix(a) || a.hasSuffix(b) { return 101 }
    let usual = ParameterFamilies.tokenParameters(for: token.name, in: token.parentName).map(
      ParameterRole.word)
    return usual.firstIndex(of: a).map { 100 - $0 } ?? 0
  }

  private var tokenHeader: PaginationGuess? {
    guard let parameter = parameter(.cursor),
      let header = headers.first(where: {
        Self.isNextToken(ParameterRole.word($0.lowercased().hasPrefix("x-") ? String($0.dropFirst(2)) : $0))
      })
    else { return nil }
    return PaginationGuess(
      style: .cursor, parameter: parameter.name, next: "header:\(header.lowercased())", confidence: 0.9,
      reason: "the \(header) header is a token, sent back as \(parameter.name)")
  }

  private var address: PaginationGuess? {
    let place = response.places.dropFirst().first { place in
      guard [.string, .unknown, .object].contains(place.schema.kind) else { return false }
      let isNext = ResponseWords.nextAddresses.contains(place.word)
      let isInLinks = Self.linkParents.contains(ParameterRole.word(place.parentName))
      if place.schema.kind == .object { return false }
      if ["href", "url"].contains(place.word) { return ParameterRole.word(place.parentName) == "next" }
      return isNext
        && (place.word != "next" || place.schema.isAddress || isInLinks || parameter(.cursor) == nil)
        && (place.word != "nextpage" || place.schema.isAddress || isInLinks)
    }
    guard let place else { return nil }
    let isSure = place.schema.isAddress || place.word != "next" || place.depth > 1
    return PaginationGuess(
      style: .link, next: "\(place.path)", confidence: isSure ? 0.95 : 0.8,
      reason: "\(place.path) is the URL of the next page")
  }

  /// The key of the last row is sent.
  private var lastKey: PaginationGuess? {
    let more = flag(ResponseWords.mores)
    let parameter =
      parameter(.lastKey)
      ?? (more != nil || parameter(.page) == nil && parameter(.offset) == nil ? parameter(.cursor) : nil)
    guard let parameter, response.shape == .list, let key = response.key, !key.hasPrefix("@") else {
      return nil
    }
    let last = JSONPath(steps: response.rowsPath.steps + [.element(-1)])
    let next = key.hasPrefix("[") ? "\(last)\(key)" : "\(last).\(key)"
    return PaginationGuess(
      style: .cursor, parameter: parameter.name, next: next, more: more,
      confidence: parameter.role == .lastKey ? (more == nil ? 0.8 : 0.9) : more == nil ? 0.5 : 0.7,
      reason: "\(parameter.name) takes the \(key) of the last row")
  }

  private var page: PaginationGuess? {
    guard let parameter = parameter(.page) else { return nil }
    let stated = parameter.schema.standard.flatMap { Int($0) } ?? parameter.schema.minimum
    let first = stated == 0 || stated == nil && parameter.word == "pageindex" ? 0 : 1
    let pages = response.place(ResponseWords.pageCounts) { $0.schema.isNumber || $0.schema.kind == .unknown }
    let header = ResponseWords.pageCountHeaders.first { name in
      headers.contains { $0.lowercased() == name.lowercased() }
    }
    let next = headers.first { $0.lowercased() == "x-next-page" }
    return PaginationGuess(
      style: .page, parameter: parameter.name, first: .number(first),
      next: (next.map { "header:\($0.lowercased())" } ?? nextNumber),
      more: flag(ResponseWords.mores),
      done: flag(ResponseWords.mores) == nil ? flag(ResponseWords.dones) : nil,
      pages: pages.map { "\($0.path)" } ?? header.map { "header:\($0.lowercased())" },
      confidence: 0.95, reason: "\(parameter.name) is the number of the page")
  }

  private var offset: PaginationGuess? {
    guard let parameter = parameter(.offset) else { return nil }
    let isFromOne = parameter.schema.standard == "1" || parameter.schema.minimum == 1
    return PaginationGuess(
      style: .offset, parameter: parameter.name, first: .number(isFromOne ? 1 : 0), next: nextNumber,
      more: flag(ResponseWords.mores),
      done: flag(ResponseWords.mores) == nil ? flag(ResponseWords.dones) : nil,
      confidence: 0.95,
      reason: "\(parameter.name) is the number of rows to skip")
  }

  private var onePage: PaginationGuess {
    PaginationGuess(
      style: .none,
      confidence: parameters.contains { $0.role == .pageSize || $0.role == .cursor } ? 0.5 : 0.95,
      reason: "the description mentions no other page")
  }

  /// The number of the next page or row, which is null on the last page.
  private var nextNumber: String? {
    response.place(["next", "nextpage", "nextoffset", "nextpagenumber", "nextstart"]) { $0.schema.isNumber }
      .map { "\($0.path)" }
  }

  private var nextToken: EndpointResponse.Place? {
    let candidates = response.places.dropFirst().filter { place in
      [.string, .integer, .number, .unknown].contains(place.schema.kind) && !place.schema.isAddress
        && !Self.linkParents.contains(ParameterRole.word(place.parentName))
    }
    // Next to `next_cursor`, `cursor` is the position of this page.
    if let place = candidates.first(where: { Self.isNextToken($0.word) }) { return place }
    let cursors = Set(parameters.filter { $0.role == .cursor }.map(\.word))
    return candidates.first {
      ParameterFamilies.tokenWords.contains($0.word) || ($0.word != "next" && cursors.contains($0.word))
    }
      ?? candidates.first { place in
        if place.word == "nextpage" { return place.schema.kind == .string }
        guard ["after", "next"].contains(place.word) else { return false }
        let isInPages = Self.pageParents.contains(ParameterRole.word(place.parentName))
        return isInPages || place.depth == 1 && !cursors.isEmpty
      }
  }

  private static func isNextToken(_ word: String) -> Bool {
    word.hasPrefix("next")
      && ["token", "cursor", "marker", "key", "id", "bookmark"].contains { word.hasSuffix($0) }
  }

  private func flag(_ words: [String]) -> String? {
    response.place(words) { [.boolean, .unknown].contains($0.schema.kind) }.map { "\($0.path)" }
  }

  private static let linkParents: Set = [
    "links", "link", "pagelinks", "hydraview", "paginationlinks", "urls",
  ]
  private static let pageParents: Set = [
    "cursors", "cursor", "paging", "pagination", "next", "meta", "pageinfo", "page",
  ]
}
