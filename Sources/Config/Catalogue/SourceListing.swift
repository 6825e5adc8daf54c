/// A source of the catalogue: its names, and how its document is read when it is asked for.
struct SourceListing: Sendable {
  let identity: SourceIdentity
  /// What problems call the document.
  let file: String
  let provenance: SourceProvenance
  /// Nil when the names were known only by reading.
  private let head: SourceHead?
  private let read: @Sendable () throws(ConfigError) -> SourceDocument

  /// One whose document was read.
  init(_ document: SourceDocument) {
    self.init(
      identity: document.identity, file: document.file, provenance: document.provenance, head: nil,
      read: { () throws(ConfigError) in document })
  }

  /// One that is read when it is asked for; if its names are not written plainly, at once.
  ///
  /// - Parameter read: makes the document of the bytes.
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

  /// The document, read now.
  ///
  /// - Throws: everything that is wrong with its text.
  func document() throws(ConfigError) -> SourceDocument { try read() }

  /// This source over one of the same id.
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
