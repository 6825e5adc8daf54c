/// The body of a request as it comes in, never more of it than a route could want.
struct RequestBody: Sendable, Equatable {
  private(set) var bytes: [UInt8] = []
  /// More came than was kept.
  private(set) var isTooLong = false

  /// In bytes.
  static let limit = 64 << 10

  mutating func append(_ part: some Collection<UInt8>) {
    isTooLong = isTooLong || part.count > Self.limit - bytes.count
    if !isTooLong { bytes += part }
  }
}
