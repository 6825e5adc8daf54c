/// Signs that are values to send back.
extension PaginationSignal {
  /// `pageInfo: {hasNextPage, endCursor}` (Relay).
  static let pageInfo = PaginationSignal { context in
    let document = context.body.document
    for place in context.body.places where place.kind == .object {
      for (more, cursor) in [("hasNextPage", "endCursor"), ("has_next_page", "end_cursor")] {
        guard document.member(of: place.node, named: JSONKey(more)) != nil,
          document.member(of: place.node, named: JSONKey(cursor)) != nil
        else { continue }
        let paths = [cursor, more].map { JSONPath(steps: place.path.steps + [.member(JSONKey($0))]) }
        return [
          PaginationGuess(
            .cursor, parameter: context.request.cursor?.name ?? "after", next: "\(paths[0])",
            more: "\(paths[1])",
            0.95, "\(place.path) has \(more) and \(cursor)")
        ]
      }
    }
    return []
  }

  /// `continue: {…}`, all members of which go into the next request (MediaWiki).
  static let continueObject = PaginationSignal { context in
    guard let place = context.place(["continue"], where: { $0.kind == .object && $0.depth == 1 }) else {
      return []
    }
    return [
      PaginationGuess(
        .merge, next: "\(place.path)", 0.95, "\(place.path) holds the parameters of the next request")
    ]
  }

  /// A token under a common name, sent back in the matching parameter.
  static let token = PaginationSignal { context in
    for (word, parameters) in tokens {
      let place = context.place([word]) { place in
        guard [.string, .number].contains(place.kind), let text = context.text(place) else { return false }
        return !text.isEmpty && !isAddress(text)
      }
      guard let place, !place.isPageNumber(in: context) else { continue }
      return guesses(place, parameters, context)
    }
    return []
  }

  /// A token in a separate header.
  static let tokenHeader = PaginationSignal { context in
    for (field, parameter) in [
      ("X-Next-Cursor", "cursor"), ("X-Next-Page-Token", "page_token"), ("X-Next-Token", "next_token"),
      ("X-Continuation-Token", "continuation"),
    ] where context.headers.first(field)?.isEmpty == false {
      let name = context.request.cursor?.name ?? parameter
      return [
        PaginationGuess(
          .cursor, parameter: name, next: "header:\(field.lowercased())", 0.7,
          "the \(field) header is a token, sent back as \(name)")
      ]
    }
    return []
  }

  private static func guesses(
    _ place: MemberIndex.Place, _ parameters: [String], _ context: DetectionContext
  ) -> [PaginationGuess] {
    let requested = context.request.cursor
    let names = parameters.map { $0 == sameName ? place.name : $0 }.filter { $0 != requested?.name }
    return ([requested?.name].compactMap { $0 } + names).enumerated().map { offset, name in
      let isAsked = offset == 0 && requested != nil
      return PaginationGuess(
        .cursor, parameter: name, first: requested?.value == "*" ? .text("*") : nil, next: "\(place.path)",
        isAsked ? 0.85 : max(0.4, 0.7 - 0.05 * Double(offset)),
        "\(place.path) is a token, \(isAsked ? "which the address sends as" : "sent back as") \(name)")
    }
  }

  /// A placeholder for the token's own name.
  private static let sameName = ""

  /// The names of tokens, most certain first, and the parameters they are sent back in.
  private static let tokens: [(word: String, parameters: [String])] = [
    ("nextpagetoken", ["pageToken", sameName, "page_token"]),
    ("nextcursor", ["cursor", sameName, "after"]),
    ("nexttoken", [sameName, "token"]),
    ("nextmarker", ["marker", sameName]),
    ("continuationtoken", [sameName]),
    ("nextcontinuationtoken", ["continuation-token", "continuationToken"]),
    ("continuation", [sameName]),
    ("continue", [sameName]),
    ("endcursor", ["after", "cursor"]),
    ("after", [sameName]),
    ("nextoffset", ["offset"]),
    ("next", ["_next", sameName, "cursor"]),
    ("cursor", [sameName]),
  ]
}

extension MemberIndex.Place {
  /// Whether the value is the number of the next page and not a token.
  func isPageNumber(in context: DetectionContext) -> Bool {
    guard ["next", "nextpage"].contains(word), kind == .number, let number = context.body.count(self) else {
      return false
    }
    return number == (context.request.page?.value ?? 1) + 1 || number == 1
  }
}
