import HTTPValues
import JSON
import Search
import Text

extension SourceGuess {
  /// The source as a TOML document for the user to edit.
  ///
  /// - Parameter remarks: What the second page showed; written as comments in the pagination table.
  package func document(
    id: String, title: String, pagination: PaginationGuess, remarks: [String] = []
  ) -> String {
    let rows = RowsDraft(
      path: rowsPath, shape: shape, names: columnNames, key: identity.key, link: identity.link,
      total: total?.expression, columns: columns)
    let parts = [
      request.head(id: id, title: title), request.table, request.credentials.tables,
      pagination.table(request, largestPage: largestPage, remarks: remarks), rows.table(pagination.trial),
    ].compactMap(\.self)
    return (parts + columns.map(\.table)).joined(separator: "\n")
  }
}

/// The keys that have a text.
func texts(_ entries: KeyValuePairs<String, String?>) -> [String] {
  entries.compactMap { key, text in text.map { "\(key) = \(TOMLText.string($0))" } }
}

extension RequestGuess {
  func head(id: String, title: String) -> String {
    """
    schema = 1
    id = \(TOMLText.string(id))
    title = \(TOMLText.string(title))

    """
  }

  /// The source of this request alone, without rows.
  package func document(id: String) -> String {
    [head(id: id, title: id), table, credentials.tables, "[pagination]\ntype = \"none\"\n"]
      .compactMap(\.self).joined(separator: "\n")
  }

  var table: String {
    var lines = ["[request]", "url = \(TOMLText.string(url))"]
    if example.method != (example.body == nil ? .get : .post) {
      lines.append("method = \"\(example.method.rawValue)\"")
    }
    let isGraphQL = example.body?.graphQL != nil
    if example.method == .post, !isGraphQL {
      lines.append("safe = true   # the request only reads: it may be repeated")
    }
    if example.bodyType == .form, example.body != nil { lines.append("body_type = \"form\"") }
    var tables: [[String]] = []
    func add(_ name: String, _ members: [Named<String>]) {
      let fields = members.map { "\(TOMLText.key($0.name)) = \($0.value)" }
      let inline = "\(name) = { \(fields.joined(separator: ", ")) }"
      if fields.isEmpty { return }
      if inline.utf8.count <= 100 {
        lines.append(inline)
      } else {
        tables.append(["[request.\(name)]"] + fields)
      }
    }
    func texts(_ fields: [Named<WrittenText>]) -> [Named<String>] {
      fields.map { Named(name: $0.name, value: TOMLText.string($0.value.template)) }
    }
    add(
      "params",
      parameters.map { Named(name: $0.name, value: TOMLText.string($0.value)) }
        + texts(credentials.parameters))
    add("headers", texts(credentials.headers))
    if let (document, _) = example.body?.graphQL {
      lines.append("graphql = \(TOMLText.block(document.text) ?? TOMLText.string(document.text))")
      add("variables", members(of: example.body?["variables"], at: ["variables"]))
    } else {
      add("body", members(of: example.body, at: []))
    }
    if searchText == nil {
      lines += [
        TOMLText.comment("Nothing looks like a search text, so the source takes no query."),
        TOMLText.comment("If there is one, set its value to \"{query}\": params = { q = \"{query}\" }"),
      ]
    }
    return (lines + tables.flatMap(\.self)).joined(separator: "\n") + "\n"
  }

  /// The members of a table of the body, without those that pagination sets.
  private func members(of body: BodyExample?, at path: [String]) -> [Named<String>] {
    guard case .table(let members)? = body else { return [] }
    return members.compactMap { member in
      text(of: member.value, at: path + [member.name]).map { Named(name: member.name, value: $0) }
    }
  }

  /// A value of the body as TOML, which has no null; nil if it is left out. Recursion is bounded by the depth of a
  /// document.
  private func text(of body: BodyExample, at path: [String]) -> String? {
    switch roles[.body(path)] {
    case .search?: return TOMLText.string("{query}")
    case .pageSize?, .page?, .offset?, .cursor?: return nil
    case .credential?, .literal?, nil: break
    }
    switch body {
    case .token("null"): return nil
    case .token(let token): return Self.isTOML(token) ? token : TOMLText.string(token)
    case .text(let text): return TOMLText.string(text.template)
    case .list(let elements):
      // No path leads into a list.
      return "[\(elements.compactMap { self.text(of: $0, at: []) }.joined(separator: ", "))]"
    case .table:
      let fields = members(of: body, at: path).map { "\(TOMLText.key($0.name)) = \($0.value)" }
      return fields.isEmpty ? "{}" : "{ \(fields.joined(separator: ", ")) }"
    }
  }

  /// Whether a JSON number or Boolean is a TOML value: an integer of 64 bits, or a number with a fraction or exponent.
  private static func isTOML(_ token: String) -> Bool {
    Int(token) != nil || Double(token)?.isFinite == true && token.contains { ".eE".contains($0) }
      || ["true", "false"].contains(token)
  }

  fileprivate func sizeLine(largestPage: Int?) -> String {
    guard let pageSize else {
      let most = largestPage ?? 100
      return
        "# size = { param = \"per_page\", default = \(min(30, most)), max = \(most) }   # if the service lets you set the page size"
    }
    let size = "size = { \(pageSize.slot.sizeEntry), default = "
    guard let largestPage else {
      return size + "\(pageSize.value) }   # add max = N, the largest page size of the service"
    }
    return size + "\(min(pageSize.value, largestPage)), max = \(largestPage) }"
  }
}

extension Slot {
  /// As a key of `[pagination]`.
  var positionEntry: String {
    switch self {
    case .query(let name): "param = \(TOMLText.string(name))"
    case .header(let name): "into = \(TOMLText.string("header:\(name)"))"
    case .body(let path): "into = \(TOMLText.string("body:\(Self.path(path))"))"
    }
  }

  /// As a key of `[pagination.size]`.
  var sizeEntry: String {
    switch self {
    case .query(let name): "param = \(TOMLText.string(name))"
    case .header(let name): "header = \(TOMLText.string(name))"
    case .body(let path): "body = \(TOMLText.string(Self.path(path)))"
    }
  }

  private static func path(_ names: [String]) -> String {
    "\(JSONPath(steps: names.map { .member(JSONKey($0)) }))"
  }
}

extension PaginationGuess {
  fileprivate func table(_ request: RequestGuess, largestPage: Int?, remarks: [String]) -> String {
    let found = isCertain ? reason : "\(reason) (a guess)"
    var lines = ["[pagination]"] + ([found] + remarks).map(TOMLText.comment)
    lines += texts(["type": style.rawValue])
    if let parameter { lines.append(request.slot(for: parameter).positionEntry) }
    if let first { lines.append("first = \(first.text)") }
    lines += texts(["next": next, "more": more, "done": done, "pages": pages])
    if let endStatus { lines.append("end_status = [\(endStatus)]") }
    lines.append(request.sizeLine(largestPage: largestPage))
    return lines.joined(separator: "\n") + "\n"
  }
}

extension PaginationGuess.First {
  var text: String {
    switch self {
    case .number(let number): "\(number)"
    case .text(let text): TOMLText.string(text)
    }
  }
}

extension ColumnGuess {
  var table: String {
    let align = isAlignedRight ? "right" : nil
    var lines = ["[[columns]]"]
    lines += texts(["name": name, "path": path, "format": format, "html": html, "align": align])
    if isWide { lines.append("width = { min = 10, weight = 5 }") }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// A source to complete by hand, for a service whose reply cannot be analyzed.
package enum SourceSkeleton {
  /// - Parameter failure: If a credential is missing, the document gets an `[auth]` table to fill in.
  package static func document(
    id: String, title: String, _ example: RequestExample, failure: DetectionFailure
  ) -> String {
    let request = RequestGuess(example)
    let auth = request.credentials.tables ?? auth(failure)
    return [request.head(id: id, title: title), request.table, auth, pagination, rows]
      .compactMap { $0 }.joined(separator: "\n")
  }

  private static func auth(_ failure: DetectionFailure) -> String? {
    switch failure {
    case .unauthorized(_, let scheme?, _, _): AuthSchemes.all.first { $0.name == scheme }?.table()
    case .unauthorized:
      AuthScheme.bearer.table(remark: "          # or: type = \"header\", header = \"X-Api-Key\"")
    case .credential, .status, .rateLimited, .notJSON, .noRows, .emptyRows: nil
    }
  }

  private static let pagination = """
    [pagination]
    type = "none"
    # By page number:   type = "page", param = "page", first = 1
    # By rows to skip:  type = "offset", param = "offset"
    # By cursor:        type = "cursor", next = "next_cursor", into = "query:cursor"
    # By next link:     type = "link", next = "link:next", or next = "links.next"

    """

  private static let rows = """
    [rows]
    path = "items"             # path of the list of rows in the reply; "$" is the reply itself
    key = "id"                 # identifies a row
    # total = "total_count"    # total number of rows
    # link = "url"             # address of a row in a browser

    """
}

extension AuthScheme {
  /// An `[auth]` table to fill in.
  fileprivate func table(remark: String = "") -> String {
    let lines =
      ["[auth]", "type = \(TOMLText.string(name))\(remark)"]
      + inputs.map {
        "\($0.key) = [\"env:\($0.variable)\"]   # the environment variable with the \($0.meaning)"
      }
    return lines.joined(separator: "\n") + "\n"
  }
}
