package import Search

extension RowOrder: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("rules", rules)
      $0.member("version", version)
      $0.member("covered", covered)
      if !isOutline { $0.member("rows", rows) }
      if !keys.isEmpty { $0.member("keys", keys) }
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self.init(try json.member("rules"), version: try json.amount("version"))
    covered = try json.amount("covered")
    guard let rows: [UInt32] = try json.member("rows") else {
      self = outline
      return
    }
    self.rows = rows
    keys = try json.member("keys") ?? []
    guard rows.count <= covered, rows.allSatisfy({ $0 < covered }) else {
      throw JSONCodingError("the list has rows that were not checked")
    }
  }
}

extension RowOrderRules: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("filter", filter)
      $0.member("sort", sort)
      $0.member("visible", visible)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self.init(
      filter: try json.member("filter"), sort: try json.member("sort"), visible: try json.member("visible"))
  }
}

extension ColumnSort: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("column", column)
      $0.member("descending", isDescending)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self.init(column: try json.amount("column"), isDescending: try json.member("descending"))
  }
}
