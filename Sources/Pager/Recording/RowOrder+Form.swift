package import Search

extension RowOrder: JSONForm {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("rules", rules)
      $0.member("version", version)
      $0.member("covered", covered)
      if !isOutline { $0.member("rows", rows) }
      if !ranks.isEmpty { $0.member("ranks", ranks) }
    }
  }

  package init(json: JSONValue) throws(JSONFormError) {
    self.init(try json.member("rules"), version: try json.amount("version"))
    covered = try json.amount("covered")
    guard let rows: [UInt32] = try json.member("rows") else {
      self = outline
      return
    }
    self.rows = rows
    ranks = try json.member("ranks") ?? []
    guard rows.count <= covered, rows.allSatisfy({ $0 < covered }) else {
      throw JSONFormError("rows are listed that were not looked at")
    }
  }
}

extension RowOrderRules: JSONForm {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("filter", filter)
      $0.member("sort", sort)
      $0.member("visible", visible)
    }
  }

  package init(json: JSONValue) throws(JSONFormError) {
    self.init(
      filter: try json.member("filter"), sort: try json.member("sort"), visible: try json.member("visible"))
  }
}

extension ColumnSort: JSONForm {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("column", column)
      $0.member("descending", isDescending)
    }
  }

  package init(json: JSONValue) throws(JSONFormError) {
    self.init(column: try json.amount("column"), isDescending: try json.member("descending"))
  }
}

/// `[kind, bits, more bits]`.
extension RowRank: JSONForm {
  package func write(to json: inout JSONWriter) {
    [UInt64(kind.rawValue), bits, moreBits].write(to: &json)
  }

  package init(json: JSONValue) throws(JSONFormError) {
    let parts = try [UInt64](json: json)
    guard parts.count == 3, let kind = Kind(rawValue: UInt8(truncatingIfNeeded: parts[0])) else {
      throw JSONFormError(json, isNot: "a rank")
    }
    self.init(kind: kind, bits: parts[1], moreBits: parts[2])
  }
}
