package import Text

/// The display properties of a column. How its values are read from a reply is not included.
extension Column: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("name", name)
      $0.member("title", title)
      $0.member("format", format.name)
      $0.member("alignment", alignment)
      $0.member("width", width)
      $0.member("wrapped", isWrapped)
      $0.member("priority", priority)
      $0.member("color", color)
      $0.member("empty", empty)
      if isHidden { $0.member("hidden", isHidden) }
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    let format: String = try json.member("format")
    guard let format = ColumnFormat.named(format) else {
      throw JSONCodingError("column format \(format) is not known to this version")
    }
    self.init(
      name: try json.member("name"), title: try json.member("title") as String, value: ValueExpression([]),
      format: format, alignment: try json.member("alignment") as Alignment, width: try json.member("width"),
      isWrapped: try json.member("wrapped"), priority: try json.member("priority"),
      color: try json.member("color"), empty: try json.member("empty"),
      isHidden: try json.member("hidden") ?? false)
  }
}

extension Alignment: JSONCodable {}

extension ColumnWidth: JSONCodable {
  package func write(to json: inout JSONWriter) {
    switch self {
    case .fixed(let width): json.choice("fixed", width)
    case .flexible(let least, let most, let weight):
      json.choice("flexible") {
        $0.member("min", least)
        $0.member("max", most)
        $0.member("weight", weight)
      }
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self = try json.choose { (name, value) throws(JSONCodingError) in
      switch name {
      case "fixed": .fixed(try value.amount())
      case "flexible":
        .flexible(
          min: try value.amount("min"), max: try value.amount("max"), weight: try value.amount("weight"))
      default: nil
      }
    }
  }
}

extension Role: JSONCodable {}

extension ColumnColor: JSONCodable {
  package func write(to json: inout JSONWriter) {
    switch self {
    case .always(let role): json.choice("always", role)
    case .byText(let roles): json.choice("by_text", roles)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self = try json.choose { (name, value) throws(JSONCodingError) in
      switch name {
      case "always": .always(try Role(json: value))
      case "by_text": .byText(try [String: Role](json: value))
      default: nil
      }
    }
  }
}
