extension Frame {
  /// A text for the user's clipboard, sent once however long it stays in the frames.
  package struct Copy: Hashable, Sendable, Identifiable {
    /// Bytes of text that terminals take: their Base64 is less than 100,000.
    package static let limit = 74_994

    package let id: Int
    let text: String

    /// - Parameter id: another one than that of any copy before.
    /// - Returns: nil when the text has more than `limit` bytes.
    package init?(id: Int, text: String) {
      guard text.utf8.count <= Copy.limit else { return nil }
      self.id = id
      self.text = text
    }
  }
}
