extension String {
  /// The text with a space for each tab and `mark` for each line break.
  ///
  /// Works on scalars, like all escaping of cells, because in a `Character` a `|` may have a combining mark.
  func onOneLine(breaks mark: String) -> String {
    var line = ""
    var previous: Unicode.Scalar?
    for scalar in unicodeScalars {
      if scalar == "\t" {
        line += " "
      } else if !scalar.isLineBreak {
        line.unicodeScalars.append(scalar)
      } else if !(previous == "\r" && scalar == "\n") {
        line += mark
      }
      previous = scalar
    }
    return line
  }

  /// The text with scalars replaced. O(n).
  ///
  /// - Parameter substitute: Returns the replacement of a scalar; nil keeps the scalar.
  func replacingScalars(_ substitute: (Unicode.Scalar) -> String?) -> String {
    var text = ""
    for scalar in unicodeScalars {
      if let substitute = substitute(scalar) {
        text += substitute
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is a line break to some reader or terminal: U+000A to U+000D, U+0085, U+2028, or U+2029.
  var isLineBreak: Bool {
    switch value {
    case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  /// Whether the scalar is a letter, a digit, or an underscore, in any script.
  var isWord: Bool { self == "_" || properties.isAlphabetic || properties.numericType != nil }
}
