/// A TOML 1.0 document as a tree of values with positions. TOMLKit validates and parses the text; positions
/// and key order come from `TOMLOutline`.
package struct TOMLDocument: Sendable {
  /// The path as the user would write it, or `builtin:NAME`.
  package let file: String
  package let root: TOMLTable

  /// In bytes; a larger document is rejected.
  package static let largest = 1 << 20

  /// - Parameter file: The name of the document in messages.
  /// - Throws: The first error, with line and column; syntax errors have TOMLKit's message.
  package init(_ bytes: [UInt8], file: String) throws(ConfigError) {
    self.file = file
    self.root = try TOMLParser(bytes: bytes, file: file).root()
  }

  package init(_ text: String, file: String) throws(ConfigError) {
    try self.init(Array(text.utf8), file: file)
  }
}
