extension Sanitized {
  /// The same text with `?` for each mark that represents an undrawable character: the control pictures, and
  /// U+FFFD. The width is unchanged. O(n).
  package var withPlainMarks: Sanitized {
    guard string.unicodeScalars.contains(where: Self.isMark) else { return self }
    var scalars = String.UnicodeScalarView()
    for scalar in string.unicodeScalars { scalars.append(Self.isMark(scalar) ? "?" : scalar) }
    return Sanitized(trusted: String(scalars))
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2400...0x2421, 0xFFFD: true
    default: false
    }
  }
}
