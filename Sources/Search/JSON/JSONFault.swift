/// Where the scanner stopped and what it wanted there: the small error of the hot path, made into a
/// `JSONError` with text by `JSONDocument`.
struct JSONFault: Error {
  enum Expectation {
    case value, firstName, name, colon, commaOrBrace, commaOrBracket, end
    case digit, literal(StaticString), escape, hexDigit, closingQuote, escapedControl
    case depth(Int), values(Int), size
  }

  /// The first byte that does not fit; the count of bytes when the text ended too early.
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
