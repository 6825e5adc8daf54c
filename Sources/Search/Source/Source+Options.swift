private import Text

extension Source {
  /// The value of each option: the chosen one, or else its default.
  ///
  /// - Parameter chosen: Values by name (`--set`). Names that the source does not know are ignored.
  /// - Throws: If a value is missing or not allowed (a usage error).
  package func optionValues(_ chosen: [String: String]) throws(OptionError) -> [String: String] {
    var values: [String: String] = [:]
    for option in options {
      guard let value = chosen[option.name] ?? option.defaultValue else {
        throw OptionError(
          message: "source \(id) requires option \(option.name)", remedy: "add --set \(option.name)=…")
      }
      if let refusal = refusal(of: value, for: option) {
        throw OptionError(
          message: "option \(option.name) of source \(id) \(refusal.problem)", remedy: refusal.remedy)
      }
      values[option.name] = value
    }
    return values
  }

  /// The effective value of each option in a run: the chosen one, or else its default. A name that refers to
  /// a URL (the embedded server) is replaced by that URL.
  package func optionValues(of query: Query, in run: RunContext) -> [String: String] {
    var values: [String: String] = [:]
    for option in options {
      if let value = query.options[option.name] ?? option.defaultValue {
        values[option.name] = run.addresses[value] ?? value
      }
    }
    return values
  }

  private func refusal(of value: String, for option: SourceOption) -> OptionRefusal? {
    if let refusal = option.refusal(of: value) { return refusal }
    guard option.name == endpoint.url.baseName, let problem = BaseAddress.problem(of: value) else {
      return nil
    }
    // The value is not included, because it may contain a password.
    return OptionRefusal("is not a base URL: \(problem)", "write it like https://example.org")
  }
}

/// An option whose value is missing or not allowed.
package struct OptionError: Error, Sendable, Hashable, CustomStringConvertible {
  package let message: String
  package let remedy: String

  package var description: String { Sentences.joined([message, remedy]) }
}

/// A value for the scheme and host of a URL: http or https, optionally with a path, nothing else.
package enum BaseAddress {
  /// What is wrong with the text, as the end of a sentence about it; nil if it is valid.
  package static func problem(of text: String) -> String? {
    let url: WebURL
    do { url = try WebURL(text) } catch { return "\(error.reason)" }
    if url.hasUserinfo { return "it contains a user name or password" }
    return url.query == nil && !text.utf8.contains(UInt8(ascii: "#"))
      ? nil : "it contains a query or fragment"
  }
}
