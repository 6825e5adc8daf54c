/// A TOML 1.0 document as a tree of values that know their places. TOMLKit judges and reads the text; the
/// places and the order of keys come from `TOMLOutline`.
package struct TOMLDocument: Sendable {
  /// The path as the user would write it, or `builtin:NAME`.
  package let file: String
  package let root: TOMLTable

  /// In bytes; a larger document is refused.
  package static let largest = 1 << 20

  /// - Parameter file: what problems call the document.
  /// - Throws: the first fault, with its line and column; those of syntax in TOMLKit's words.
  package init(_ bytes: [UInt8], file: String) throws(ConfigError) {
    self.file = file
    self.root = try TOMLParser(bytes: bytes, file: file).root()
  }

  package init(_ text: String, file: String) throws(ConfigError) {
    try self.init(Array(text.utf8), file: file)
  }
}
