import Algorithms
import Config
import Credentials
import Detection
import HTTPTransport
import HTTPValues
import JSON
import Search
import Text

/// Tries candidate pagination styles, the most likely first, until one yields new rows.
struct SourceTrial: Sendable {
  /// The page of the address.
  let response: HTTPResponse
  let guess: any SourceDraft
  let id: String
  let title: String
  let transport: Transport
  /// Counts and limits the requests of the transport.
  let requests: TrialRequests
  /// The timeout per page; nil for the transport's default.
  let timeout: Duration?
  /// The variables that credentials are read from.
  let environment: [String: String]
  /// The chosen options of the source.
  var options: [String: String] = [:]

  struct Outcome: Sendable {
    let guess: any SourceDraft
    let source: Source
    let document: String
    let pagination: PaginationGuess
    let verdict: TrialVerdict
    let rows: DocumentRows
    let refuted: [String]
    /// The usual parameters that were tried in vain, without a sign in the response that led to them.
    let triedParameters: [String]
    /// The number of requests sent.
    let requestCount: Int

    /// The search text of the address; empty if it has none.
    var query: String { guess.searchText ?? "" }

    /// The search text as it is typed in a shell, after a space; `…` in place of one that a line cannot show.
    var queryWords: String {
      if query.isEmpty { return "" }
      if query.allSatisfy({ $0.isLetter || $0.isNumber || " .,:+_".contains($0) }) { return " \(query)" }
      let isShown = Sanitized(query).string == query && !query.hasPrefix("-")
      return isShown ? " \(ShellWord(query))" : " …"
    }
  }

  /// Requests the page of the example, and tries what it leads to.
  ///
  /// - Parameters:
  ///   - environment: The variables that credentials are read from.
  ///   - clock: The clock that waits between requests go by.
  static func outcome(
    _ example: RequestExample, id: String, _ transport: Transport, timeout: Duration?,
    _ environment: [String: String] = [:], clock: any Clock<Duration> = ContinuousClock()
  ) async throws -> Outcome {
    let requests = TrialRequests(clock: clock)
    let transport = requests.transport(over: transport)
    let exact = RequestGuess(example, isExact: true)
    let page = try SourceDecoder.source(TOMLDocument(exact.document(id: id), file: "\(id).toml"))
    let context = try await Self.context(page, environment)
    let request = try page.request(for: PageRequest(first: page, Query()), in: context)
    let response = try await transport.response(to: request, within: timeout)
    if let found = FoundDescriptionError(response) { throw found }
    var moved = request
    moved.url = response.url
    requests.remember(response, to: moved)
    return try await SourceTrial(
      response: response, guess: SourceGuess(response, to: example), id: id,
      title: SourceAddition.title(of: response.url),
      transport: transport, requests: requests, timeout: timeout, environment: environment
    ).outcome()
  }

  static func context(
    _ source: Source, _ environment: [String: String], _ options: [String: String] = [:]
  ) async throws -> RunContext {
    var context = RunContext(pageSize: source.pagination.settings.size.standard, version: Version.number)
    let resolver = SecretResolver(environment: environment, files: .system()) { _ in "" }
    context.credentials = try await resolver.credentials(of: source, options: options)
    return context
  }

  /// - Throws: If no guess can read even one page.
  func outcome() async throws(CommandError) -> Outcome {
    var tried = Tried()
    var queue = guess.paginations
    while let next = queue.first {
      if next.isBlind, !tried.ignored.isEmpty, !tried.isKnown(next.slot) {
        await probe(queue, &tried)
      }
      let pagination = queue.removeFirst()
      let mayBeIgnored = pagination.isTentative || pagination.isBlind
      let isIgnored = mayBeIgnored && tried.ignored.contains(pagination.slot)
      if pagination.style != .none, isIgnored || !requests.allowTrial {
        if isIgnored { tried.add(pagination, TrialVerdict.repetition) }
        continue
      }
      do throws(TrialError) { return try await trial(of: pagination, after: tried) } catch {
        tried.add(pagination, error.reason)
      }
    }
    throw CommandError(
      "the guessed source does not work. Tried last: \(tried.refuted.last ?? "no pagination")", .failed)
  }

  private struct Tried {
    var refuted: [String] = []
    var parameters: [String] = []
    /// The parameters that the service ignores, each with the kind of its value: it sends the same page.
    var ignored: Set<PaginationGuess.Slot> = []
    /// The parameters that may be understood, because a request with them or with some others got another response.
    var suspected: Set<PaginationGuess.Slot> = []

    func isKnown(_ slot: PaginationGuess.Slot) -> Bool { ignored.contains(slot) || suspected.contains(slot) }

    mutating func add(_ pagination: PaginationGuess, _ reason: String) {
      if reason == TrialVerdict.repetition { ignored.insert(pagination.slot) }
      if pagination.isBlind {
        if let name = pagination.parameter, !parameters.contains(name) { parameters.append(name) }
      } else if !pagination.isTentative {
        refuted.append("\(pagination): \(reason)")
      }
    }
  }

  private struct TrialError: Error {
    let reason: String
  }

  /// The pages of a guess.
  private func pages(of pagination: PaginationGuess) async throws -> TrialPages {
    let text = guess.document(id: id, title: title, pagination: pagination, remarks: [])
    let source = try SourceDecoder.source(TOMLDocument(text, file: "\(id).toml")).toleratingMissingRows
    let context = try await Self.context(source, environment, options)
    let loader = PageLoader(
      source: source, transport: transport, timeout: timeout,
      credentials: CredentialProvider(prepare: { .success(context) }))
    return TrialPages(
      source: source, query: Query(guess.searchText ?? "", options: options), loader: loader, context: context
    )
  }

  /// Finds out which of the parameters of the guesses are ignored that have the kind of value of the first guess.
  private func probe(_ guesses: [PaginationGuess], _ tried: inout Tried) async {
    let untried = guesses.filter {
      $0.isBlind && $0.slot.token == guesses[0].slot.token && !tried.isKnown($0.slot)
        && !($0.parameter ?? "").hasPrefix("header:")
    }
    await probe(untried.uniqued(on: \.slot).prefix(40), &tried)
  }

  /// Sends many parameters with one request: if it brings the same page, the service ignores all of them. Otherwise, the
  /// halves are sent, until the first one that is not ignored is among a few.
  ///
  /// - Parameter isSuspect: Whether one of them is known not to be ignored.
  private func probe(
    _ guesses: ArraySlice<PaginationGuess>, _ tried: inout Tried, isSuspect: Bool = false
  ) async {
    let slots = guesses.map(\.slot)
    if !isSuspect, guesses.count > 1, requests.allowTrial, (try? await areIgnored(Array(guesses))) ?? false {
      tried.ignored.formUnion(slots)
      return
    }
    guard guesses.count > 3, requests.allowTrial else {
      tried.suspected.formUnion(slots)
      return
    }
    let half = guesses.prefix((guesses.count + 1) / 2)
    await probe(half, &tried)
    if half.allSatisfy({ tried.ignored.contains($0.slot) }) {
      await probe(guesses[half.endIndex...], &tried, isSuspect: true)
    }
  }

  private func areIgnored(_ guesses: [PaginationGuess]) async throws -> Bool {
    var together: (walk: TrialPages, first: Page, request: HTTPRequest)?
    // Without the position of the address, no guess adds a parameter to the first page.
    let alone = try await pages(of: .onePage)
    let start = try alone.request(at: alone.source.pagination.style.first)
    let base = try await guess.hasPosition ? transport.response(to: start, within: timeout) : response
    for guess in guesses {
      let walk = try await pages(of: guess)
      let first = try walk.page(in: base)
      guard case .next(let position, _) = first.continuation, let name = guess.parameter else { return false }
      let request = try walk.request(at: position)
      if together == nil { together = (walk, first, request) }
      guard together?.request.take(name, of: request) ?? false else { return false }
    }
    guard let (walk, first, request) = together else { return false }
    let page = try walk.page(in: try await transport.response(to: request, within: timeout))
    return TrialVerdict.of(first: first, second: .success(page)) == .refuted(TrialVerdict.repetition)
  }

  private func trial(
    of pagination: PaginationGuess, after tried: Tried
  ) async throws(TrialError) -> Outcome {
    do {
      var pagination = pagination
      let walk = try await pages(of: pagination)
      let start = walk.source.pagination.style.first
      let isFirst = !guess.hasPosition && pagination.inner == nil
      let first = try await isFirst ? walk.page(in: response) : walk.page(at: start).get()
      guard case .document(let rows) = first.content, !rows.nodes.isEmpty else {
        throw TrialError(reason: "page 1 is empty")
      }
      // A source without pagination is confirmed only if nothing in the response indicated another page.
      let isMissing = !tried.refuted.isEmpty || (guess.total?.count ?? 0) > guess.rowCount
      var verdict =
        pagination.style == .none && isMissing
        ? .doubtful(requests.obstacle ?? "no next page found. Complete [pagination] in the source")
        : await walk.verdict(after: first, &pagination.trial)
      guard verdict.keeps(pagination) else { throw TrialError(reason: verdict.objection) }
      if verdict == .confirmed(newRows: 0), pagination.style == .cursor, pagination.isBlind {
        if pagination.isKeyOfLastRow { throw TrialError(reason: "page 2 is empty") }
        verdict = .doubtful("page 2 is empty, so nothing shows what \(pagination.parameter ?? "it") means")
      }
      if case .confirmed = verdict, pagination.style == .cursor,
        pagination.isTentative || pagination.isKeyOfLastRow, pagination.more == nil, pagination.done == nil,
        !pagination.trial.hasOverlap
      {
        verdict = .doubtful("page 2 has new rows, but nothing says where the list ends")
      }
      if case .confirmed = verdict, isFirst, let reason = await walk.objection(to: start, as: first) {
        throw TrialError(reason: reason)
      }
      if case .confirmed = verdict, pagination.style == .page || pagination.style == .offset {
        if pagination.style == .offset, let reason = await walk.objection(toCountingRowsFrom: start, first) {
          throw TrialError(reason: reason)
        }
        let error = await walk.farEnd(after: start, first, &pagination.trial)
        if let error, error.kind == .unreadable {
          verdict = .doubtful("a page far past the end of the list is an error: \(error.message)")
        } else if let status = error?.status, !HTTPStatus.isSuccess(status) {
          if [404, 410, 416].contains(status) {
            pagination.endStatus = status
          } else if pagination.next == nil {
            verdict = .doubtful(
              "a page far past the end of the list is an error (\(HTTPStatus.text(status))). If the page after the last one is, too, add end_status = [\(status)]"
            )
          }
        }
      }
      if verdict == .confirmed(newRows: 0), guess.saysMore {
        verdict = .doubtful("page 2 is empty, but the response says that more rows follow")
      }
      if verdict.isSure, let fixed = guess.fixedPositions.first {
        verdict = .doubtful("\(fixed) is part of every request. If it is a position in the list, remove it")
      }
      let document = guess.document(id: id, title: title, pagination: pagination, remarks: [verdict.remark])
      return Outcome(
        guess: guess, source: try SourceDecoder.source(TOMLDocument(document, file: "\(id).toml")),
        document: document, pagination: pagination, verdict: verdict, rows: rows, refuted: tried.refuted,
        triedParameters: tried.parameters, requestCount: requests.count)
    } catch {
      throw error as? TrialError ?? TrialError(reason: (error as? PageError)?.message ?? "\(error)")
    }
  }
}

extension HTTPRequest {
  /// Sends a parameter, or a field of a JSON body, as another request does; false if that has none outside tables.
  fileprivate mutating func take(_ name: String, of other: HTTPRequest) -> Bool {
    if let value = other.url.queryItems.first(where: { $0.name == name })?.value {
      url.setQueryItem(name: name, value: value)
      return true
    }
    guard let mine = try? JSONDocument(body), let others = try? JSONDocument(other.body),
      let value = others.member(of: others.rootNode, named: JSONKey(name))
    else { return false }
    if mine.member(of: mine.rootNode, named: JSONKey(name)) != nil { return true }
    body =
      Array("{\(JSONText.quoted(name)): ".utf8) + others.bytes[others.byteRange(of: value)] + Array(", ".utf8)
      + mine.bytes[mine.byteRange(of: mine.rootNode)].dropFirst()
    return true
  }
}

extension PaginationGuess {
  /// A parameter and where its value is in the response; nil for a number.
  fileprivate struct Slot: Hashable {
    let parameter: String?
    let token: String?
  }

  fileprivate var slot: Slot { Slot(parameter: parameter, token: style == .cursor ? next : nil) }
}

/// Loads pages of a source, to see whether they are what the source takes them for.
private struct TrialPages {
  let source: Source
  let query: Query
  let loader: PageLoader
  let context: RunContext

  func page(at position: Position) async -> Result<Page, PageError> {
    await loader.page(for: pageRequest(at: position)) { .document($0) }
  }

  func request(at position: Position) throws(PageError) -> HTTPRequest {
    try source.request(for: pageRequest(at: position), in: context)
  }

  private func pageRequest(at position: Position) -> PageRequest {
    var request = PageRequest(first: source, query)
    request.position = position
    return request
  }

  /// The first page, as a response that is known.
  func page(in response: HTTPResponse) throws(PageError) -> Page {
    try source.page(from: response, for: PageRequest(first: source, query), in: context) { .document($0) }
  }

  private func page(at number: Int, from start: Position) async -> Result<Page, PageError> {
    var position = start
    position.value = .number(number)
    position.ordinal += 1
    return await page(at: position)
  }

  /// Why a position is not that of this page; nil if it is.
  func objection(to position: Position, as first: Page) async -> String? {
    let what =
      if case .number(let number) = position.value { "with number \(number)" } else { "without a position" }
    switch await page(at: position) {
    case .failure(let error): return "the page \(what) failed: \(error.message)"
    case .success(let page):
      return page.isMostly(first) ? nil : "the page at the given URL is not the one \(what)"
    }
  }

  /// Why the number does not count rows: one more should leave out the first row.
  func objection(toCountingRowsFrom start: Position, _ first: Page) async -> String? {
    let known = first.distinctRows
    guard case .number(let number) = start.value, known.count > 2, Set(known).count > 2,
      case .success(let page) = await page(at: number + 1, from: start)
    else { return nil }
    return page.distinctRows.first == known[1] ? nil : "the number does not count rows"
  }

  /// The error of a page far behind the end of the list; nil if it is a success, or if the source knows the end.
  func farEnd(
    after start: Position, _ first: Page, _ trial: inout PaginationGuess.Trial
  ) async -> PageError? {
    let settings = source.pagination.settings
    // Services send numbers in such a header even with the last page.
    var next = settings.next
    if case .header? = next?.alternatives.first { next = nil }
    let signs = [next, settings.more, settings.done, settings.pages].compactMap(\.self)
    let knowsEnd = !signs.isEmpty || first.total != nil
    guard !knowsEnd, case .number(let number) = start.value else { return nil }
    switch await page(at: number + 100_000, from: start) {
    case .success(let page):
      if page.lacksRows { trial.mayRowsBeMissing = true }
      return nil
    case .failure(let error): return [.rejected, .unreadable].contains(error.kind) ? error : nil
    }
  }

  /// - Parameter trial: What the second page shows of the rows is added to it.
  func verdict(after first: Page, _ trial: inout PaginationGuess.Trial) async -> TrialVerdict {
    guard case .next(let position, let evidence) = first.continuation else {
      return switch first.continuation {
      case .end(.refusedNext(let why)): .refuted(why)
      case .end where source.rows.form == .object: .object
      case .end, .next: .single
      }
    }
    let isPromised = [.value, .flag].contains(evidence)
    let second = await page(at: position)
    var verdict = TrialVerdict.of(first: first, second: second)
    if case .success(let page) = second {
      // A value that stays the same is no position, whatever page 2 has.
      if case .confirmed = verdict, source.pagination.name == "cursor",
        case .next(let next, _) = page.continuation, next.requestsSamePage(as: position)
      {
        verdict = .refuted("page 2 has the position of page 1")
      }
      if page.lacksRows { trial.mayRowsBeMissing = true }
      if first.isKeyAmbiguous(beside: page) { trial.isKeyAmbiguous = true }
      if case .confirmed = verdict, source.pagination.name == "cursor", let last = first.distinctRows.last {
        trial.hasOverlap = page.distinctRows.first == last
      }
    }
    // A page that has the whole total is the last one, unless the total counts just that page.
    if first.total.map({ $0.count <= first.rowCount }) ?? false {
      guard case .confirmed(let count) = verdict, count > 0 else { return isPromised ? verdict : .single }
      trial.isTotalWrong = true
    }
    return verdict
  }
}

extension Source {
  /// The source, in which a response without the place of the rows is an empty page.
  fileprivate var toleratingMissingRows: Source {
    var source = self
    source.rows.mayBeMissing = true
    return source
  }
}

extension Page {
  /// Whether different rows of the two pages have the same key.
  fileprivate func isKeyAmbiguous(beside other: Page) -> Bool {
    guard case .document(let mine) = content, case .document(let others) = other.content else { return false }
    guard !keys.isEmpty, !other.keys.isEmpty else { return false }
    return Self.isAmbiguous(keys + other.keys, mine.contents + others.contents)
  }

  /// The keys of its rows or, if they have none and all differ, their contents.
  var distinctRows: [UInt64] {
    guard keys.isEmpty, case .document(let rows) = content else { return keys }
    let contents = rows.contents
    return Set(contents).count == contents.count ? contents : []
  }

  /// Whether most rows of this page are rows of the other one.
  fileprivate func isMostly(_ other: Page) -> Bool {
    let (mine, others) = (distinctRows, other.distinctRows)
    if mine.isEmpty || others.isEmpty { return fingerprint == other.fingerprint }
    let known = Set(others)
    return mine.count(where: known.contains) * 2 > mine.count
  }
}
