package import HTTPValues
import Search
import Text

extension SourceGuess {
  /// The source as a TOML document for the user to edit.
  ///
  /// - Parameter remarks: What the second page showed; written as comments in the pagination table.
  package func document(
    id: String, title: String, pagination: PaginationGuess, remarks: [String] = []
  ) -> String {
    let parts = [
      request.head(id: id, title: title), request.table, request.headers.credentialTables,
      pagination.table(request, largestPage: largestPage, remarks: remarks), rowsTable,
    ].compactMap(\.self)
    return (parts + columns.map(\.table)).joined(separator: "\n")
  }

  private var rowsTable: String {
    let shape = shape == .list ? nil : shape.rawValue
    var lines = ["[rows]"]
    lines += texts(["path": rowsPath, "shape": shape, "names": columnNames, "key": identity.key])
    if identity.key == nil, identity.link == nil {
      lines += [
        TOMLText.comment("No member looks like a row key. With one, duplicate rows are dropped:"),
        "# key = \"id\"",
      ]
    }
    lines += texts(["total": total?.expression, "link": identity.link])
    return lines.joined(separator: "\n") + "\n"
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

  var table: String {
    var lines = ["[request]", "url = \(TOMLText.string(url))"] + [headers.requestLine].compactMap(\.self)
    let fields = parameters.map { "\(TOMLText.key($0.name)) = \(TOMLText.string($0.template))" }
    let inline = "params = { \(fields.joined(separator: ", ")) }"
    if inline.utf8.count <= 100 {
      if !fields.isEmpty { lines.append(inline) }
    } else {
      lines += ["[request.params]"] + fields
    }
    if searchText == nil {
      lines += [
        TOMLText.comment("No parameter looks like a search text, so the source takes no query."),
        TOMLText.comment("If there is one, set its value to \"{query}\": params = { q = \"{query}\" }"),
      ]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  fileprivate func sizeLine(largestPage: Int?) -> String {
    guard let pageSize else {
      let most = largestPage ?? 100
      return
        "# size = { param = \"per_page\", default = \(min(30, most)), max = \(most) }   # if the service lets you set the page size"
    }
    let size = "size = { param = \(TOMLText.string(pageSize.name)), default = "
    guard let largestPage else {
      return size + "\(pageSize.value) }   # add max = N, the largest page size of the service"
    }
    return size + "\(min(pageSize.value, largestPage)), max = \(largestPage) }"
  }
}

extension PaginationGuess {
  fileprivate func table(_ request: RequestGuess, largestPage: Int?, remarks: [String]) -> String {
    let found = isCertain ? reason : "\(reason) (a guess)"
    var lines = ["[pagination]"] + ([found] + remarks).map(TOMLText.comment)
    lines += texts(["type": style.rawValue, "param": parameter])
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
  /// - Parameters:
  ///   - address: Its credentials are replaced by an `[auth]` table.
  ///   - failure: If a credential is missing, the document gets an `[auth]` table to fill in.
  package static func document(
    id: String, title: String, address: WebURL, failure: DetectionFailure
  ) -> String {
    let secrets = RequestGuess.credentials(in: address)
    var clean = address
    for name in secrets { clean.removeQueryItems(named: name) }
    // The description of a URL contains no user name.
    let request = (try? WebURL(clean.description)).flatMap { try? RequestGuess($0) }
    let parts = [
      request?.head(id: id, title: title), request?.table, auth(secrets, failure), pagination, rows,
    ]
    return parts.compactMap { $0 }.joined(separator: "\n")
  }

  private static func auth(_ parameters: [String], _ failure: DetectionFailure) -> String? {
    if let name = parameters.first { return AuthScheme.query.table(["param": name]) }
    switch failure {
    case .unauthorized(_, let scheme?, _, _): return AuthSchemes.all.first { $0.name == scheme }?.table()
    case .credential, .unauthorized:
      return AuthScheme.bearer.table(remark: "          # or: type = \"header\", header = \"X-Api-Key\"")
    case .status, .rateLimited, .notJSON, .noRows, .emptyRows: return nil
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
  fileprivate func table(_ texts: [String: String] = [:], remark: String = "") -> String {
    let lines =
      ["[auth]", "type = \(TOMLText.string(name))\(remark)"]
      + keys.compactMap { key in texts[key.name].map { "\(key.name) = \(TOMLText.string($0))" } }
      + inputs.map {
        "\($0.key) = [\"env:\($0.variable)\"]   # the environment variable with the \($0.meaning)"
      }
    return lines.joined(separator: "\n") + "\n"
  }
}
