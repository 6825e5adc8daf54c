/// The parameters that services use for the position in a list and the size of a page, as words (`ParameterRole.word`)
/// by their purpose, and as names in the order in which they are tried. A response does not contain their names, but
/// the name of the page size often belongs to the same family: `page[size]` and `page[number]`.
enum ParameterFamilies {
  typealias Way = (style: PaginationGuess.Style, name: String)

  static let sizes: Set = [
    "perpage", "pagesize", "limit", "size", "rows", "count", "n", "num", "take", "top", "maxresults",
    "maxrecords",
    "hitsperpage", "itemsperpage", "resultsperpage", "recordsperpage", "numresults", "numrecords",
    "numperpage",
    "psize", "pagecount", "pagelimit", "pagelength", "maxpagesize", "maxitems", "resultcount", "batchsize",
    "results", "per",
  ]
  static let pages: Set = [
    "page", "p", "pg", "paged", "pageno", "pagenum", "pagenumber", "pageindex", "currentpage", "pagepage",
  ]
  static let offsets: Set = [
    "offset", "start", "skip", "from", "startindex", "startat", "begin", "startrow", "firstresult",
    "pageoffset",
  ]
  static let cursors: Set = [
    "cursor", "after", "pagetoken", "nexttoken", "nextpagetoken", "continue", "continuation",
    "continuationtoken",
    "pageafter", "pagecursor", "nextcursor", "startcursor", "marker", "next", "scrollid", "bookmark",
    "skiptoken",
    "paginationtoken", "pagingtoken", "nextpageid", "pageinfo", "pagekey", "startkey",
  ]
  /// Parameters for the key of the last row.
  static let lastKeys: Set = [
    "startingafter", "startafter", "searchafter", "lastid", "lastkey", "afterid", "idafter", "sinceid",
    "exclusivestartkey",
  ]

  /// Names of positions that may be something else, judging by their value.
  static let positions = cursors.union(lastKeys).union([
    "last", "before", "endingbefore", "beforeid", "offset", "page", "position",
  ])

  /// Names of sizes and cursors that count only for parameters of a described list, because elsewhere they usually mean
  /// something else.
  static let describedSizes: Set = ["first", "max"]
  static let describedCursors: Set = ["token", "position", "pageid"]

  /// Members of responses with a token for the next page.
  static let tokenWords = Set(tokens.map(\.word)).union([
    "cursor", "cursornext", "continuation", "scrollid", "bookmark", "paginationtoken", "pagingtoken",
    "marker",
    "lastevaluatedkey",
  ]).subtracting(["next", "nextoffset"])

  /// Those that are objects, which only a body can send back.
  static let objectTokens: Set = ["lastevaluatedkey"]

  /// - Parameters:
  ///   - size: The parameter for the page size in the URL, if any.
  ///   - name: A name of the response, which shows how the service spells names.
  static func ways(beside size: String?, spelledAs name: String) -> [Way] {
    let size = size ?? ""
    let word = ParameterRole.word(size)
    let own = bySize.first { word == $0.size }?.ways ?? bySize.first { word.hasSuffix($0.size) }?.ways ?? []
    let family = relatives(of: size)
    let spelled = (own + common.prefix(4)).map {
      Way($0.style, spelling($0.name, as: size.isEmpty ? name : size))
    }
    return unique(family + spelled + own + common).prefix(maxWays).map { $0 }
  }

  /// Names for a token that a response has as `name`, in a field called `parent`.
  static func tokenParameters(for name: String, in parent: String) -> [String] {
    let word = ParameterRole.word(name)
    let own = tokens.first { $0.word == word }?.parameters ?? []
    let names =
      own.map { $0.isEmpty ? name : $0 } + [withoutNext(name), name].compactMap(\.self) + commonTokens
    var known: Set<String> = []
    return names.filter { !$0.isEmpty && known.insert($0).inserted }.prefix(maxTokenParameters).map { $0 }
  }

  /// Names for the key of the last row.
  static func keyParameters(beside size: String?) -> [String] {
    let bracketed = size.flatMap { $0.hasSuffix("]") ? $0.prefix { $0 != "[" } : nil }.map { "\($0)[after]" }
    return [bracketed].compactMap(\.self) + keys
  }

  /// The maximum number of paginations to try.
  private static let maxWays = 30
  private static let maxTokenParameters = 10

  private static let bySize: [(size: String, ways: [Way])] = [
    ("perpage", [(.page, "page")]),
    (
      "limit",
      [(.offset, "offset"), (.page, "page"), (.offset, "skip"), (.offset, "start"), (.offset, "from")]
    ),
    ("pagesize", [(.page, "page"), (.page, "pageNumber"), (.page, "page_number"), (.page, "pageNo")]),
    ("size", [(.page, "page"), (.offset, "from"), (.offset, "offset")]),
    ("rows", [(.offset, "start"), (.page, "page")]),
    ("top", [(.offset, "skip")]),
    ("take", [(.offset, "skip"), (.page, "page")]),
    ("num", [(.offset, "start"), (.page, "page")]),
    ("n", [(.page, "p"), (.page, "page"), (.offset, "start")]),
    ("numrecords", [(.offset, "startIndex"), (.offset, "start")]),
    ("maxresults", [(.offset, "startAt"), (.offset, "startIndex"), (.page, "page"), (.offset, "start")]),
    ("itemsperpage", [(.page, "page_index"), (.page, "page")]),
    ("results", [(.page, "page")]),
    ("count", [(.offset, "offset"), (.page, "page"), (.offset, "startIndex"), (.offset, "start")]),
  ]

  /// The parameters that are tried with any page size.
  private static let common: [Way] = [
    (.page, "page"), (.offset, "offset"), (.offset, "skip"), (.offset, "start"), (.page, "page[number]"),
    (.page, "pageNumber"), (.page, "page_number"), (.offset, "from"), (.page, "p"), (.page, "pageNo"),
    (.offset, "startIndex"), (.offset, "$skip"), (.offset, "startAt"), (.page, "page_index"),
    (.offset, "_start"), (.offset, "page[offset]"), (.page, "current_page"), (.page, "pagenum"),
    (.page, "pg"), (.page, "page_no"), (.page, "currentPage"), (.offset, "first"), (.offset, "fromindex"),
    (.page, "Page"),
    (.page, "pageIndex"),
  ]

  /// The parameters of the tokens of well-known conventions; "" is the token's own name.
  private static let tokens: [(word: String, parameters: [String])] = [
    ("nextpagetoken", ["pageToken", "", "page_token"]),
    ("nextcursor", ["cursor", "", "after", "page_token", "start_cursor"]),
    ("nexttoken", ["", "token"]), ("nextmarker", ["marker", ""]),
    ("continuationtoken", ["", "continuationToken"]),
    ("nextcontinuationtoken", ["continuation-token", "continuationToken"]),
    ("endcursor", ["after", "cursor"]),
    ("nextoffset", ["offset"]), ("nextpagestart", ["start"]),
    ("nextpage", ["page", "", "current_page"]),
    ("next", ["_next", "", "cursor"]), ("skiptoken", ["$skiptoken", ""]),
    ("lastevaluatedkey", ["ExclusiveStartKey"]), ("nextcursormark", ["cursorMark"]),
    ("pagetoken", ["", "pagetoken", "pageToken"]),
  ]

  private static let commonTokens = [
    "cursor", "page_token", "pageToken", "after", "next_token", "nextToken", "starting_after", "token",
    "page",
    "offset", "start", "marker", "continuation", "next", "scroll_id", "$skiptoken",
  ]

  private static let keys = [
    "starting_after", "startingAfter", "after", "start-after", "after_id", "since_id", "before_id", "last_id",
    "max_id", "before", "cursor",
  ]

  /// `page[number]` for `page[size]`, `page_number` for `page_size`.
  private static func relatives(of size: String) -> [Way] {
    let pairs: [(String, PaginationGuess.Style, String)] = [
      ("[size]", .page, "[number]"), ("[limit]", .offset, "[offset]"), ("[limit]", .page, "[number]"),
      ("_size", .page, "_number"), ("Size", .page, "Number"), ("-size", .page, "-number"),
    ]
    return pairs.filter { size.hasSuffix($0.0) && size.count > $0.0.count }.map {
      ($0.1, size.dropLast($0.0.count) + $0.2)
    }
  }

  /// A name in the spelling of another: `$skip` for `$top`, `Offset` for `Limit`.
  private static func spelling(_ name: String, as other: String) -> String {
    guard let first = other.unicodeScalars.first else { return name }
    if first == "_" || first == "$" { return "\(first)\(name)" }
    let word = other.prefix { $0 != "." }
    if word.count > 1, word.allSatisfy(\.isUppercase) { return name.uppercased() }
    return first.properties.isUppercase ? name.prefix(1).uppercased() + name.dropFirst() : name
  }

  /// `marker` for `next_marker`, `cursorMark` for `nextCursorMark`.
  private static func withoutNext(_ name: String) -> String? {
    guard name.lowercased().hasPrefix("next"), name.count > 4 else { return nil }
    let rest = name.dropFirst(4).drop { "_-. ".contains($0) }
    return rest.prefix(1).lowercased() + rest.dropFirst()
  }

  private static func unique(_ ways: [Way]) -> [Way] {
    var known: Set<String> = []
    return ways.filter { known.insert("\($0.style) \($0.name)").inserted }
  }
}
