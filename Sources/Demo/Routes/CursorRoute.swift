extension Route {
  /// Pages joined by an opaque token in the body, without a total.
  static let charactersByCursor = Route(
    "/characters/cursor",
    "pages by token: q, limit (30, at most 100), cursor (next_cursor of the page before)"
  ) { request throws(Refusal) in
    let size = try CharacterSearch.size("limit", of: request)
    let search = try CharacterSearch(request)
    let start = try Cursor.start(request, count: search.rows.count)
    let end = start + size
    return Reply(json: [
      "items": search.items(from: start, size: size),
      "next_cursor": end < search.rows.count ? .string(Cursor.token(end, request)) : .null,
    ])
  }
}

/// The token for a place in the rows of one query: the place and a check that binds it to the query.
enum Cursor {
  static func token(_ start: Int, _ request: Request) -> String {
    String(start, radix: 36) + "-" + String(check(of: start, request), radix: 36)
  }

  /// The place a request's cursor stands for, 0 without one.
  static func start(_ request: Request, count: Int) throws(Refusal) -> Int {
    guard let text = request.query["cursor"], !text.isEmpty else { return 0 }
    let digits = text.prefix { $0 != "-" }
    guard let start = Int(digits, radix: 36), (0..<count).contains(start), token(start, request) == text
    else {
      throw Refusal(400, "the cursor '\(text)' is not one of this query")
    }
    return start
  }

  /// FNV-1a over the place and the query's text.
  private static func check(of start: Int, _ request: Request) -> UInt32 {
    "\(start) \(request.query["q"] ?? "")".utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }
}
