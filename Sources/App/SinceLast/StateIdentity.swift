import Search
import Text

/// The list that a state belongs to, and what counts as a change of its rows.
struct StateIdentity: Sendable, Hashable {
  let source: String
  let query: String
  /// A hash of source, query, options, filter and columns, in 16 hexadecimal digits.
  let digest: String

  /// - Parameter runs: Those of the source and, with `--each`, of the sources above it.
  init(of runs: [Run], _ request: RequestOptions, _ rows: RowOptions, _ form: FormatOptions) {
    source = runs.last?.source.id ?? ""
    query = request.words.joined(separator: " ")
    // An option with its default is the same list as without it.
    let options = runs.flatMap { run in
      run.query.options.filter { pair in
        run.source.options.first { $0.name == pair.key }?.defaultValue != pair.value
      }
      .map { "\(run.source.id) \($0.key)=\($0.value)" }
    }
    let words =
      [source, query, rows.each ? "each" : ""] + Set(options).sorted() + ["params"]
      + request.param.map { "\($0.name)=\($0.value)" } + ["headers"] + request.requestHeader
      + ["rows", rows.filter ?? "", form.columns ?? "", form.template ?? ""]
      + [rows.shard.map { "\($0)" }].compactMap(\.self)
    let text = words.map { "\($0.utf8.count):\($0)" }.joined()
    digest = RowKey.hash(text).padded(to: 16, radix: 16)
  }

  /// The name of its state, unless another is given: `github-swift-tui-1a2b3c4d`.
  var name: String {
    let words = query.lowercased().unicodeScalars.map { scalar in
      "a"..."z" ~= scalar || "0"..."9" ~= scalar ? Character(scalar) : "-"
    }
    let slug = String(words).split(separator: "-").joined(separator: "-").prefix(40)
    return ([source.prefix(40)[...]] + [slug].filter { !$0.isEmpty } + [digest.prefix(8)]).joined(
      separator: "-")
  }

  /// Why the state with this header is not that of the list; nil if it is.
  func refusal(of header: ListState.Header, name: String) -> String? {
    if header.identity == digest { return nil }
    let remedy = "Choose another name with --state, or remove it: riffle state reset \(name)"
    guard header.source == source, header.query == query else {
      let query = header.query.isEmpty ? "" : ", query \"\(header.query)\""
      return "the state \(name) belongs to source \(header.source)\(query). \(remedy)"
    }
    return "the state \(name) was created with other options, columns or filter. \(remedy)"
  }
}
