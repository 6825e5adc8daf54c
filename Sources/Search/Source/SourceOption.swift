import HTTPValues
import JSON
private import Text

/// A value that the user can choose for a source (`[options.NAME]`), placed by `{NAME}`.
package struct SourceOption: Sendable, Hashable, Codable {
  /// The type of the value in a request body.
  package enum Kind: Sendable, Hashable { case text, number, boolean }

  package var name: String
  package var title: String?
  package var kind = Kind.text
  /// The allowed values. With a `charset` these are only suggestions; if empty, any text is allowed.
  package var values: [String]
  /// The value if none is chosen; nil if the user must choose one.
  package var defaultValue: String?
  package var charset: Charset?
  /// In characters.
  package var maxLength: Int?
  /// Pressed after `,` to cycle through the values.
  package var key: String?

  /// What a pager uses.
  private enum CodingKeys: CodingKey { case name, title, values, defaultValue, key }

  package init(
    name: String, title: String? = nil, kind: Kind = .text, values: [String] = [],
    defaultValue: String? = nil, charset: Charset? = nil, maxLength: Int? = nil, key: String? = nil
  ) {
    self.name = name
    self.title = title
    self.kind = kind
    self.values = values
    self.defaultValue = defaultValue ?? values.first
    self.charset = charset
    self.maxLength = maxLength
    self.key = key
  }

  /// The value in a run: the chosen one, or else the default. A name that refers to a URL is replaced by it.
  func value(_ chosen: [String: String], _ addresses: [String: String] = [:]) -> String? {
    (chosen[name] ?? defaultValue).map { addresses[$0] ?? $0 }
  }

  /// Whether only `values` are allowed.
  package var isClosed: Bool { charset == nil && !values.isEmpty }

  /// Why a value is not allowed, with a remedy; nil if it is allowed.
  package func refusal(of value: String) -> OptionRefusal? {
    if values.contains(value) { return nil }
    if isClosed {
      return OptionRefusal(problem: "cannot be \(JSONText.quoted(value))", remedy: advice(on: value))
    }
    if let charset, !charset.covers(value) {
      return OptionRefusal(
        problem: "cannot be \(JSONText.quoted(value))", remedy: "use only the characters \(charset)")
    }
    if let maxLength, value.count > maxLength {
      return OptionRefusal(
        problem: "is longer than \(maxLength) characters", remedy: "choose a shorter value")
    }
    return isOfKind(value)
      ? nil : OptionRefusal(problem: "cannot be \(JSONText.quoted(value))", remedy: kindAdvice)
  }

  private func advice(on value: String) -> String {
    let nearest = NearestName.nearest(to: value, among: values.filter { !$0.isEmpty })
    return NearestName.question(nearest.map(JSONText.quoted))
      ?? "choose one of \(values.map { $0.isEmpty ? "\"\"" : $0 }.joined(separator: ", "))"
  }

  private func isOfKind(_ value: String) -> Bool {
    switch kind {
    case .text: true
    case .number: (try? JSONDocument(Array(value.utf8)))?.root.kind == .number
    case .boolean: value == "true" || value == "false"
    }
  }

  private var kindAdvice: String { kind == .number ? "use a number" : "use true or false" }
}

/// Why an option cannot have a value: the problem, as the end of a sentence about the value, and the remedy.
package struct OptionRefusal: Sendable, Hashable {
  package let problem: String
  package let remedy: String
}

/// The characters allowed in an option's value, written `a-z0-9-`: single characters and ranges; a `-` at
/// either end is literal.
package struct Charset: Sendable, Hashable, CustomStringConvertible {
  /// As written.
  package let description: String
  private let ranges: [ClosedRange<Unicode.Scalar>]

  package init(_ text: String) throws(CharsetError) {
    guard !text.isEmpty else { throw CharsetError(problem: "contains no characters") }
    description = text
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    var rest = text.unicodeScalars[...]
    while let first = rest.popFirst() {
      guard rest.first == "-", let last = rest.dropFirst().first else {
        ranges.append(first...first)
        continue
      }
      guard first <= last else { throw CharsetError(problem: "range \(first)-\(last) is reversed") }
      ranges.append(first...last)
      rest = rest.dropFirst(2)
    }
    self.ranges = ranges
  }

  package func contains(_ scalar: Unicode.Scalar) -> Bool { ranges.contains { $0.contains(scalar) } }

  /// Whether the text contains only these characters.
  package func covers(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(contains) }

  /// Whether each range is contained in a range of the other set.
  package func isSubset(of other: Charset) -> Bool {
    ranges.allSatisfy { range in
      other.ranges.contains { $0.contains(range.lowerBound) && $0.contains(range.upperBound) }
    }
  }
}

/// Why a text is not a valid character set; reads as the end of a sentence about it.
package struct CharsetError: Error, Sendable, Hashable, CustomStringConvertible {
  let problem: String

  package var description: String { problem }
}

extension Source {
  /// The value of each option: the chosen one, or else its default.
  ///
  /// - Parameter chosen: Values by name (`--set`). Names that the source does not know are ignored.
  /// - Throws: If a value is missing or not allowed (a usage error).
  package func optionValues(_ chosen: [String: String]) throws(OptionError) -> [String: String] {
    var values: [String: String] = [:]
    for option in options {
      guard let value = option.value(chosen) else {
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
    Dictionary(
      options.compactMap { option in
        option.value(query.options, run.addresses).map { (option.name, $0) }
      }, uniquingKeysWith: { _, last in last })
  }

  private func refusal(of value: String, for option: SourceOption) -> OptionRefusal? {
    if let refusal = option.refusal(of: value) { return refusal }
    guard option.name == endpoint.url.baseName, let problem = BaseAddress.problem(of: value) else {
      return nil
    }
    // The value is not included, because it may contain a password.
    return OptionRefusal(
      problem: "is not a base URL: \(problem)", remedy: "write it like https://example.org")
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
