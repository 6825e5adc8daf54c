package import HTTPValues
private import Text

/// The request of a source, guessed from one URL: which parameter is the search text, which is the page size,
/// and which are the position in the list.
package struct RequestGuess: Sendable, Hashable {
  package struct Parameter: Sendable, Hashable {
    package let name: String
    /// As a template: `{query}`, or the text with its braces doubled.
    package let template: String
  }

  /// A parameter for the position in the list; it is not part of the source.
  struct Place<Value: Sendable & Hashable>: Sendable, Hashable {
    let name: String
    let value: Value
  }

  /// The URL with the parameters that a table cannot represent: repeated ones, and those without a value.
  package let url: String
  package let parameters: [Parameter]
  /// Headers that the user gave.
  package var headers: [HeaderGuess] = []
  /// The search text in the URL; nil if no parameter is a search text.
  package let searchText: String?
  let pageSize: Place<Int>?
  let page: Place<Int>?
  let offset: Place<Int>?
  let cursor: Place<String>?

  /// Whether the address is that of a certain page, not of the first one.
  package var hasPosition: Bool { page != nil || offset != nil || cursor != nil }

  /// - Throws: If the URL contains a credential.
  package init(_ address: WebURL) throws(DetectionFailure) {
    let items = address.queryItems.map {
      Item(name: $0.name, value: $0.value, role: ParameterRole(name: $0.name, value: $0.value ?? ""))
    }
    let secrets = Self.credentials(in: address)
    guard secrets.isEmpty, !address.hasUserinfo else {
      throw .credential(parameters: secrets, hasUserinfo: address.hasUserinfo)
    }
    let search = items.filter { $0.searchRank != nil }.min { $0.searchRank ?? 0 < $1.searchRank ?? 0 }
    searchText = search.map { $0.value ?? "" }
    pageSize = items.firstPlace { if case .pageSize(let size) = $0.role { size } else { nil } }
    page = items.firstPlace { if case .page(let number) = $0.role { number } else { nil } }
    offset = items.firstPlace { if case .offset(let number) = $0.role { number } else { nil } }
    cursor = items.firstPlace { $0.role == .cursor ? $0.value ?? "" : nil }
    (url, parameters) = Self.split(address, items, searchName: search?.name)
  }

  /// The names of the parameters that contain credentials.
  static func credentials(in address: WebURL) -> [String] {
    address.queryItems.filter { ParameterRole(name: $0.name, value: $0.value ?? "") == .credential }
      .map(\.name)
  }

  fileprivate struct Item {
    let name: String
    let value: String?
    let role: ParameterRole

    var searchRank: Int? { if case .search(let rank) = role { rank } else { nil } }

    /// Whether the source sets the parameter itself for each page.
    var isPlaced: Bool {
      switch role {
      case .pageSize, .page, .offset, .cursor: true
      case .search, .credential, .literal: false
      }
    }
  }

  /// The parameters that a table can represent, and the URL without them.
  private static func split(
    _ address: WebURL, _ items: [Item], searchName: String?
  ) -> (url: String, parameters: [Parameter]) {
    var url = address
    var parameters: [Parameter] = []
    for item in items where !parameters.contains(where: { $0.name == item.name }) {
      let isSingle = items.count { $0.name == item.name } == 1
      if item.isPlaced {
        url.removeQueryItems(named: item.name)
      } else if item.name == searchName {
        url.removeQueryItems(named: item.name)
        parameters.append(Parameter(name: item.name, template: "{query}"))
      } else if let value = item.value, isSingle, !item.name.isEmpty {
        url.removeQueryItems(named: item.name)
        parameters.append(Parameter(name: item.name, template: value.withDoubledBraces))
      }
    }
    return (url.description.withDoubledBraces, parameters)
  }
}

extension [RequestGuess.Item] {
  fileprivate func firstPlace<Value>(_ value: (Element) -> Value?) -> RequestGuess.Place<Value>? {
    compactMap { item in value(item).map { RequestGuess.Place(name: item.name, value: $0) } }.first
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
  /// Never written to a file.
  case credential
  /// A fixed parameter of the request.
  case literal

  init(name: String, value: String) {
    let word = Self.word(name)
    let number = value.utf8.count <= 9 ? Int(value).flatMap { $0 >= 0 ? $0 : nil } : nil
    if Self.cursors.contains(word), Timestamp(iso8601: value) == nil {
      self = .cursor
    } else if Self.isCredential(word) {
      self = .credential
    } else if let number, Self.pages.contains(word) {
      self = .page(number)
    } else if let number, Self.offsets.contains(word) || word.hasSuffix("offset") {
      self = .offset(number)
    } else if let number, 1...100_000 ~= number, Self.isPageSize(word) {
      self = .pageSize(number)
    } else if let rank = Self.searches.firstIndex(of: word) {
      self = .search(rank: rank)
    } else {
      self = .literal
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
    sizes.contains(word) || ["limit", "pagesize", "perpage"].contains { word.hasSuffix($0) }
      || (word.hasPrefix("max") && ["result", "record", "item", "row"].contains { word.contains($0) })
  }

  private static func isCredential(_ word: String) -> Bool {
    credentials.contains(word) || credentialEndings.contains { word.hasSuffix($0) }
  }

  private static let searches = [
    "q", "query", "search", "s", "term", "terms", "text", "keyword", "keywords", "searchterm", "searchterms",
    "searchtext", "searchquery", "querystring", "srsearch", "gsrsearch", "filtersearch", "phrase", "words",
    "find", "lookup", "wd", "w",
  ]
  private static let sizes: Set = [
    "perpage", "pagesize", "limit", "size", "rows", "count", "n", "num", "take", "top", "maxresults",
    "maxrecords", "hitsperpage", "itemsperpage", "resultsperpage", "numresults", "psize", "pagecount",
    "numrecords", "results", "per",
  ]
  private static let pages: Set = [
    "page", "p", "pg", "paged", "pageno", "pagenum", "pagenumber", "pageindex", "currentpage",
  ]
  private static let offsets: Set = ["offset", "start", "skip", "from", "startindex", "startat", "begin"]
  private static let cursors: Set = [
    "cursor", "after", "pagetoken", "nexttoken", "nextpagetoken", "continue", "continuation",
    "continuationtoken", "startingafter", "pageafter", "pagecursor", "nextcursor", "marker", "searchafter",
    "next", "scrollid",
  ]
  private static let credentials: Set = [
    "key", "auth", "authorization", "appid", "sig", "signature", "pass", "pwd", "passwd", "jwt", "session",
    "sessionid", "credential", "credentials",
  ]
  private static let credentialEndings = [
    "apikey", "appkey", "accesskey", "authkey", "subscriptionkey", "token", "secret", "password",
  ]
}
