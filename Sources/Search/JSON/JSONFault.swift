/// Where the scanner stopped and what it expected: a small error for the hot path, which `JSONDocument`
/// converts to a `JSONError` with text.
struct JSONFault: Error {
  enum Expectation {
    case value, firstName, name, colon, commaOrBrace, commaOrBracket, end
    case digit, literal(StaticString), escape, hexDigit, closingQuote, escapedControl
    case depth(Int), values(Int), size
  }

  /// The offset of the first invalid byte; the length of the text if it ended too early.
  let offset: Int
  let expectation: Expectation
}

extension JSONFault.Expectation: CustomStringConvertible {
  var description: String {
    switch self {
    case .value: "a value"
    case .firstName: #"a name in quotes or "}""#
    case .name: "a name in quotes"
    case .colon: #"":" after a name"#
    case .commaOrBrace: #""," or "}""#
    case .commaOrBracket: #""," or "]""#
    case .end: "nothing after the value"
    case .digit: "a digit"
    case .literal(let word): #""\#(word)""#
    case .escape: #"one of "\/bfnrtu after a backslash"#
    case .hexDigit: #"four hexadecimal digits after \u"#
    case .closingQuote: "a closing quote"
    case .escapedControl: "control characters in a string to be escaped"
    case .depth(let limit): "at most \(limit) levels of nesting"
    case .values(let limit): "at most \(limit) values and names"
    case .size: "less than 4 GiB"
    }
  }
}
