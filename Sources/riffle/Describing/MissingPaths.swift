import Search
import Text

/// Paths that a source reads but a reply does not contain, with the names that the reply has instead.
struct MissingPaths {
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

  /// Whether the list may end with this page: it has fewer rows than requested, or the whole total.
  private static func mayBeLast(_ page: Page, _ reply: HTTPReply, _ source: Source) -> Bool {
    if case .next = page.continuation { return true }
    if let total = page.total?.count { return total <= page.received }
    return page.pageSize.map { page.received < $0 } ?? false
  }

  /// Why the declared next value is not found in the reply.
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

  /// Whether the key is the one used when the source declares none.
  private static func isStandard(_ key: ValueExpression?) -> Bool {
    if case .path(let path)? = key?.alternatives.first { "\(path)" == "id" } else { key == nil }
  }

  /// Why an expression yields no value in any of the given nodes; nil if it may yield one.
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

  /// - Parameter alternatives: For each alternative, the paths that must all resolve.
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
    guard value.kind == .object else {
      return "\"\(name)\"\(place): expected an object, found \(value.kind.phrase)"
    }
    let names = value.members.map(\.name)
    let nearest = NearestName.nearest(to: name, among: names)
    let advice =
      nearest.isEmpty
      ? "Available: \(names.prefix(12).joined(separator: ", "))\(names.count > 12 ? ", …" : "")"
      : "Did you mean \(nearest.map { "\"\($0)\"" }.joined(separator: " or "))?"
    return "not in the reply: \"\(name)\"\(place). \(advice)"
  }
}
