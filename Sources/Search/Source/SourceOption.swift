private import Text

/// A value that the user can choose for a source (`[options.NAME]`), placed by `{NAME}`.
package struct SourceOption: Sendable, Hashable {
  /// The type of the value in a request body.
  package enum Kind: Sendable, Hashable { case text, number, boolean }

  package var name: String
  package var title: String?
  package var kind: Kind
  /// The allowed values. With a `charset` these are only suggestions; if empty, any text is allowed.
  package var values: [String]
  /// The value if none is chosen; nil if the user must choose one.
  package var defaultValue: String?
  package var charset: Charset?
  /// In characters.
  package var maxLength: Int?
  /// Pressed after `,` to cycle through the values.
  package var key: Character?

  package init(
    name: String, title: String? = nil, kind: Kind = .text, values: [String] = [],
    defaultValue: String? = nil, charset: Charset? = nil, maxLength: Int? = nil, key: Character? = nil
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

  /// Whether only `values` are allowed.
  package var isClosed: Bool { charset == nil && !values.isEmpty }

  /// Why a value is not allowed, with a remedy; nil if it is allowed.
  package func refusal(of value: String) -> OptionRefusal? {
    if values.contains(value) { return nil }
    if isClosed { return OptionRefusal("cannot be \(JSONText.quoted(value))", advice(on: value)) }
    if let charset, !charset.covers(value) {
      return OptionRefusal(
        "cannot be \(JSONText.quoted(value))", "use only the characters \(charset)")
    }
    if let maxLength, value.count > maxLength {
      return OptionRefusal("is longer than \(maxLength) characters", "choose a shorter value")
    }
    return isOfKind(value) ? nil : OptionRefusal("cannot be \(JSONText.quoted(value))", kindAdvice)
  }

  private func advice(on value: String) -> String {
    let nearest = NearestName.nearest(to: value, among: values.filter { !$0.isEmpty })
    if !nearest.isEmpty { return "did you mean \(nearest.map(JSONText.quoted).joined(separator: " or "))?" }
    return "choose one of \(values.map { $0.isEmpty ? "\"\"" : $0 }.joined(separator: ", "))"
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

  init(_ problem: String, _ remedy: String) {
    self.problem = problem
    self.remedy = remedy
  }
}
