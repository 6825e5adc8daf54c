import Config
import Detection
import HTTPTransport
import HTTPValues
import Search
import Synchronization
import Text

/// Tries candidate pagination styles, the most likely first, until one yields new rows.
struct SourceTrial: Sendable {
  let guess: SourceGuess
  let id: String
  let title: String
  let transport: Transport
  /// The timeout per page; nil for the transport's default.
  let timeout: Duration?

  struct Outcome: Sendable {
    let guess: SourceGuess
    let source: Source
    let document: String
    let pagination: PaginationGuess
    let verdict: TrialVerdict
    let rows: DocumentRows
    let refuted: [String]

    /// The search text of the address; `…` if it would need quoting in a shell.
    var query: String {
      let text = guess.request.searchText ?? ""
      let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || " .,:+_".contains($0) }
      return isPlain ? text : "…"
    }
  }

  /// - Throws: If no guess can read even one page.
  func outcome() async throws(CommandError) -> Outcome {
    var refuted: [String] = []
    for pagination in guess.paginations {
      do throws(Refutation) { return try await trial(of: pagination, refuted) } catch {
        if !pagination.isTentative { refuted.append("\(pagination): \(error.reason)") }
      }
    }
    throw CommandError(
      "the guessed source does not work: \(refuted.last ?? "no pagination found")", .failed)
  }

  private struct Refutation: Error {
    let reason: String
  }

  private func trial(
    of pagination: PaginationGuess, _ refuted: [String]
  ) async throws(Refutation) -> Outcome {
    do {
      let text = guess.document(id: id, title: title, pagination: pagination)
      let source = try SourceDecoder.source(TOMLDocument(text, file: "\(id).toml"))
      let walk = TrialPages(
        source: source, query: Query(guess.request.searchText ?? ""), transport: transport, timeout: timeout)
      let first = try await walk.page(at: source.pagination.style.first).get()
      guard case .document(let rows) = first.content, !rows.nodes.isEmpty else {
        throw Refutation(reason: "page 1 is empty")
      }
      let verdict = await self.verdict(walk, after: first, pagination, refuted)
      guard verdict.keeps(pagination) else { throw Refutation(reason: verdict.objection) }
      return Outcome(
        guess: guess, source: source,
        document: guess.document(id: id, title: title, pagination: pagination, remarks: [verdict.remark]),
        pagination: pagination, verdict: verdict, rows: rows, refuted: refuted)
    } catch let refutation as Refutation {
      throw refutation
    } catch {
      throw Refutation(reason: (error as? PageError)?.message ?? "\(error)")
    }
  }

  /// A source without pagination is confirmed only if nothing in the reply indicated another page.
  private func verdict(
    _ walk: TrialPages, after first: Page, _ pagination: PaginationGuess, _ refuted: [String]
  ) async -> TrialVerdict {
    pagination.style == .none && !refuted.isEmpty
      ? .unconfirmed("no next page found. Complete [pagination] in the source")
      : await walk.verdict(after: first)
  }
}

/// Loads the first two pages of a source.
private struct TrialPages {
  let source: Source
  let query: Query
  let loader: PageLoader

  init(source: Source, query: Query, transport: Transport, timeout: Duration?) {
    self.source = source
    self.query = query
    let size = source.pagination.settings.size.standard
    loader = PageLoader(
      source: source, transport: transport, timeout: timeout,
      credentials: CredentialProvider(prepare: {
        .success(RunContext(pageSize: size, version: Version.number))
      }))
  }

  func page(at position: Position) async -> Result<Page, PageError> {
    await loader.page(for: PageRequest(query: query, position: position, generation: 0)) { .document($0) }
  }

  func verdict(after first: Page) async -> TrialVerdict {
    switch first.continuation {
    case .end(.refusedNext(let why)): .refuted(why)
    case .end: .single
    case .next(let position, _):
      // A page that holds the whole total is the last one, even if its style has no end signal.
      first.total.map { $0.count <= first.rowCount } ?? false
        ? .single : TrialVerdict.of(first: first, second: await page(at: position))
    }
  }
}

/// What the second page says about a guessed source.
enum TrialVerdict: Sendable, Hashable {
  /// The page has this many rows that the first does not have, or the list validly ends there.
  case confirmed(newRows: Int)
  /// According to the first page, there is no second one.
  case single
  /// The second page could not be loaded, for a reason unrelated to the guess.
  case unconfirmed(String)
  case refuted(String)

  /// - Parameter second: The result of requesting the page after the first.
  static func of(first: Page, second: Result<Page, PageError>) -> TrialVerdict {
    switch second {
    case .failure(let error): of(error)
    case .success(let page) where page.rowCount == 0:
      // A service that ignores the parameter repeats the first page, so an empty page shows that it is
      // understood.
      first.total.map { $0.count > first.rowCount } ?? false
        ? .refuted("page 2 is empty, but page 1 does not have all rows") : .confirmed(newRows: 0)
    case .success(let page): compared(first, page)
    }
  }

  private static func of(_ error: PageError) -> TrialVerdict {
    let text = "page 2 failed: \(error.message)"
    return switch error.kind {
    case .offline, .connection, .rateLimited, .unauthorized, .server: .unconfirmed(text)
    case .rejected, .unreadable, .invalidRequest: .refuted(text)
    }
  }

  private static func compared(_ first: Page, _ second: Page) -> TrialVerdict {
    if first.keys.isEmpty || second.keys.isEmpty {
      return first.fingerprint == second.fingerprint
        ? .refuted("page 2 repeats page 1") : .confirmed(newRows: second.rowCount)
    }
    let known = Set(first.keys)
    let newRows = second.keys.count { $0 == RowKey.none || !known.contains($0) }
    if newRows == 0 { return .refuted("page 2 repeats page 1") }
    // A few rows may repeat at a page boundary; if most do, the number counts something else.
    return newRows * 2 < second.rowCount
      ? .refuted("page 2 has only \(Digits.counted(newRows, "new row"))") : .confirmed(newRows: newRows)
  }

  /// Whether the guess is kept, given this verdict.
  func keeps(_ guess: PaginationGuess) -> Bool {
    switch self {
    case .confirmed: true
    case .single, .unconfirmed: !guess.isTentative
    case .refuted: false
    }
  }

  var objection: String {
    switch self {
    case .unconfirmed(let why), .refuted(let why): why
    case .confirmed, .single: "there is only one page"
    }
  }

  /// A remark for the user, also written as a comment in the source file.
  var remark: String {
    switch self {
    case .confirmed(0): "confirmed: page 2 is empty (end of results)"
    case .confirmed(let count): "confirmed: page 2 has \(Digits.counted(count, "new row"))"
    case .single: "not confirmed: there is only one page. Use a URL with more results"
    case .unconfirmed(let why), .refuted(let why): "not confirmed: \(why)"
    }
  }
}

/// Caches the replies of this run by address, so that trying several guesses requests each page only once.
final class ReplyCache: Sendable {
  private let replies = Mutex<[Address: HTTPReply]>([:])

  /// An address, compared regardless of the order of its parameters.
  private struct Address: Hashable {
    let place: String
    let parameters: [WebURL.QueryItem: Int]

    init(_ url: WebURL) {
      place = "\(url.origin)\(url.path)"
      parameters = url.queryItems.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
  }

  func remember(_ reply: HTTPReply, to url: WebURL) {
    replies.withLock { $0[Address(url)] = reply }
  }

  /// A transport that requests only addresses that are not cached.
  func transport(over transport: Transport) -> Transport {
    Transport { request, total throws(TransportFailure) in
      if let reply = self.replies.withLock({ $0[Address(request.url)] }) { return reply }
      let reply = try await transport.reply(to: request, within: total)
      self.remember(reply, to: request.url)
      return reply
    }
  }
}
