private import Text

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
    } else if let number, 1...100_000 ~= number, Self.sizes.contains(word) || word.hasSuffix("limit") {
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
