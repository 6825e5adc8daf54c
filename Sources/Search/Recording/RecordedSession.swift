package import JSON

extension SessionEvent: JSONCodable {
  package func write(to json: inout JSONWriter) {
    switch self {
    case .searched(let query, let demand):
      json.choice("searched") {
        $0.member("query", query)
        $0.member("demand", demand)
      }
    case .wanted(let demand): json.choice("wanted", demand)
    case .refreshed(let rows): json.choice("refreshed") { $0.member("rows", rows) }
    case .stopped: json.text("stopped")
    case .retried: json.text("retried")
    case .loaded(let page, let request):
      json.choice("loaded") {
        $0.member("for", request)
        $0.member("page", page)
      }
    case .failed(let error, let request, let moment):
      json.choice("failed") {
        $0.member("for", request)
        $0.member("error", error)
        $0.member("at", moment)
      }
    case .reached(let time): json.choice("reached", time)
    case .totalReceived(let reply, let requested):
      json.choice("total-received") {
        $0.member("for", requested)
        $0.member("total", reply.total)
        $0.member("budget", reply.budget)
        $0.member("bucket", reply.bucket)
        $0.member("exchange", reply.exchange)
      }
    case .totalFailed(let error, let requested, let moment):
      json.choice("total-failed") {
        $0.member("for", requested)
        $0.member("error", error)
        $0.member("at", moment)
      }
    case .written(let ordinal, let generation):
      json.choice("written") {
        $0.member("ordinal", ordinal)
        $0.member("generation", generation)
      }
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self = try json.choose { (name, value) throws(JSONCodingError) in
      switch name {
      case "searched": .searched(try value.member("query"), try value.member("demand"))
      case "wanted": .wanted(try Demand(json: value))
      case "refreshed": .refreshed(rows: try value.amount("rows"))
      case "stopped": .stopped
      case "retried": .retried
      case "loaded": .loaded(try value.member("page"), for: try value.member("for"))
      case "failed":
        .failed(try value.member("error"), for: try value.member("for"), at: try value.member("at"))
      case "reached": .reached(try value.seconds())
      case "total-received":
        .totalReceived(
          TotalReply(
            try value.member("total"), exchange: try value.member("exchange"),
            budget: try value.member("budget"), bucket: try value.member("bucket")),
          for: try value.member("for"))
      case "total-failed":
        .totalFailed(try value.member("error"), for: try value.member("for"), at: try value.member("at"))
      case "written": .written(try value.amount("ordinal"), generation: try value.amount("generation"))
      default: nil
      }
    }
  }
}

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

extension Query: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("text", text)
      if !options.isEmpty { $0.member("options", options) }
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self.init(try json.member("text"), options: try json.member("options") ?? [:])
  }
}

extension PageRequest: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("query", query)
      $0.member("position", position)
      $0.member("generation", generation)
      $0.member("attempt", attempt)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self.init(
      query: try json.member("query"), position: try json.member("position"),
      generation: try json.amount("generation"), attempt: try json.amount("attempt"))
  }
}

extension TotalQuery: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("query", query)
      $0.member("generation", generation)
      if attempt > 0 { $0.member("attempt", attempt) }
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self.init(
      query: try json.member("query"), generation: try json.amount("generation"),
      attempt: try json.amount("attempt") ?? 0)
  }
}

extension Demand: JSONCodable {
  package func write(to json: inout JSONWriter) {
    switch self {
    case .nothing: json.text("nothing")
    case .pages(let count): json.choice("pages", count)
    case .rows(let count): json.choice("rows", count)
    case .everything: json.text("everything")
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self = try json.choose { (name, value) throws(JSONCodingError) in
      switch name {
      case "nothing": .nothing
      case "pages": .pages(try value.amount())
      case "rows": .rows(try value.size())
      case "everything": .everything
      default: nil
      }
    }
  }
}

extension Total: JSONCodable {
  package func write(to json: inout JSONWriter) {
    switch self {
    case .exact(let count): json.choice("exact", count)
    case .atLeast(let count): json.choice("at-least", count)
    case .estimate(let count): json.choice("estimate", count)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self = try json.choose { (name, value) throws(JSONCodingError) in
      switch name {
      case "exact": .exact(try value.size())
      case "at-least": .atLeast(try value.size())
      case "estimate": .estimate(try value.size())
      default: nil
      }
    }
  }
}

extension Moment: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("now", now)
      $0.member("chance", jitter)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self.init(now: try json.seconds("now"), jitter: try json.seconds("chance"))
  }
}

extension Position: JSONCodable {
  package func write(to json: inout JSONWriter) { json.position(self) }

  package init(json: JSONValue) throws(JSONCodingError) {
    let position: Position? = Position(json)
    guard let position, position.ordinal <= Int32.max, position.isNear else {
      throw JSONCodingError(json, isNot: "a position")
    }
    self = position
  }

  /// Whether the number is small enough to count the following pages without overflow.
  private var isNear: Bool {
    guard case .number(let number) = value else { return true }
    return number.magnitude < 1 << 53
  }
}

extension Continuation: JSONCodable {
  package func write(to json: inout JSONWriter) {
    switch self {
    case .end(let reason): json.choice("end", reason)
    case .next(let position, let evidence):
      json.choice("next") {
        $0.member("position", position)
        $0.member("evidence", evidence)
      }
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self = try json.choose { (name, value) throws(JSONCodingError) in
      switch name {
      case "end": .end(try EndReason(json: value))
      case "next": .next(try value.member("position"), try value.member("evidence"))
      default: nil
      }
    }
  }
}

extension Evidence: JSONCodable {}

extension EndReason: JSONCodable {
  package func write(to json: inout JSONWriter) {
    switch self {
    case .last, .emptyPage, .total, .cap, .repeats, .limit: json.text(name)
    case .status(let number): json.choice("status", number)
    case .emptyPages(let count): json.choice("empty-pages", count)
    case .maxPages(let count): json.choice("max-pages", count)
    case .maxRows(let count): json.choice("max-rows", count)
    case .refusedNext(let why): json.choice("refused-next", why)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self = try json.choose { (name, value) throws(JSONCodingError) in
      switch name {
      case "status": .status(try Int(json: value))
      case "empty-pages": .emptyPages(try Int(json: value))
      case "max-pages": .maxPages(try Int(json: value))
      case "max-rows": .maxRows(try Int(json: value))
      case "refused-next": .refusedNext(try String(json: value))
      default: [.last, .emptyPage, .total, .cap, .repeats, .limit].first { $0.name == name }
      }
    }
  }
}

extension JSONWriter {
  /// A position, or the replacement for one that contains a secret.
  package mutating func position(_ position: Position) {
    let json = position.json
    if let redacted, redacted(json) != json { hide(position) }
    guard let name = placeholders[position.firstRequestingSamePage] else { return literal(json) }
    literal(Position(ordinal: position.ordinal, value: .token(name)).json)
  }

  /// Replaces a position that contains a secret in all further output.
  package mutating func hide(_ position: Position) {
    let first = position.firstRequestingSamePage
    if placeholders[first] == nil { placeholders[first] = JSONToken("secret-\(placeholders.count + 1)") }
  }
}

extension Position {
  /// Positions with the same request have the same replacement.
  fileprivate var firstRequestingSamePage: Position { Position(ordinal: 0, value: value, carried: carried) }
}
