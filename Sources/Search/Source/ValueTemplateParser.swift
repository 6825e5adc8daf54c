/// Parses the text of a `ValueTemplate` from left to right.
struct ValueTemplateParser {
  private let text: String
  private let options: Set<String>
  private var rest: Substring
  private var pieces: [ValueTemplate.Piece] = []
  private var literal = ""

  init(_ text: String, options: Set<String>) {
    self.text = text
    self.options = options
    rest = Substring(text)
  }

  mutating func parse() throws(ValueExpressionError) -> [ValueTemplate.Piece] {
    while let character = rest.popFirst() {
      switch character {
      case "{" where rest.first == "{", "}" where rest.first == "}":
        rest.removeFirst()
        literal.append(character)
      case "{":
        endLiteral()
        pieces.append(try placeholder())
      case "}":
        throw problem("unmatched }. Write }} for a literal brace")
      default:
        literal.append(character)
      }
    }
    endLiteral()
    return pieces
  }

  private mutating func endLiteral() {
    if !literal.isEmpty { pieces.append(.literal(literal)) }
    literal = ""
  }

  private mutating func placeholder() throws(ValueExpressionError) -> ValueTemplate.Piece {
    guard let name = takeToBrace() else { throw problem("unmatched {. Write {{ for a literal brace") }
    if options.contains(name) { return .option(name) }
    let keepsSlashes = name.hasPrefix("+")
    do {
      return .path(try JSONPath(keepsSlashes ? String(name.dropFirst()) : name), keepsSlashes: keepsSlashes)
    } catch {
      throw problem("\(error)")
    }
  }

  /// The text before the closing brace; braces inside the quotes of a path do not close.
  private mutating func takeToBrace() -> String? {
    var (isQuoted, isEscaped) = (false, false)
    for index in rest.indices {
      switch rest[index] {
      case "}" where !isQuoted:
        defer { rest = rest[rest.index(after: index)...] }
        return String(rest[..<index])
      case "\"" where !isEscaped: isQuoted.toggle()
      default: break
      }
      isEscaped = isQuoted && rest[index] == "\\" && !isEscaped
    }
    return nil
  }

  private func problem(_ words: String) -> ValueExpressionError {
    ValueExpressionError(text: text, problem: words)
  }
}
