extension Source {
  /// The value of each option: the one chosen, else its default.
  ///
  /// - Parameter chosen: values by name (`--set`); names the source does not know are passed over.
  /// - Throws: when one is missing or may not be (wrong usage).
  package func optionValues(_ chosen: [String: String]) throws(OptionError) -> [String: String] {
    var values: [String: String] = [:]
    for option in options {
      guard let value = chosen[option.name] ?? option.defaultValue else {
        throw OptionError(
          message: "source \(id) needs the option \(option.name)", remedy: "add --set \(option.name)=…")
      }
      if let refusal = refusal(of: value, for: option) {
        throw OptionError(
          message: "option \(option.name) of source \(id) \(refusal.problem)", remedy: refusal.remedy)
      }
      values[option.name] = value
    }
    return values
  }

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

  private func refusal(of value: String, for option: SourceOption) -> OptionRefusal? {
    if let refusal = option.refusal(of: value) { return refusal }
    guard option.name == endpoint.url.baseName, let problem = BaseAddress.problem(of: value) else {
      return nil
    }
    // The value is not repeated: it may hold a password.
    return OptionRefusal("is no base address: \(problem)", "write it like https://example.org")
  }
}

/// An option that is missing or may not be what it is.
package struct OptionError: Error, Sendable, Hashable, CustomStringConvertible {
  package let message: String
  package let remedy: String

  package var description: String { "\(message); \(remedy)" }
}

/// What may stand for scheme and host of an address: http or https, perhaps a path, nothing else.
package enum BaseAddress {
  /// What is wrong with it, as a sentence about "it"; nil when nothing is.
  package static func problem(of text: String) -> String? {
    let url: WebURL
    do { url = try WebURL(text) } catch { return "\(error.reason)" }
    if url.hasUserinfo { return "it has a user name or password in it" }
    return url.query == nil && !text.utf8.contains(UInt8(ascii: "#"))
      ? nil : "it has a query or fragment"
  }
}
