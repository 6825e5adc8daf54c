extension Frame {
  /// A text for the user's clipboard, sent only once, in however many frames it occurs.
  package struct Copy: Hashable, Sendable, Identifiable {
    /// The maximum length in bytes that terminals accept: its Base64 is less than 100,000 bytes.
    package static let limit = 74_994

    package let id: Int
    let text: String

    /// - Parameter id: Must differ from that of all earlier copies.
    /// - Returns: Nil if the text is longer than `limit` bytes.
    package init?(id: Int, text: String) {
      guard text.utf8.count <= Copy.limit else { return nil }
      self.id = id
      self.text = text
    }
  }
}
