/// A source of the catalog: its names, and a closure that reads its document when needed.
struct SourceListing: Sendable {
  let identity: SourceIdentity
  /// The name of the document in messages.
  let file: String
  let provenance: SourceProvenance
  /// Nil if the names could only be found by parsing the document.
  private let head: SourceHead?
  private let read: @Sendable () throws(ConfigError) -> SourceDocument

  /// Creates a listing for a parsed document.
  init(_ document: SourceDocument) {
    self.init(
      identity: document.identity, file: document.file, provenance: document.provenance, head: nil,
      read: { () throws(ConfigError) in document })
  }

  /// Creates a listing whose document is parsed when needed, or immediately if its head uses other than
  /// simple syntax.
  ///
  /// - Parameter read: Parses the document.
  init(
    _ bytes: [UInt8], file: String, provenance: SourceProvenance,
    read: @escaping @Sendable () throws(ConfigError) -> SourceDocument
  ) throws(ConfigError) {
    if let head = SourceHead(scanning: bytes) {
      self.init(
        identity: SourceIdentity(head), file: file, provenance: provenance, head: head, read: read)
    } else {
      self.init(try read())
    }
  }

  private init(
    identity: SourceIdentity, file: String, provenance: SourceProvenance, head: SourceHead?,
    read: @escaping @Sendable () throws(ConfigError) -> SourceDocument
  ) {
    self.identity = identity
    self.file = file
    self.provenance = provenance
    self.head = head
    self.read = read
  }

  /// Parses the document.
  ///
  /// - Throws: All problems with its text.
  func document() throws(ConfigError) -> SourceDocument { try read() }

  /// This source merged over one with the same id.
  func overlaying(_ base: SourceListing) throws(ConfigError) -> SourceListing {
    guard let head, let other = base.head else {
      return SourceListing(try document().overlaying(try base.document()))
    }
    let joined = head.overlaying(other)
    return SourceListing(
      identity: SourceIdentity(joined), file: file, provenance: provenance, head: joined,
      read: { [read] () throws(ConfigError) in try read().overlaying(try base.document()) })
  }
}
