extension Source {
  /// What each option stands for in a run: what the user chose, else its default; a name that stands for an
  /// address (the embedded server) is that address.
  package func optionValues(of query: Query, in run: RunContext) -> [String: String] {
    var values: [String: String] = [:]
    for option in options {
      if let value = query.options[option.name] ?? option.defaultValue {
        values[option.name] = run.addresses[value] ?? value
      }
    }
    return values
  }
}
