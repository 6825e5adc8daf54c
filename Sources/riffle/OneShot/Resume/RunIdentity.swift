import Search

/// What must be equal for a run to resume another: the source, the request, and the output format. Only a
/// hash of the query is kept.
struct RunIdentity: Sendable, Hashable {
  var source: String
  var request: String
  var form: String

  init(source: String, request: String, form: String) {
    self.source = source
    self.request = request
    self.form = form
  }

  /// - Parameters:
  ///   - form: Everything that affects how rows are written, as text.
  init(_ source: Source, _ query: Query, pageSize: Int?, form: [String]) {
    let page = PageRequest(query: query, position: source.pagination.style.first, generation: 0)
    let request = try? source.request(for: page, in: RunContext(pageSize: pageSize))
    var words = [request?.method.rawValue ?? "", request?.url.description ?? ""]
    // The User-Agent header carries riffle's version, which does not affect the rows.
    let headers = (request?.headers ?? []).filter { $0.name.lowercased() != "user-agent" }
    words += headers.map { "\($0.name): \($0.value)" }
    words.append(String(decoding: request?.body ?? [], as: UTF8.self))
    self.init(source: source.id, request: Self.hash(words), form: Self.hash(form))
  }

  /// Why a run with this identity may not resume `other`; nil if it may.
  func refusal(of other: RunIdentity) -> String? {
    if other.source != source { return "it was written from source \(other.source), not \(source)" }
    if other.request != request {
      return "it was written by a different query (or with different options or page size)"
    }
    return other.form == form ? nil : "it was written with a different format, columns or filter"
  }

  private static func hash(_ words: [String]) -> String {
    String(RowKey.hash(words.map { "\($0.utf8.count):\($0)" }.joined()), radix: 16)
  }
}
