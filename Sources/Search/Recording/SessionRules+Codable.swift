extension Session.Rules: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("first", first)
      $0.member("numbering", numbering)
      $0.member("reach", pagingCap)
      $0.member("repetition", repetition)
      $0.member("overlap", overlap)
      $0.member("concurrency", concurrency)
      $0.member("min_interval", minInterval)
      $0.member("max_empty_pages", maxEmptyPages)
      $0.member("max_rows", maxRows)
      $0.member("max_pages", maxPages)
      $0.member("attempts", retry.attempts)
      $0.member("longest_wait", retry.longestWait)
      $0.member("min_length", minLength)
      $0.member("awaits_writing", awaitsWriting)
      $0.member("asks_for_total", requestsTotal)
      $0.member("keeps_log", keepsLog)
      $0.member("resumption", resumePoint)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self.init(
      first: try json.member("first"), numbering: try json.member("numbering"),
      pagingCap: try json.member("reach"), repetition: try json.member("repetition"),
      overlap: try json.amount("overlap"), concurrency: min(try json.amount("concurrency"), Self.mostPages),
      minInterval: try json.seconds("min_interval"), maxEmptyPages: try json.amount("max_empty_pages"),
      maxRows: try json.size("max_rows"), maxPages: try json.size("max_pages"),
      retry: RetryPolicy(
        attempts: try json.size("attempts"), longestWait: try json.seconds("longest_wait")),
      minLength: try json.size("min_length"), awaitsWriting: try json.member("awaits_writing"))
    requestsTotal = try json.member("asks_for_total")
    keepsLog = try json.member("keeps_log")
    resumePoint = try json.member("resumption")
    // Rows that are not written out stay in memory.
    if !awaitsWriting { maxRows = min(maxRows ?? .max, Self.mostRows) }
  }

  /// Limits that are above what the settings allow in any session.
  private static let mostPages = 64
  private static let mostRows = 10_000_000
}

extension PaginationSettings.Repetition: JSONCodable {}

extension Numbering: JSONCodable {
  package func write(to json: inout JSONWriter) {
    switch self {
    case .pages(let first): json.choice("pages", first)
    case .rows(let first): json.choice("rows", first)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self = try json.choose { (name, value) throws(JSONCodingError) in
      switch name {
      case "pages": .pages(from: try value.amount())
      case "rows": .rows(from: try value.amount())
      default: nil
      }
    }
  }
}

extension PagingCap: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("unit", cap.unit)
      $0.member("count", cap.count)
      $0.member("rule", cap.rule)
      $0.member("page_size", pageSize)
      $0.member("numbering", numbering)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self.init(
      PaginationSettings.Cap(
        unit: try json.member("unit"), count: try json.amount("count"), rule: try json.member("rule")),
      pageSize: try json.amount("page_size"), numbering: try json.member("numbering"))
  }
}

extension PaginationSettings.Cap.Unit: JSONCodable {}
extension PaginationSettings.Cap.Rule: JSONCodable {}

extension ResumePoint: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("next", next)
      $0.member("received", received)
      $0.member("skipped", skipped)
      $0.member("keys", keys)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self.init(
      next: try json.member("next"), received: try json.amount("received"), keys: try json.member("keys"))
    skipped = try json.amount("skipped")
  }
}
