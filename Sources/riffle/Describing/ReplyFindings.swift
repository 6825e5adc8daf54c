import Search
import Text

/// What a source reads and a reply does not have: paths that lead nowhere, with the names that are there.
struct ReplyFindings {
  let lines: [String]

  init(_ page: Page, of source: Source, in reply: HTTPReply) {
    guard case .document(let rows) = page.content else {
      lines = []
      return
    }
    let body = (try? JSONDocument(reply.body)).map { ($0, [$0.rootNode]) }
    var found: [String?] = []
    if let body {
      found.append(source.rows.path.flatMap { Self.missing([[$0]], in: body).map { "rows.path: \($0)" } })
      found.append(Self.missing(source.rows.total, in: body).map { "rows.total: \($0)" })
      if page.rowCount > 0, !Self.mayBeLast(page, reply, source) {
        found.append(Self.next(source, in: body, reply.headers).map { "pagination.next: \($0)" })
      }
    }
    let all = (rows.reply.document, rows.nodes)
    if !Self.isStandard(source.rows.key) {
      found.append(Self.missing(source.rows.key, in: all).map { "rows.key: \($0)" })
    }
    found.append(Self.missing(source.rows.link, in: all).map { "rows.link: \($0)" })
    for column in source.columns {
      found.append(Self.missing(column.value, in: all).map { "column \(column.name): \($0)" })
    }
    lines = found.compactMap(\.self)
  }

  /// Whether a list may end here: fewer rows than were asked for, or all there are.
  private static func mayBeLast(_ page: Page, _ reply: HTTPReply, _ source: Source) -> Bool {
    if case .next = page.continuation { return true }
    if let total = page.total?.count { return total <= page.received }
    return page.pageSize.map { page.received < $0 } ?? false
  }

  /// Why a declared next value is nowhere in the reply.
  private static func next(
    _ source: Source, in body: (JSONDocument, [JSONNode]), _ headers: HTTPFields
  ) -> String? {
    let settings = source.pagination.settings
    guard let next = settings.next, settings.more == nil, settings.done == nil else { return nil }
    for alternative in next.alternatives {
      switch alternative {
      case .header(let name):
        if headers.first(name) == nil { return "the reply has no header \(name)" }
      case .link(let relation):
        if headers.first("Link") == nil { return "the reply has no Link header with rel=\"\(relation)\"" }
      case .path, .template: break
      }
    }
    return missing(next, in: body)
  }

  /// The key of a row where the source says nothing.
  private static func isStandard(_ key: ValueExpression?) -> Bool {
    if case .path(let path)? = key?.alternatives.first { "\(path)" == "id" } else { key == nil }
  }

  /// Why an expression has a value in none of some places; nil when it may have one.
  private static func missing(
    _ expression: ValueExpression?, in places: (JSONDocument, [JSONNode])
  ) -> String? {
    guard let expression else { return nil }
    var alternatives: [[JSONPath]] = []
    for alternative in expression.alternatives {
      switch alternative {
      case .path(let path): alternatives.append([path])
      case .template(let template): alternatives.append(template.paths)
      case .header, .link: return nil
      }
    }
    return missing(alternatives, in: places)
  }

  /// - Parameter alternatives: for each, the paths that must all lead to something.
  private static func missing(_ alternatives: [[JSONPath]], in places: (JSONDocument, [JSONNode])) -> String?
  {
    let (document, nodes) = places
    var first: String?
    for node in nodes {
      for paths in alternatives {
        let gap = paths.lazy.compactMap { path in
          path.missingMember(in: document, from: node).map { (path, $0) }
        }.first
        guard let (path, (value, name)) = gap else { return nil }
        first = first ?? words(path, name, JSONValue(document: document, node: value))
      }
    }
    return first
  }

  private static func words(_ path: JSONPath, _ name: String, _ value: JSONValue) -> String {
    let place = "\(path)" == name ? "" : " (of \(path))"
    guard value.kind == .object else { return "\"\(name)\"\(place) is looked for in \(value.kind.phrase)" }
    let names = value.members.map(\.name)
    let nearest = NearestName.nearest(to: name, among: names)
    let advice =
      nearest.isEmpty
      ? "There are: \(names.prefix(12).joined(separator: ", "))\(names.count > 12 ? ", …" : "")"
      : "Did you mean \(nearest.map { "\"\($0)\"" }.joined(separator: " or "))?"
    return "not in the reply: \"\(name)\"\(place). \(advice)"
  }
}
