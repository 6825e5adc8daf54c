/// Signs of numbered pages and offsets.
extension PaginationSignal {
  /// `X-Next-Page`, or a header with the number of pages.
  static let pageHeaders = PaginationSignal { context in
    let (name, first) = context.pageParameter
    func guess(_ header: String, isNext: Bool) -> [PaginationGuess] {
      let expression = "header:\(header.lowercased())"
      return [
        PaginationGuess(
          .page, parameter: name, first: .number(first), next: isNext ? expression : nil,
          pages: isNext ? nil : expression, 0.9, "the \(header) header has page numbers")
      ]
    }
    if context.headers.first("X-Next-Page") != nil { return guess("X-Next-Page", isNext: true) }
    for header in ["X-Total-Pages", "X-WP-TotalPages", "X-Page-Count", "X-Pagination-Page-Count"] {
      if context.headers.first(header).flatMap({ Int($0) }) != nil { return guess(header, isNext: false) }
    }
    return []
  }

  /// A page count in the body.
  static let pageCount = PaginationSignal { context in
    let words = ["totalpages", "nbpages", "numpages", "pagecount", "pagescount", "lastpage", "pages"]
    guard let place = context.place(words, where: { $0.kind == .number && context.body.count($0) != nil })
    else {
      return []
    }
    let (name, first) = context.pageParameter
    let isNumbered = context.request.page != nil || context.place(DetectionContext.pageEchoes) != nil
    return [
      PaginationGuess(
        .page, parameter: name, first: .number(first), pages: "\(place.path)", isNumbered ? 0.85 : 0.6,
        "\(place.path) is the number of pages")
    ]
  }

  /// `has_more: true`: increases the page or offset in the URL, or else sends the key of the last row.
  static let moreFlag = PaginationSignal { context in
    guard let flag = context.flag else { return [] }
    func guess(
      _ style: PaginationGuess.Style, _ parameter: String, first: Int? = nil, next: String? = nil,
      _ confidence: Double
    ) -> PaginationGuess {
      PaginationGuess(
        style, parameter: parameter, first: first.map { .number($0) }, next: next,
        more: flag.isDone ? nil : flag.path, done: flag.isDone ? flag.path : nil, confidence,
        "\(flag.path) says whether there are more rows")
    }
    let (page, firstPage) = context.pageParameter
    if context.request.page != nil { return [guess(.page, page, first: firstPage, 0.85)] }
    if let offset = context.request.offset { return [guess(.offset, offset.name, first: 0, 0.85)] }
    let isEchoed = context.place(DetectionContext.pageEchoes, where: { $0.kind == .number }) != nil
    return [guess(.page, page, first: firstPage, isEchoed ? 0.7 : 0.55)]
      + (context.lastKey.map {
        [guess(.cursor, "starting_after", next: $0, context.identity.key == nil ? 0.5 : 0.6)]
      } ?? [])
  }

  /// The URL itself contains a page number or an offset.
  static let numberInAddress = PaginationSignal { context in
    let confidence = context.total == nil ? 0.7 : 0.8
    if let page = context.request.page {
      return [
        PaginationGuess(
          .page, parameter: page.name, first: .number(context.pageParameter.first), confidence,
          "the address requests page \(page.value) with \(page.name)")
      ]
    }
    guard let offset = context.request.offset else { return [] }
    return [
      PaginationGuess(
        .offset, parameter: offset.name, first: .number(offset.value == 1 ? 1 : 0), confidence,
        "the address requests rows from offset \(offset.value) with \(offset.name)")
    ]
  }

  /// A total, and a page number or first row that the reply echoes.
  static let echoedNumber = PaginationSignal { context in
    guard context.total != nil else { return [] }
    if let place = context.place(DetectionContext.pageEchoes, where: { $0.kind == .number }) {
      let first = context.pageParameter.first
      return [place.name, "page"].map { name in
        PaginationGuess(
          .page, parameter: name, first: .number(first), name == place.name ? 0.6 : 0.55,
          "the reply has a total and is at \(place.path) \(first)")
      }
    }
    let place = context.place(DetectionContext.offsetEchoes) {
      context.body.count($0).map { $0 <= 1 } ?? false
    }
    guard let place, let first = context.body.count(place) else { return [] }
    return [
      PaginationGuess(
        .offset, parameter: place.name, first: .number(first), 0.6,
        "the reply has a total and is at \(place.path) \(first)")
    ]
  }

  /// There are more rows than this page has, without any indication of how to request them: tries the common
  /// ways.
  static let largerTotal = PaginationSignal { context in
    let isFull = context.request.pageSize.map { $0.value == context.rows.count } ?? false
    let isPart = context.total.map { $0.count > context.rows.count } ?? isFull
    guard isPart else { return [] }
    let size = ParameterRole.word(context.request.pageSize?.name ?? "")
    let ways = stylesBySize[size] ?? [(.page, "page"), (.offset, "offset"), (.offset, "start")]
    return ways.enumerated().map { rank, way in
      PaginationGuess(
        way.style, parameter: way.name, first: .number(way.style == .page ? 1 : 0), 0.4 - 0.05 * Double(rank),
        "there are more rows than on this page, and \(way.name) is a common paging parameter")
    }
  }

  private static let stylesBySize: [String: [(style: PaginationGuess.Style, name: String)]] = [
    "limit": [(.offset, "offset"), (.page, "page"), (.offset, "skip"), (.offset, "start")],
    "rows": [(.offset, "start"), (.page, "page")],
    "size": [(.page, "page"), (.offset, "from"), (.offset, "offset")],
    "top": [(.offset, "$skip"), (.offset, "skip")],
    "take": [(.offset, "skip"), (.page, "page")],
    "num": [(.offset, "start"), (.page, "page")],
    "maxresults": [(.offset, "startAt"), (.offset, "startIndex"), (.page, "page")],
    "count": [(.offset, "offset"), (.page, "page"), (.offset, "start")],
  ]
}

extension DetectionContext {
  /// A flag that says whether more pages follow or, with `isDone`, that none do.
  fileprivate var flag: (path: String, isDone: Bool)? {
    let more = ["hasmore", "hasnext", "hasnextpage", "moreresults", "hasmoreresults", "istruncated", "more"]
    let done = ["islast", "lastpage", "islastpage", "last", "isdone"]
    if let place = place(more, where: { $0.kind == .bool }) { return ("\(place.path)", false) }
    return place(done, where: { $0.kind == .bool }).map { ("\($0.path)", true) }
  }

  /// The key of the last row, as an expression on the whole reply.
  fileprivate var lastKey: String? {
    guard rows.shape == .list, let key = identity.order, let path = try? JSONPath(key) else { return nil }
    return "\(JSONPath(steps: rows.path.steps + [.element(-1)] + path.steps))"
  }
}
