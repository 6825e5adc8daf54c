extension Route {
  /// Pages located by the last row of the previous page, which is not repeated.
  static let keyset = Route(
    "/keyset",
    summary: "pages after a row, as in Stripe: q, limit, starting_after (a code point); has_more",
    example: Example("?q=arrow&limit=5&starting_after=U%2B2193"),
    settings: """
      params = { q = '{query}' }
      [pagination]
      type = 'cursor'
      into = 'query:starting_after'
      size = { param = 'limit', default = 30, max = 100 }
      next = 'data[-1].code_point'
      more = 'has_more'
      [rows]
      path = 'data'
      key = 'code_point'
      """
  ) { request throws(Refusal) in
    let size = try PageSize.requested(by: "limit", of: request)
    let search = try CharacterSearch(request)
    let last = try request.codePoint("starting_after")
    let page = search.page(from: last.map { search.position(notBefore: $0 + 1) } ?? 0, size: size)
    return Reply(json: ["object": "list", "has_more": .bool(page.next != nil), "data": page.items])
  }

  /// Pages located by the last row of the previous page, which is repeated.
  static let inclusiveKeyset = Route(
    "/keyset/inclusive",
    summary:
      "pages from a row on, each starting with the last row of the previous one: q, limit (2 or more),"
      + " start_at (a code point)",
    example: Example("?q=arrow&limit=5&start_at=U%2B2193"),
    settings: """
      params = { q = '{query}' }
      [pagination]
      type = 'cursor'
      into = 'query:start_at'
      size = { param = 'limit', default = 30, max = 100 }
      next = 'items[-1].code_point'
      more = 'more'
      overlap = 1
      [rows]
      path = 'items'
      key = 'code_point'
      """
  ) { request throws(Refusal) in
    let size = try request.query.number("limit", in: 2...100, standard: PageSize.standard)
    let search = try CharacterSearch(request)
    let first = try request.codePoint("start_at")
    let page = search.page(from: first.map { search.position(notBefore: $0) } ?? 0, size: size)
    return Reply(json: ["items": page.items, "more": .bool(page.next != nil)])
  }
}

extension Request {
  /// The code point of a parameter such as `U+2192`; nil if it is absent or empty.
  fileprivate func codePoint(_ name: String) throws(Refusal) -> UInt32? {
    guard let text = query[name], !text.isEmpty else { return nil }
    guard let codePoint = UInt32(codePoint: text) else {
      throw Refusal(400, "\(name) must be a code point like U+2192, but is '\(text)'")
    }
    return codePoint
  }
}

extension UInt32 {
  /// Parses `U+2192`; nil for anything else and above U+10FFFF.
  init?(codePoint text: String) {
    let digits = text.dropFirst(2)
    guard text.hasPrefix("U+"), !digits.hasPrefix("+"), let number = UInt32(digits, radix: 16),
      number <= 0x10_FFFF
    else { return nil }
    self = number
  }
}
