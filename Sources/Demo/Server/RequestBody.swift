/// The body of a request as it is received, limited to the maximum that a route needs.
struct RequestBody: Sendable, Equatable {
  private(set) var bytes: [UInt8] = []
  /// More was received than stored.
  private(set) var isTooLong = false

  /// In bytes.
  static let limit = 64 << 10

  mutating func append(_ part: some Collection<UInt8>) {
    isTooLong = isTooLong || part.count > Self.limit - bytes.count
    if !isTooLong { bytes += part }
  }
}
