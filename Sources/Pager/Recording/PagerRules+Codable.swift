package import Search
private import Terminal
private import Text

/// Encodes everything except the theme, because colors are the viewer's. The time zone is reduced to its
/// offset at the start of 1970; a recording that starts at another time fixes the offset first (see
/// `PagerInitialState`).
extension PagerRules: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("title", title)
      $0.member("purpose", purpose)
      $0.member("input", input)
      $0.member("options", options)
      $0.member("reachable_rows", reachableRows)
      $0.member("prefetch", prefetch)
      $0.member("pages_per_key", pagesPerKey)
      $0.member("utc_offset", zone.offset(at: 0))
      $0.member("keys", keyMap.everyBinding)
      $0.member("row_actions", keyMap.rowActions)
      $0.member("glyphs", glyphs)
      $0.member("accessible", isAccessible)
      $0.member("wrapped", isWrapped)
      $0.member("mouse", isMouseOn)
      $0.member("leads_back", leadsBack)
      $0.member("asks_for_detail", requestsDetail)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    let options: [SourceOption] = try json.member("options")
    let offset: Int = try json.member("utc_offset")
    guard (-86_400...86_400).contains(offset) else { throw JSONCodingError("\(offset) is not a UTC offset") }
    self.init(
      title: try json.member("title"), purpose: try json.member("purpose"), input: try json.member("input"),
      options: options, reachableRows: try json.size("reachable_rows"), prefetch: try json.amount("prefetch"),
      pagesPerKey: try json.amount("pages_per_key"), zone: LocalZone(offset: offset),
      keyMap: try KeyMap(
        bindings: try json.member("keys"), options: options, rowActions: try json.member("row_actions")),
      glyphs: try json.member("glyphs"), isAccessible: try json.member("accessible"),
      isWrapped: try json.member("wrapped"), isMouseOn: try json.member("mouse"))
    leadsBack = try json.member("leads_back")
    requestsDetail = try json.member("asks_for_detail") ?? false
  }
}

extension PagerRules.Purpose: JSONCodable {}

extension Glyphs: JSONCodable {
  private static let sets: [(Glyphs, String)] = [(.unicode, "unicode"), (.ascii, "ascii"), (.words, "words")]

  package func write(to json: inout JSONWriter) {
    json.text(Self.sets.first { $0.0 == self }?.1 ?? "unicode")
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    guard let found = Self.sets.first(where: { $0.1 == json.string }) else {
      throw JSONCodingError(json, isNot: "a set of symbols")
    }
    self = found.0
  }
}

/// Encodes only what a pager uses.
extension SearchInput: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("min_length", minLength)
      $0.member("max_length", maxLength)
      $0.member("debounce", debounce)
      $0.member("live", isLive)
      $0.member("filter", filter)
      $0.member("placeholder", placeholder)
      $0.member("examples", examples)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self.init(
      minLength: try json.size("min_length"), maxLength: try json.size("max_length"),
      debounce: try json.member("debounce"), isLive: try json.member("live"),
      filter: try json.member("filter"), placeholder: try json.member("placeholder"),
      examples: try json.member("examples"))
  }
}

extension SearchInput.Filter: JSONCodable {}

/// Encodes only what a pager uses.
extension SourceOption: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("name", name)
      $0.member("title", title)
      $0.member("values", values)
      $0.member("default", defaultValue)
      $0.member("key", key.map { String($0) })
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    let key: String? = try json.member("key")
    self.init(
      name: try json.member("name"), title: try json.member("title"), values: try json.member("values"),
      defaultValue: try json.member("default"), key: key?.first)
  }
}
