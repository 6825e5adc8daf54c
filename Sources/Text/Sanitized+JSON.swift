extension Sanitized {
  /// JSON text that is safe to show on a terminal and still valid JSON: scalars that a `Sanitized` would not
  /// contain (control characters, U+007F to U+009F, bidirectional and invisible characters, the ninth
  /// combining mark) are written as `\u` escapes.
  ///
  /// - Parameter json: Valid JSON in UTF-8; bytes that are not UTF-8 become U+FFFD. Line feeds between tokens
  ///   are unchanged, tabs and carriage returns there become spaces.
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
