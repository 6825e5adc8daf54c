/// The values of the placeholders of a request.
struct PlaceholderValues: Sendable {
  private var values: [String: String] = [:]
  private var kinds: [String: SourceOption.Kind] = [:]

  /// - Throws: If an option is missing or its value is not allowed.
  init(source: Source, query: Query, run: RunContext) throws(OptionError) {
    for (name, value) in try source.optionValues(query.options) {
      values[name] = run.addresses[value] ?? value
    }
    for option in source.options { kinds[option.name] = option.kind }
    values["query"] = query.text
    values["app"] = run.app
    values["version"] = run.version
    values["homepage"] = source.homepage
    if let size = run.pageSize {
      values["page_size"] = String(size)
      kinds["page_size"] = .number
    }
  }

  func callAsFunction(_ name: String) -> String? { values[name] }

  /// The value as JSON, with a number or boolean as written; nil if there is none.
  func token(_ name: String) -> JSONToken? {
    values[name].map { value in
      switch kinds[name] ?? .text {
      case .number, .boolean: JSONToken(literal: value)
      case .text: JSONToken(value)
      }
    }
  }
}
