import Config
import HTTPTransport
import Search

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
    /// The first page as the source reads it.
    let rows: DocumentRows
    /// The guesses that were tried and refuted.
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
      switch await trial(of: pagination, refuted) {
      case .success(let outcome): return outcome
      case .failure(let reason): if !pagination.isTentative { refuted.append("\(pagination): \(reason)") }
      }
    }
    throw CommandError(
      "the guessed source does not work: \(refuted.last ?? "no pagination found")", .failed)
  }

  private struct Refutation: Error, CustomStringConvertible {
    let description: String
  }

  private func trial(
    of pagination: PaginationGuess, _ refuted: [String]
  ) async -> Result<Outcome, Refutation> {
    do {
      let text = guess.document(id: id, title: title, pagination: pagination)
      let source = try SourceDecoder.source(TOMLDocument(text, file: "\(id).toml"))
      let walk = TrialPages(
        source: source, query: Query(guess.request.searchText ?? ""), transport: transport, timeout: timeout)
      let first = try await walk.page(at: source.pagination.style.first).get()
      guard case .document(let rows) = first.content, !rows.nodes.isEmpty else {
        return .failure(Refutation(description: "page 1 is empty"))
      }
      let verdict = await self.verdict(walk, after: first, pagination, refuted)
      guard verdict.keeps(pagination) else { return .failure(Refutation(description: verdict.objection)) }
      return .success(
        Outcome(
          guess: guess, source: source,
          document: guess.document(id: id, title: title, pagination: pagination, remarks: [verdict.remark]),
          pagination: pagination, verdict: verdict, rows: rows, refuted: refuted))
    } catch let error as PageError {
      return .failure(Refutation(description: error.message))
    } catch {
      return .failure(Refutation(description: "\(error)"))
    }
  }
}

extension SourceTrial {
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
      preparation: PageLoader.Preparation(context: {
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
