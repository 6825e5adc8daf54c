import Search

/// Warns if the query is inserted without a filter between quotes of the service's query language, where a
/// quote in the query would end the text.
enum QuotedQuery {
  static func notes(on source: Source) -> [String] {
    let endpoint = source.endpoint
    var places = [("[request] url", endpoint.url)]
    places += fields(endpoint.parameters, "[request.params]") + fields(endpoint.headers, "[request.headers]")
    places += endpoint.body.map { texts(in: $0, "[request] body") } ?? []
    for addition in endpoint.additions {
      let table = "[request.when.\(addition.name)"
      places +=
        fields(addition.parameters, "\(table).params]") + fields(addition.headers, "\(table).headers]")
      places += addition.body.map { texts(in: $0, "\(table)] body") } ?? []
    }
    return places.filter { $0.1.hasQuotedQuery }.map { place, _ in
      """
      source \(source.id): \(place): {query} is inside quotes, so a quote in the query would end the string. \
      Write {query|sql} (doubles ') or {query|json}
      """
    }
  }

  private static func fields(_ fields: [Endpoint.Field], _ table: String) -> [(String, Template)] {
    fields.map { ("\(table) \($0.name)", $0.value) }
  }

  private static func texts(in body: RequestBody, _ place: String) -> [(String, Template)] {
    switch body {
    case .token: []
    case .text(let template): [(place, template)]
    case .list(let elements): elements.flatMap { texts(in: $0, place) }
    case .table(let members): members.flatMap { texts(in: $0.value, "\(place).\($0.name)") }
    }
  }
}

extension Template {
  /// Whether `{query}` without a filter is between an opening and a closing `'` or `"`. O(length).
  fileprivate var hasQuotedQuery: Bool {
    "'\"".utf8.contains { quote in
      var isOpen = false
      var hasQueryInside = false
      for piece in pieces {
        switch piece {
        case .literal(let text):
          for byte in text.utf8 where byte == quote {
            if hasQueryInside { return true }
            isOpen.toggle()
          }
        case .placeholder(let placeholder):
          if isOpen, placeholder.name == "query", placeholder.filter == nil { hasQueryInside = true }
        }
      }
      return false
    }
  }
}
