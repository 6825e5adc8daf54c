import Search

/// What the tables about rows may refer to: the options of the source, and the origin of its requests.
struct RowScope {
  let placeholders: Placeholders
  /// Nil if it depends on an option.
  let origin: Origin?

  var options: [SourceOption] { placeholders.options }

  init(placeholders: Placeholders, endpoint: Endpoint?) {
    self.placeholders = placeholders
    origin = endpoint.flatMap { Self.origin(of: placeholders.sample($0.url)) }
  }

  /// Why this source may not request an address; nil if it may.
  func problem(of address: String) -> String? {
    guard let origin, let other = Self.origin(of: address), other != origin else { return nil }
    return "leads to \(other), but request.url has the origin \(origin)"
  }

  /// Like `problem(of:)`, for an address computed from a row.
  func problem(of expression: ValueExpression) -> String? {
    for template in expression.templates {
      guard template.isAddress else { return "expected an address that starts with http:// or https://" }
      let sample = template.filled(
        option: { placeholders.option($0)?.defaultValue ?? "x" }, value: { _ in "x" })
      if let problem = sample.flatMap(problem(of:)) { return problem }
    }
    return nil
  }

  private static func origin(of address: String) -> Origin? { (try? WebURL(address))?.origin }
}
