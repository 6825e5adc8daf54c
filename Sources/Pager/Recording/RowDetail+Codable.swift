package import Search

extension RowDetail.Identity: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("version", version)
      $0.member("row", row)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self.init(version: try json.amount("version"), row: try json.amount("row"))
  }
}

extension RowDetail.Content: JSONCodable {
  package func write(to json: inout JSONWriter) {
    switch self {
    case .read(let fields, let others, let body, let lines):
      json.choice("read") {
        $0.member("fields", fields)
        if !others.isEmpty { $0.member("others", others) }
        $0.member("body", body)
        $0.member("json", lines)
      }
    case .failed(let why): json.choice("failed", why)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self = try json.choose { (name, value) throws(JSONCodingError) in
      switch name {
      case "read":
        .read(
          fields: try value.member("fields"), others: try value.member("others") ?? [],
          body: try value.member("body"), json: try value.member("json"))
      case "failed": .failed(try String(json: value))
      default: nil
      }
    }
  }
}

extension RowDetail.Field: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("title", title)
      $0.member("text", text)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self.init(title: try json.member("title"), text: try json.member("text"))
  }
}

extension EffectOutcome: JSONCodable {
  package func write(to json: inout JSONWriter) {
    switch self {
    case .done(let report?): json.choice("done", report)
    case .done(nil): json.text("done")
    case .failed(let report): json.choice("failed", report)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    let isSilent = json.string == "done"
    self = try json.choose { (name, value) throws(JSONCodingError) in
      switch name {
      case "done": .done(isSilent ? nil : try String(json: value))
      case "failed": .failed(try String(json: value))
      default: nil
      }
    }
  }
}
