/// Numbers of seconds as services write them; invalid ones (infinite, negative, not a number) are rejected.
enum WaitSeconds {
  /// Longer than any real wait; keeps arithmetic with times exact.
  static let most = 1e9

  static func seconds(_ text: some StringProtocol) -> Double? {
    guard let number = Double(text.trimmedBlanks), number.isFinite, number >= 0 else { return nil }
    return min(number, most)
  }

  /// The number at the beginning of a text.
  static func leadingSeconds(_ text: Substring) -> Double? {
    seconds(text.prefix { $0.isASCII && $0.isNumber || $0 == "." })
  }
}
