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
