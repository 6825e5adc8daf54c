extension String {
  /// The text with a space for each tab and `mark` for each line break.
  ///
  /// It goes by scalars, as all escaping here does: in a character `|` or a line feed may carry an accent.
  func onOneLine(breaks mark: String) -> String {
    guard utf8.contains(where: Self.mayBreakLines) else { return self }
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

  /// Whether the byte may belong to a tab or a line break.
  static func mayBreakLines(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0xC2 || byte == 0xE2 }
}

extension Unicode.Scalar {
  /// U+000A to U+000D, U+0085, U+2028 and U+2029: what some reader or terminal takes for the end of a line.
  var isLineBreak: Bool {
    switch value {
    case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }
}
