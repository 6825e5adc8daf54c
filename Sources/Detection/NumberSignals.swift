import Algorithms
import HTTPValues
import JSON

/// Signs of numbered pages and offsets.
extension PaginationSignal {
  /// `X-Next-Page`, or a header with the number of pages.
  static let pageHeaders = one { context in
    let (name, first) = context.pageParameter
    func guess(_ header: String, isNext: Bool) -> PaginationGuess {
      let expression = "header:\(header.lowercased())"
      return PaginationGuess(
        style: .page, parameter: name, first: .number(first), next: isNext ? expression : nil,
        pages: isNext ? nil : expression, confidence: 0.9, reason: "the \(header) header has page numbers")
    }
    if context.headers.first("X-Next-Page") != nil { return guess("X-Next-Page", isNext: true) }
    for header in ResponseWords.pageCountHeaders {
      if context.headers.first(header).flatMap({ Int($0) }) != nil { return guess(header, isNext: false) }
    }
    let other = context.headers.first { field in
      guard ResponseWords.isPageCountHeader(field.name), let pages = Int(field.value), pages > 0 else {
        return false
      }
      let (total, rows) = (context.total?.count, max(context.rows.count, 1))
      return total.map { pages == ($0 + rows - 1) / rows } ?? true
    }
    return other.map { guess($0.name, isNext: false) }
  }

  /// A page count in the body.
  static let pageCount = one { context in
    let named = context.place(
      ResponseWords.pageCounts, where: { $0.kind == .number && context.body.count($0) != nil })
    guard let place = named ?? context.body.pageFacts?.pages else { return nil }
    let (name, first) = context.pageParameter
    let isNumbered = context.request.page != nil || context.place(DetectionContext.pageEchoes) != nil
    return PaginationGuess(
      style: .page, parameter: name, first: .number(first), pages: "\(place.path)",
      confidence: isNumbered ? 0.85 : 0.6, reason: "\(place.path) is the number of pages")
  }

  /// `has_more: true`: increases the page or offset in the URL, or else sends the key of the last row.
  static let moreFlag = PaginationSignal { context in
    guard let flag = context.flag else { return [] }
    func guess(
      _ style: PaginationGuess.Style, _ parameter: String, first: Int? = nil, next: String? = nil,
      _ confidence: Double, isBlind: Bool = false
    ) -> PaginationGuess {
      var guess = PaginationGuess(
        style: style, parameter: parameter, first: first.map { .number($0) }, next: next,
        more: flag.more, done: flag.done, confidence: confidence,
        reason: "\(flag.path) says whether there are more rows")
      guess.isBlind = isBlind
      return guess
    }
    let (page, firstPage) = context.pageParameter
    if context.request.page != nil { return [guess(.page, page, first: firstPage, 0.85)] }
    if let offset = context.request.offset { return [guess(.offset, offset.name, first: 0, 0.85)] }
    let isEchoed = context.place(DetectionContext.pageEchoes, where: { $0.kind == .number }) != nil
    var guesses = [guess(.page, page, first: firstPage, isEchoed ? 0.7 : 0.55)]
    guesses += context.keyOfLastRow(0.6).map {
      guess(.cursor, $0.parameter ?? "", next: $0.next, $0.confidence, isBlind: true)
    }
    guesses += context.usualWays.enumerated().map { rank, way in
      guess(way.style, way.name, first: way.style == .page ? 1 : 0, 0.5 - 0.005 * Double(rank), isBlind: true)
    }
    return guesses
  }

  /// The URL itself contains a page number or an offset.
  static let numberInAddress = one { context in
    let confidence = context.total == nil ? 0.7 : 0.8
    if let page = context.request.page {
      return PaginationGuess(
        style: .page, parameter: page.name, first: .number(context.pageParameter.first),
        confidence: confidence, reason: "the URL requests page \(page.value)")
    }
    guard let offset = context.request.offset else { return nil }
    return PaginationGuess(
      style: .offset, parameter: offset.name, first: .number(offset.value == 1 ? 1 : 0),
      confidence: confidence,
      reason: "the URL requests the rows from \(offset.value)")
  }

  /// A total, and a page number or first row that the response echoes.
  static let echoedNumber = PaginationSignal { context in
    guard context.total != nil else { return [] }
    if let place = context.place(DetectionContext.pageEchoes, where: { $0.kind == .number }) {
      let first = context.pageParameter.first
      return [place.name, "page"].map { name in
        PaginationGuess(
          style: .page, parameter: name, first: .number(first), confidence: name == place.name ? 0.6 : 0.55,
          reason: "the response has a total and is at \(place.path) \(first)")
      }
    }
    func isFirst(_ place: MemberIndex.Place) -> Bool { context.body.count(place) ?? 2 <= 1 }
    let named = context.place(DetectionContext.offsetEchoes, where: isFirst)
    guard let place = named ?? context.body.pageFacts?.others.first(where: isFirst),
      let first = context.body.count(place)
    else { return [] }
    return [
      PaginationGuess(
        style: named == nil ? .page : .offset, parameter: place.name, first: .number(first), confidence: 0.6,
        reason: "the response has a total and is at \(place.path) \(first)")
    ]
  }

  /// A number beside the page size, or the number of rows, that is 0 or 1 on the first page, whatever its name: the request may have it
  /// under the same name, or under this one in the frame of the page size.
  static let echoBesideSize = PaginationSignal { context in
    let isCut = context.total.map { $0.count > context.rows.count } ?? false
    let sizes = context.body.places.filter { place in
      (isCut || ParameterFamilies.isLikeSize(place.word))
        && context.body.count(place).map { $0 == context.request.pageSize?.value ?? context.rows.count }
          ?? false
    }.map { $0.path.steps.dropLast() }
    guard context.mayHaveMore, context.request.page == nil, context.request.offset == nil else { return [] }
    let echoes = context.body.places.filter { place in
      context.body.count(place).map { $0 <= 1 } ?? false && sizes.contains(place.path.steps.dropLast())
    }
    let frame = context.request.pageSize.flatMap { ParameterFamilies.Frame(ofSize: $0.name) }
    return echoes.prefix(3).flatMap { place -> [PaginationGuess] in
      let first = context.body.count(place) ?? 0
      let styles: [PaginationGuess.Style] =
        first == 0 ? [.offset] : place.word.contains("page") ? [.page, .offset] : [.offset, .page]
      return ([frame?.name(place.name), place.name].compactMap(\.self)).flatMap { name in
        styles.map { style in
          PaginationGuess(
            style: style, parameter: name, first: .number(first), confidence: 0.42,
            reason: "\(place.path) is \(first) beside the page size"
          ).asAttempt
        }
      }
    }
  }

  /// `next_page: 2`: the number of the next page.
  static let nextNumber = PaginationSignal { context in
    let next = (context.request.page?.value ?? 1) + 1
    let place = context.body.places.first { $0.isCalledNextPage && context.body.count($0) == next }
    guard let place else { return [] }
    let usual = context.usualWays.filter { $0.style == .page }.map(\.name)
    // A number in a string may be a token.
    let confidence = place.kind == .number ? 0.8 : 0.72
    return ([context.pageParameter.name] + usual + ["current_page"]).enumerated().map { rank, name in
      var guess = PaginationGuess(
        style: .page, parameter: name, first: .number(1), next: "\(place.path)",
        confidence: confidence - 0.03 * Double(rank), reason: "\(place.path) is the number of the next page")
      guess.isTentative = place.kind == .string
      return guess
    }
  }

  /// Tries the usual parameters if the list has or may have more rows than this page, but nothing shows how to request
  /// them.
  static let otherPages = PaginationSignal { context in
    guard context.mayHaveMore else { return [] }
    return context.usualWays.enumerated().map { rank, way in
      PaginationGuess(
        style: way.style, parameter: way.name, first: .number(way.style == .page ? 1 : 0),
        confidence: rank < 30 ? 0.4 - 0.005 * Double(rank) : 0.2, reason: "a common parameter name"
      ).asAttempt
    }
  }

  /// Tries the key of the last row if the page may not be the whole list.
  static let keyOfLastRow = PaginationSignal { context in context.mayHaveMore ? context.keyOfLastRow(0.3) : []
  }
}

extension DetectionContext {
  /// A flag that says whether more pages follow or, with `isDone`, that none do.
  struct Flag {
    let place: MemberIndex.Place
    let isDone: Bool

    var path: String { "\(place.path)" }
    /// The values of `more` and `done` in `[pagination]`.
    var more: String? { isDone ? nil : path }
    var done: String? { isDone ? path : nil }
  }

  var flag: Flag? {
    if let place = place(ResponseWords.mores, where: { $0.kind == .bool }) {
      return Flag(place: place, isDone: false)
    }
    if let place = place(ResponseWords.dones, where: { $0.kind == .bool }) {
      return Flag(place: place, isDone: true)
    }
    let like = body.places.first { place in
      place.kind == .bool && body.text(place) == "true" && ResponseWords.saysMore(place.word)
    }
    return like.map { Flag(place: $0, isDone: false) }
  }

  /// The flag, if it says here that more pages follow.
  var flagThatContinues: Flag? {
    flag.flatMap { body.document.bool(of: $0.place.node) == !$0.isDone ? $0 : nil }
  }

  /// Whether a field repeats a value of the last row that the first one does not have: the list goes on after it.
  func isOfLastRow(_ place: MemberIndex.Place) -> Bool {
    guard rows.shape == .list, rows.sample.count == rows.count, rows.count > 1, mayHaveMore,
      [.string, .number].contains(place.kind), let text = body.text(place), text.utf8.count > 1,
      let first = rows.sample.first, let last = rows.sample.last
    else { return false }
    func has(_ row: JSONNode) -> Bool {
      body.document.members(of: row).prefix(100).contains { body.document.text(of: $0.value) == text }
    }
    return has(last) && !has(first)
  }

  /// The usual parameters for a position, most likely first.
  var usualWays: [ParameterFamilies.Way] {
    ParameterFamilies.ways(
      beside: request.pageSize?.name, spelledAs: "\(rows.path)", usesUnderscores: usesUnderscores)
  }

  /// Whether the service joins the words of names with underscores.
  private var usesUnderscores: Bool {
    let names = rows.sample.first.map { row in
      body.document.kind(of: row) == .object
        ? body.document.members(of: row).prefix(50).compactMap { body.document.string(of: $0.name) } : []
    }
    return (names ?? []).contains { $0.dropFirst().dropLast().contains("_") }
  }

  /// Whether the page may not be the whole list: the total is larger, it has as many rows as requested, or a number
  /// of rows that services choose as a page size; a long one may end anywhere.
  var mayHaveMore: Bool {
    if let total { return total.count > rows.count }
    // A service may send fewer rows than requested.
    if let size = request.pageSize {
      return size.value == rows.count || size.value > rows.count && rows.count >= 10 && rows.count % 10 == 0
    }
    return rows.count >= 5 && rows.count % 5 == 0 || [12, 24].contains(rows.count) || rows.count > 25
  }

  /// Guesses that send the key of the last row.
  func keyOfLastRow(_ confidence: Double) -> [PaginationGuess] {
    guard let key = lastKey else { return [] }
    let field = identity.order.flatMap { try? JSONPath($0) }?.memberNames?.last
    let names = ParameterFamilies.keyParameters(beside: request.pageSize?.name, of: field)
    let asked = request.cursor?.name
    return ([asked].compactMap(\.self) + names).uniqued().enumerated().map { rank, name in
      PaginationGuess(
        style: .cursor, parameter: name, next: key,
        // A parameter of the address comes before those that only others use.
        confidence: name == asked ? confidence + 0.15 : confidence - 0.005 * Double(rank),
        reason: "\(key) is the key of the last row, sent back as \(name)"
      ).asAttempt
    }
  }

  /// The key of the last row, as an expression on the whole response.
  var lastKey: String? {
    identity.order.flatMap { try? JSONPath($0) }.flatMap(pathInLastRow).map { "\($0)" }
  }

  /// The path from the root to a value of the last row; nil if the rows are no list.
  func pathInLastRow(_ path: JSONPath) -> JSONPath? {
    guard rows.shape == .list else { return nil }
    let list = rows.path.singularPrefix.steps
    return JSONPath(steps: list + [.element(-1)] + rows.path.steps.dropFirst(list.count + 1) + path.steps)
  }
}
