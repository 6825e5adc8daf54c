import Algorithms

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
  /// Whether a name may be that of a page size, if its value is the number of rows.
  static func isLikeSize(_ word: String) -> Bool {
    word.count <= 2 || sizeParts.contains { word.contains($0) }
  }

  private static let sizeParts = [
    "size", "count", "limit", "max", "num", "row", "top", "take", "page", "first", "result", "length",
    "record",
    "entr", "item", "amount", "batch", "show",
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
  ///   - usesUnderscores: Whether words are joined with underscores there.
  static func ways(beside size: String?, spelledAs name: String, usesUnderscores: Bool = false) -> [Way] {
    let size = size ?? ""
    let word = ParameterRole.word(size)
    let named = bySize.first { word == $0.size }?.ways ?? bySize.first { word.hasSuffix($0.size) }?.ways ?? []
    let own = named + (size.count == 1 ? letters : [])
    let frame = Frame(ofSize: size)
    let framed = frame.map { frame in frame.positions.map { Way($0.style, frame.name($0.name)) } } ?? []
    let family = relatives(of: size) + framed
    let spelled = (own + common.prefix(4)).map {
      Way($0.style, spelling($0.name, as: size.isEmpty ? name : size))
    }
    let joined = joinedWays(spelledAs: size.isEmpty && usesUnderscores ? "_" : size)
      .map { Way($0.style, size.isEmpty ? $0.name : spelling($0.name, as: size)) }
    return unique(family + spelled + own + common).prefix(maxWays) + unique(joined + rare)
  }

  /// Names for a token that a response has as `name`, in a field called `parent`.
  static func tokenParameters(
    for name: String, in parent: String, beside size: String? = nil, isTime: Bool = false
  ) -> [String] {
    let word = ParameterRole.word(name)
    let own = tokens.first { $0.word == word }?.parameters ?? []
    let framed = Frame(ofSize: size ?? "").map { frame in
      ([withoutNext(name), name].compactMap(\.self) + ["cursor", "after", "token", "next"]).map(frame.name)
    }
    let plain = withoutNext(name)
    let spelled = size.map { size in
      [plain, name].compactMap { $0.map { spelling($0, as: size) } }.filter { $0 != plain && $0 != name }
    }
    let joined = own.isEmpty ? plain.map { plain in joins.map { join($0, plain, as: name) } } ?? [] : []
    let beside = containers.contains(ParameterRole.word(parent)) ? [] : nested(plain ?? name, in: parent)
    let names =
      own.map { $0.isEmpty ? name : $0 } + (framed ?? []) + (spelled ?? [])
      + [plain, name].compactMap(\.self) + lastWord(of: name) + beside + joined
      + (isTime ? times : []) + commonTokens + [plain, name].compactMap { $0.map(words) }.flatMap(spellings)
      + ["cursor", "token"].flatMap { kind in plain.map { spellings(words(of: $0) + [kind]) } ?? [] }
      + rareTokens
    return Array(names.filter { !$0.isEmpty }.uniqued().prefix(maxTokenParameters))
  }

  /// `offset` for `next_page_offset`, if it has more words.
  static func lastWord(of name: String) -> [String] { words(of: name).dropFirst().suffix(1) }

  /// Names of a field in a table: `page_after`, `pageAfter`, `page-after`, `page[after]` and `page.after`.
  private static func nested(_ name: String, in table: String) -> [String] {
    spellings(words(of: table) + words(of: name)) + ["\(table)[\(name)]", "\(table).\(name)"]
  }

  /// Tables whose names are no part of a parameter.
  private static let containers: Set = [
    "", "meta", "metadata", "data", "result", "results", "response", "links", "info", "paging", "cursors",
    "next", "responsemetadata", "summary",
  ]

  /// Names for the key of the last row.
  ///
  /// - Parameter key: The name of the field with the key, which may be part of them: `after_seq`, `seq_after`.
  static func keyParameters(beside size: String?, of key: String?) -> [String] {
    let bracketed = size.flatMap { $0.hasSuffix("]") ? $0.prefix { $0 != "[" } : nil }.map { "\($0)[after]" }
    let joined =
      (key ?? "").isEmpty
      ? [] : keyPositions.flatMap { spellings([$0] + words(of: key ?? "")).prefix(2) }
    return Array(([bracketed].compactMap(\.self) + keys + joined).uniqued())
  }

  /// What precedes the name of a key in a parameter for it.
  private static let keyPositions = ["after", "until", "since", "last", "from", "before"]

  /// Words joined in each of the ways in which services write names: `page_token`, `pageToken`, `page-token`.
  private static func spellings(_ words: [String]) -> [String] {
    let camel = words.prefix(1) + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
    return [words.joined(separator: "_"), camel.joined(), words.joined(separator: "-")]
  }

  /// `["max", "result", "count"]` for `MaxResultCount` and for `max_result_count`.
  static func words(of name: String) -> [String] {
    name.split { !$0.isLetter && !$0.isNumber }.flatMap { part in
      part.reduce(into: [""]) { words, letter in
        if letter.isUppercase, words[words.count - 1].last?.isLowercase ?? false { words.append("") }
        words[words.count - 1] += letter.lowercased()
      }
    }
  }

  /// The maximum number of paginations to try.
  private static let maxWays = 30
  private static let maxTokenParameters = 60

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

  /// The parameters that are tried beside a page size of one letter.
  private static let letters: [Way] = [
    (.offset, "f"), (.offset, "o"), (.offset, "s"), (.offset, "S"), (.offset, "b"), (.page, "p"),
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

  /// Parameters of a single framework or product each.
  private static let rare: [Way] = [
    (.offset, "limit_start"), (.offset, "limitstart"), (.offset, "sysparm_offset"), (.offset, "b_start"),
    (.offset, "iDisplayStart"), (.offset, "jtStartIndex"), (.offset, "resultOffset"), (.offset, "row_offset"),
    (.offset, "start-index"), (.offset, "skipCount"), (.offset, "pageStart"), (.offset, "offset_rows"),
    (.page, "page-number"), (.page, "pageid"), (.page, "pagina"), (.page, "seite"), (.page, "PageNumber"),
    (.page, "PageIndex"), (.page, "page_nr"), (.page, "currPage"), (.page, "pageCurrent"), (.offset, "Skip"),
    (.offset, "Offset"), (.offset, "index"), (.page, "index"), (.offset, "begin"), (.offset, "ofs"),
    (.offset, "off"), (.offset, "pos"), (.offset, "position"),
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

  /// What precedes the name of a place to begin at: `startFileName` for `nextFileName`.
  private static let joins = ["start", "first", "from", "after"]

  private static func join(_ first: String, _ other: String, as name: String) -> String {
    name.contains("_") ? "\(first)_\(other)" : first + other.prefix(1).uppercased() + other.dropFirst()
  }

  /// Names of a word for a position and a word for rows, which may come from the name of the page size: `startRow`,
  /// `first_result`, `SkipCount` for `MaxResultCount`.
  private static func joinedWays(spelledAs size: String) -> [Way] {
    let pages = ["no", "nr", "num", "number", "index", "id"].map { Way(.page, "page_\($0)") }
    let counted = ["row", "index", "record", "result", "item", "at", "position", "number", "num", "entry"]
    let own = words(of: size).dropFirst().filter { !counted.contains($0) }
    let rows = ["start", "first", "from", "offset", "skip", "begin"].flatMap { first in
      (own + counted).map { Way(.offset, "\(first)_\($0)") }
    }
    if size.contains("_") || size.contains("-") { return pages + rows }
    return (pages + rows).map { way in
      let words = way.name.split(separator: "_")
      return Way(way.style, words[0] + words[1].prefix(1).uppercased() + words[1].dropFirst())
    }
  }

  /// Parameters that few services use for a token.
  private static let rareTokens = [
    "from", "continuation_token", "pagination_token", "position", "last_id", "last", "bookmark",
    "next_page_id",
    "pagingToken", "page_id", "startKey", "start_key", "since", "before", "until", "max_id", "key", "id",
  ]

  /// Parameters for a token that is a time.
  private static let times = ["until", "before", "since", "to", "end", "max_time", "end_time"]

  private static let keys = [
    "starting_after", "startingAfter", "after", "start-after", "after_id", "since_id", "before_id", "last_id",
    "max_id", "before", "cursor", "since", "startkey", "last", "min_id", "last_key", "lastKey", "after_key",
    "marker", "from_key",
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
    if "_$@".unicodeScalars.contains(first) { return "\(first)\(name)" }
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
    ways.uniqued { "\($0.style) \($0.name)" }
  }

  /// What the name of a page size and those of positions share: `pagination[…]` for `pagination[pageSize]`, `ws.…` for
  /// `ws.size`, `result…` for `resultRecordCount`, `ret…` for `retmax`.
  struct Frame: Sendable {
    let prefix: String
    /// The name of the page size in it.
    let stem: String
    let suffix: String

    /// Nil if the name has no part beside the one that means a size.
    init?(ofSize size: String) {
      suffix = size.hasSuffix("]") ? "]" : ""
      let name = size.dropLast(suffix.count)
      let start: String.Index? =
        if let separator = name.lastIndex(where: { "[.:".contains($0) }) {
          name.index(after: separator)
        } else if name.count(where: { $0 == "-" }) > 1, let last = name.lastIndex(of: "-") {
          name.index(after: last)
        } else if let hump = name.firstIndex(where: { $0.isUppercase || $0 == "_" || $0 == "-" }),
          hump > name.startIndex
        {
          name[hump].isUppercase ? hump : name.index(after: hump)
        } else {
          ["max", "limit", "count", "size", "num", "rows"].first {
            name.hasSuffix($0) && name.count > $0.count
          }
          .map { name.index(name.endIndex, offsetBy: -$0.count) }
        }
      guard let start, start > name.startIndex, start < name.endIndex,
        !Self.sizeWords.contains(ParameterRole.word(String(name[..<start])))
      else { return nil }
      prefix = String(name[..<start])
      stem = String(name[start...])
    }

    /// Beginnings that belong to the size: `per_page`, `maxResults`, `numberOfRows`.
    private static let sizeWords: Set = [
      "per", "max", "maximum", "num", "number", "items", "rows", "results",
    ]

    /// A name in this frame and in the spelling of the stem.
    func name(_ other: String) -> String {
      var words = ParameterFamilies.words(of: other)
      if !stem.contains("_"), !stem.contains("-") {
        words = words.enumerated().map {
          $0.offset == 0 ? $0.element : $0.element.prefix(1).uppercased() + $0.element.dropFirst()
        }
      }
      let joined = words.joined(separator: stem.contains("_") ? "_" : stem.contains("-") ? "-" : "")
      let isUpper = stem.first?.isUppercase ?? false
      return prefix + (isUpper ? joined.prefix(1).uppercased() + joined.dropFirst() : joined) + suffix
    }

    /// The positions that are tried in it, most likely first.
    var positions: [Way] {
      let pages: [Way] = [(.page, "page"), (.page, "currentPage"), (.page, "pageNumber"), (.page, "number")]
      let rows: [Way] = [(.offset, "offset"), (.offset, "start"), (.offset, "skip")]
      return stem.lowercased().contains("page") ? pages + rows : rows + pages
    }
  }
}
