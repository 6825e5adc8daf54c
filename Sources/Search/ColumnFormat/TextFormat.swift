extension ColumnFormat {
  package static let text = ColumnFormat("text", "the value unchanged") { value, context in
    value.text(separator: context.separator)
  }

  package static let list = ColumnFormat("list", "list elements, joined") { value, context in
    value.text(separator: context.separator)
  }

  package static let link = ColumnFormat("link", "an address, unchanged") { value, context in
    value.text(separator: context.separator)
  }

  package static let json = ColumnFormat("json", "compact JSON") { value, context in
    value.text(separator: context.separator)
  }

  package static let bool = ColumnFormat("bool", "yes or no") { value, context in
    switch value {
    case .bool(let flag): flag ? "yes" : "no"
    default: value.text(separator: context.separator)
    }
  }
}
