extension Page: JSONCodable {
  package func write(to json: inout JSONWriter) {
    if let secretNext { json.hide(secretNext) }
    json.object {
      $0.member("rows", content)
      if !keys.isEmpty { $0.member("keys", keys) }
      $0.member("fingerprint", fingerprint)
      $0.member("received", received)
      $0.member("page_size", pageSize)
      $0.member("continuation", continuation)
      $0.member("total", total)
      $0.member("page_count", pageCount)
      $0.member("budget", budget)
      $0.member("bucket", bucket)
      $0.member("backoff", backoff)
      if !notes.isEmpty { $0.member("notes", notes) }
      $0.member("exchange", exchange)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self.init(
      content: try json.member("rows"), keys: try json.member("keys") ?? [],
      fingerprint: try json.member("fingerprint"), received: try json.amount("received") as Int,
      pageSize: try json.amount("page_size"), continuation: try json.member("continuation"),
      total: try json.member("total"), pageCount: try json.size("page_count"),
      budget: try json.member("budget"), bucket: try json.member("bucket"),
      backoff: try json.seconds("backoff"), notes: try json.member("notes") ?? [],
      exchange: try json.member("exchange"))
    guard keys.isEmpty || keys.count == rowCount else {
      throw JSONCodingError("\(keys.count) keys do not match \(rowCount) rows")
    }
  }

  /// The next position, if it contains a secret.
  package var secretNext: Position? {
    if case .next(let next, _) = continuation, next != keptNext { next } else { nil }
  }

  /// The page without the texts of its rows, which are most of its size. Keeps everything that the session's
  /// decisions depend on.
  package var withoutTexts: Page {
    var page = self
    page.content = .cells(CellTable(withoutTextsOf: content.rowCount))
    return page
  }
}

/// Rows that are not cells but a document (one-shot mode) are only counted.
extension PageContent: JSONCodable {
  package func write(to json: inout JSONWriter) {
    switch self {
    case .cells(let table): table.write(to: &json)
    case .document(let rows): CellTable(withoutTextsOf: rows.nodes.count).write(to: &json)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) { self = .cells(try CellTable(json: json)) }
}

extension RateBudget: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("limit", limit)
      $0.member("remaining", remaining)
      $0.member("resets_at", resetsAt)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self.init(
      limit: try json.member("limit"), remaining: try json.member("remaining"),
      resetsAt: try json.seconds("resets_at"))
  }
}

extension RateBucket: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("origin", origin.description)
      $0.member("name", name)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    let text: String = try json.member("origin")
    guard let url = try? WebURL(text) else { throw JSONCodingError("\(text) is not an origin") }
    self.init(origin: url.origin, name: try json.member("name"))
  }
}

extension HTTPMethod: JSONCodable {}

extension Exchange: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("method", method)
      $0.member("address", address)
      $0.member("status", status)
      $0.member("bytes", bytes)
      $0.member("sent_at", sentAt)
      $0.member("arrived_at", arrivedAt)
      if requests != 1 { $0.member("requests", requests) }
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self.init(
      method: try json.member("method"), address: try json.member("address"),
      status: try json.member("status"), bytes: try json.member("bytes"),
      sentAt: try json.seconds("sent_at"), arrivedAt: try json.seconds("arrived_at"),
      requests: max(1, try json.amount("requests") ?? 1))
  }
}
