import HTTPValues
package import Search
import Text

/// The request of a source, guessed from an example: which value is the search text, which is the page size, and which
/// are the position in the list.
package struct RequestGuess: Sendable, Hashable {
  /// A value for the page or the position in the list; it is not part of the source.
  struct Place<Value: Sendable & Hashable>: Sendable, Hashable {
    let slot: Slot
    let value: Value

    var name: String { slot.name }
  }

  let example: RequestExample
  /// The URL with the parameters that a table cannot represent: repeated ones, and those without a value.
  package let url: String
  /// The names with templates: `{query}`, or strings with doubled braces.
  package let parameters: [Named<String>]
  /// The values that are not written literally.
  let roles: [Slot: ParameterRole]
  /// The search text of the example, and the name of its parameter; nil if it has none.
  package let searchText: String?
  package let searchName: String?
  let pageSize: Place<Int>?
  let page: Place<Int>?
  let offset: Place<Int>?
  let cursor: Place<String>?

  /// Whether the example requests a specific page other than the first.
  package var hasPosition: Bool { page != nil || offset != nil || cursor?.value.isEmpty == false }

  /// Parameters with a fixed value that may be a position in the list.
  package var fixedPositions: [String] {
    parameters.filter { field in
      roles[.query(field.name)] == nil && !field.value.isEmpty
        && ParameterFamilies.positions.contains(ParameterRole.word(field.name))
        && field.value.wholeMatch(of: /[0-9]+[a-zA-Z]/) == nil
    }.map { "\($0.name)=\($0.value)" }
  }

  /// - Parameter isExact: Whether to guess nothing, so that the request equals the example.
  package init(_ example: RequestExample, isExact: Bool = false) {
    self.init(example, isExact: isExact, next: nil, in: nil)
  }

  /// - Parameters:
  ///   - next: The URL of the next page, if the response has it. A parameter that differs there is a position.
  ///   - response: Its response. A parameter with the length of a list there may be the page size, and one that is
  ///     repeated beside a total and the number of pages is the page.
  ///   - position: A parameter that is known to be a position.
  init(
    _ example: RequestExample, isExact: Bool = false, next: WebURL?, in response: MemberIndex?,
    position: String? = nil
  ) {
    self.example = example
    let lengths = response?.lengths ?? []
    var items = isExact ? [] : Item.all(of: example).map { $0.compared(with: next) }
    if !items.contains(where: { if case .pageSize = $0.role { true } else { false } }),
      let index = items.firstIndex(where: { $0.length.map(lengths.contains) ?? false }),
      let length = items[index].length
    {
      items[index].role = .pageSize(length)
    }
    if let response, let facts = response.pageFacts, !items.contains(where: \.isPosition),
      let index = items.firstIndex(where: { item in
        item.role == .literal && facts.others.contains { item.isRepeated(by: $0, in: response) }
      }), let page = Int(items[index].value)
    {
      items[index].role = .page(page)
    }
    if let position, let index = items.firstIndex(where: { $0.slot == .query(position) }) {
      items[index].role = .cursor
    }
    let search = items.filter { $0.searchRank != nil }.min { $0.searchRank ?? 0 < $1.searchRank ?? 0 }
    searchText = search?.value
    searchName = search?.slot.name
    pageSize = items.firstPlace { if case .pageSize(let size) = $0.role { size } else { nil } }
    page = items.firstPlace { if case .page(let number) = $0.role { number } else { nil } }
    offset = items.firstPlace { if case .offset(let number) = $0.role { number } else { nil } }
    cursor = items.firstPlace { $0.role == .cursor ? $0.value : nil }
    roles = items.filter { $0.isPlaced || $0.slot == search?.slot }
      .reduce(into: [:]) { if $0[$1.slot] == nil { $0[$1.slot] = $1.role } }
    (url, parameters) = Self.split(example, roles)
  }

  /// The request of the first page of a described list, without a position.
  init(of response: HTTPResponse, _ endpoint: DescribedEndpoint, _ example: RequestExample) {
    func place<Value>(_ role: EndpointParameter.Role, _ value: Value) -> Place<Value>? {
      endpoint.parameters.first { $0.role == role }.map { Place(slot: $0.slot, value: value) }
    }
    self.example = example
    (url, parameters, searchText) = (response.url.description.withDoubledBraces, [], nil)
    (roles, searchName) = ([:], endpoint.searchName)
    pageSize = endpoint.pageSize.map { Place(slot: $0.slot, value: $0.sizes().standard) }
    page = place(.page, endpoint.firstNumber(.page) ?? 1)
    offset = place(.offset, endpoint.firstNumber(.offset) ?? 0)
    cursor = place(.cursor, "")
  }

  fileprivate struct Item {
    let slot: Slot
    let value: String
    var role: ParameterRole

    init(_ slot: Slot, _ value: String, isVariable: Bool = false) {
      self.slot = slot
      self.value = value
      role =
        isVariable
        ? ParameterRole(graphQL: slot.name, value: value) : ParameterRole(name: slot.name, value: value)
    }

    /// The number of rows that it may ask for.
    var length: Int? {
      role == .literal && ParameterFamilies.isLikeSize(ParameterRole.word(slot.name)) ? Int(value) : nil
    }

    var isPosition: Bool {
      switch role {
      case .page, .offset, .cursor: true
      case .pageSize, .search, .credential, .literal: false
      }
    }

    /// Whether a field of the response has the same name and value.
    func isRepeated(by place: MemberIndex.Place, in response: MemberIndex) -> Bool {
      place.word == ParameterRole.word(slot.name) && response.count(place) != nil
        && response.count(place) == Int(value)
    }

    /// The parameter, as a position if the URL of the next page has another value for it.
    func compared(with next: WebURL?) -> Item {
      guard role == .literal, case .query(let name) = slot,
        let other = next?.queryItems.first(where: { $0.name == name }).map({ $0.value ?? "" }), other != value
      else { return self }
      // What the next page keeps is no position: `state:open,count:20` and `state:open,count:20,start:20`.
      let kept = Self.parts(of: other)
      if !value.isEmpty, Self.parts(of: value).allSatisfy({ kept.contains($0) || ["0", "1"].contains($0) }) {
        return self
      }
      var position = self
      position.role = .cursor
      return position
    }

    private static func parts(of value: String) -> [Substring] {
      value.split { !$0.isLetter && !$0.isNumber }
    }

    /// All values of a request. Texts with variables are confidential, and have no role.
    static func all(of example: RequestExample) -> [Item] {
      let isGraphQL = example.body?.graphQL != nil
      let leaves = (example.body?.leaves ?? []).filter { !isGraphQL || $0.path.first == "variables" }
      return example.address.queryItems.map { Item(.query($0.name), $0.value ?? "") }
        + leaves.compactMap { leaf in
          leaf.text.plain.map { Item(.body(leaf.path), $0, isVariable: isGraphQL) }
        }
    }

    var searchRank: Int? { if case .search(let rank) = role { rank } else { nil } }

    /// Whether the source sets the value itself for each page.
    var isPlaced: Bool {
      switch role {
      case .pageSize, .page, .offset, .cursor: true
      case .search, .credential, .literal: false
      }
    }
  }

  /// The parameters that a table can represent, and the URL without them.
  private static func split(
    _ example: RequestExample, _ roles: [Slot: ParameterRole]
  ) -> (url: String, parameters: [Named<String>]) {
    var url = example.address
    var parameters: [Named<String>] = []
    let items = example.address.queryItems
    for item in items where !parameters.contains(where: { $0.name == item.name }) {
      let isSingle = items.count { $0.name == item.name } == 1
      if let role = roles[.query(item.name)] {
        url.removeQueryItems(named: item.name)
        if case .search = role { parameters.append(Named(name: item.name, value: "{query}")) }
      } else if let value = item.value, isSingle, !item.name.isEmpty {
        url.removeQueryItems(named: item.name)
        parameters.append(Named(name: item.name, value: value.withDoubledBraces))
      }
    }
    return (url.description.withDoubledBraces, parameters)
  }
}

extension [RequestGuess.Item] {
  fileprivate func firstPlace<Value>(_ value: (Element) -> Value?) -> RequestGuess.Place<Value>? {
    compactMap { item in value(item).map { RequestGuess.Place(slot: item.slot, value: $0) } }.first
  }
}

extension RequestGuess {
  /// The slot for a parameter: where the example has it, or else next to its page size.
  func slot(for name: String) -> Slot {
    if name.hasPrefix("header:") { return .header(String(name.dropFirst("header:".count))) }
    let known = [pageSize?.slot, page?.slot, offset?.slot, cursor?.slot].compactMap(\.self).first {
      $0.name == name
    }
    if let known { return known }
    let table: [String]? =
      switch pageSize?.slot {
      case .body(let path)?: path.dropLast()
      case .query?, .header?, .placeholder?: nil
      case nil: example.body.map { $0.graphQL == nil ? [] : ["variables"] }
      }
    return table.map { .body($0 + [name]) } ?? .query(name)
  }

  /// The values of the positions that can only mean the first page.
  var firstPositions: [Slot: String] {
    var texts: [Slot: String] = [:]
    if let cursor, cursor.value == "*" { texts[cursor.slot] = cursor.value }
    for place in [page, offset].compactMap(\.self) where place.value == 0 { texts[place.slot] = "0" }
    return texts
  }

  /// The variable that the GraphQL document of the example sends as `after`.
  var cursorVariable: String? {
    let match = example.body?.graphQL?.document.text.firstMatch(of: /\bafter\s*:\s*\$([A-Za-z0-9_]+)/)
    return match.map { String($0.1) }
  }
}

extension Slot {
  /// The name of the parameter or field.
  var name: String {
    switch self {
    case .query(let name), .header(let name): name
    case .body(let path): path.last ?? ""
    case .placeholder: ""
    }
  }
}

extension String {
  var withDoubledBraces: String { replacing("{", with: "{{").replacing("}", with: "}}") }
}

/// The purpose of a query parameter, derived from its name and, if the name is not enough, from its value.
enum ParameterRole: Sendable, Hashable {
  /// The search text; a lower rank is more likely.
  case search(rank: Int)
  case pageSize(Int)
  case page(Int)
  case offset(Int)
  case cursor
  /// A credential, which is never written to a file.
  case credential
  /// A fixed parameter of the request.
  case literal

  init(name: String, value: String) {
    let word = Self.word(name)
    let number = value.utf8.count <= 9 ? Int(value).flatMap { $0 >= 0 ? $0 : nil } : nil
    if ParameterFamilies.cursors.contains(word) || ParameterFamilies.lastKeys.contains(word),
      Timestamp(iso8601: value) == nil
    {
      self = .cursor
    } else if Self.isCredential(word) {
      self = .credential
    } else if word == "offset", number == nil, !value.isEmpty {
      self = .cursor
    } else if let number, ParameterFamilies.pages.contains(word) {
      self = .page(number)
    } else if let number, ParameterFamilies.offsets.contains(word) || word.hasSuffix("offset") {
      self = .offset(number)
    } else if let number, 1...100_000 ~= number, Self.isPageSize(word) {
      self = .pageSize(number)
    } else if let rank = Self.searches.firstIndex(of: word) {
      self = .search(rank: rank)
    } else {
      self = .literal
    }
  }

  /// The purpose of a variable or an argument in GraphQL, where `first` is the size of a connection.
  init(graphQL name: String, value: String) {
    if Self.word(name) == "first", let size = Int(value), size > 0 {
      self = .pageSize(size)
    } else {
      self.init(name: name, value: value)
    }
  }

  /// `page[size]`, `page-size`, `pageSize`, and `$pagesize` are the same word.
  static func word(_ name: String) -> String {
    String(decoding: name.lowercased().utf8.filter { $0 >= 0x80 || isLetterOrDigit($0) }, as: UTF8.self)
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    PercentEncoding.isUnreserved(byte) && !"-._~".utf8.contains(byte)
  }

  private static func isPageSize(_ word: String) -> Bool {
    ParameterFamilies.sizes.contains(word)
      || ["limit", "pagesize", "perpage"].contains { word.hasSuffix($0) }
      || (word.hasPrefix("max") && ["result", "record", "item", "row"].contains { word.contains($0) })
  }

  private static func isCredential(_ word: String) -> Bool {
    credentials.contains(word) || SecretName.isLikely(parameter: word)
  }

  private static let searches = [
    "q", "query", "search", "s", "term", "terms", "text", "keyword", "keywords", "searchterm", "searchterms",
    "searchtext", "searchquery", "querystring", "srsearch", "gsrsearch", "filtersearch", "phrase", "words",
    "find", "lookup", "wd", "w",
  ]
  /// Names of credentials in addition to those that no source may contain.
  private static let credentials: Set = [
    "appid", "sig", "signature", "jwt", "session", "sessionid",
  ]
}
