extension Sanitized {
  /// JSON text that a terminal can show and a program can still read: what a `Sanitized` would not hold
  /// (control codes, U+007F to U+009F, bidirectional and invisible characters, the ninth combining mark) is
  /// written as `\u` escapes.
  ///
  /// - Parameter json: valid JSON in UTF-8; what is not UTF-8 becomes U+FFFD. Line feeds between its tokens
  ///   stay, tabs and carriage returns there become spaces.
  /// - Complexity: O(n).
  @inlinable
  package static func escapedJSON(_ json: some Sequence<UInt8>) -> [UInt8] {
    escapedJSON(text: String(decodingUTF8: json))
  }

  @usableFromInline
  static func escapedJSON(text: String) -> [UInt8] {
    var sanitizer = Sanitizer(.jsonEscapes, capacity: text.utf8.count)
    sanitizer.consume(text.utf8Span.span)
    return sanitizer.output
  }
}
