private import CZlib

/// Decodes the content of one response incrementally (RFC 9110, section 8.4.1): gzip with any number of members
/// (RFC 1952, section 2.2), and deflate in the zlib format.
///
/// It decodes in small chunks and checks the limit after each, so that a decompression bomb is rejected
/// before it fills the memory.
final class ContentDecoder {
  enum ContentError: Error, Hashable {
    /// The content exceeds the limit.
    case tooLarge
    /// The content is damaged; the value is zlib's error message.
    case damaged(String)
  }

  /// The maximum number of bytes between two checks of the limit. zlib copies the last 32 KiB after each chunk.
  static let chunkLength = 256 << 10

  private let stream: UnsafeMutablePointer<z_stream>
  private let limit: Int
  private var received = 0
  private var produced = 0
  /// Whether no member has started, or the last one is complete.
  private var isBetweenMembers = true

  /// - Parameter coding: The value of `Content-Encoding` in lowercase.
  static func canDecode(_ coding: String) -> Bool { ["gzip", "x-gzip", "deflate"].contains(coding) }

  /// - Parameter limit: The maximum number of decoded bytes. Up to twice as many encoded bytes are accepted.
  init(limit: Int) throws(ContentError) {
    self.limit = limit
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // 32: detects gzip or zlib by the first bytes.
    let code = inflateInit2_(stream, MAX_WBITS + 32, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else { throw .damaged("cannot start zlib (\(code))") }
  }

  deinit {
    inflateEnd(stream)
    stream.deinitialize(count: 1)
    stream.deallocate()
  }

  /// Decodes the next bytes and appends the result. O(encoded + decoded bytes).
  func decode(_ bytes: UnsafeRawBufferPointer, onto content: inout [UInt8]) throws(ContentError) {
    received += bytes.count
    // Input that decodes to nothing could be endless.
    if received / 2 > limit { throw .tooLarge }
    // zlib's declaration lacks `const`; it only reads.
    stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
    stream.pointee.avail_in = UInt32(bytes.count)
    defer { stream.pointee.next_in = nil }
    var mayHoldMore = false
    while stream.pointee.avail_in > 0 || mayHoldMore { mayHoldMore = try decodeChunk(onto: &content) }
  }

  /// - Returns: Whether more output may be available without more input.
  private func decodeChunk(onto content: inout [UInt8]) throws(ContentError) -> Bool {
    if isBetweenMembers {
      inflateReset(stream)
      isBetweenMembers = false
    }
    if content.count + Self.chunkLength > content.capacity {
      // Doubled as usual, but not beyond the limit, where the copy would take as much memory again.
      content.reserveCapacity(min(2 * content.capacity, limit) + Self.chunkLength)
    }
    var code = Z_OK
    let length = content.count
    content.append(addingCapacity: Self.chunkLength) { room in
      room.withUnsafeMutableBufferPointer { chunk, count in
        stream.pointee.next_out = chunk.baseAddress
        stream.pointee.avail_out = UInt32(chunk.count)
        code = inflate(stream, Z_NO_FLUSH)
        count = chunk.count - Int(stream.pointee.avail_out)
      }
    }
    let count = content.count - length
    // There was nothing left to do.
    if code == Z_BUF_ERROR, stream.pointee.avail_in == 0 { return false }
    guard code == Z_OK || code == Z_STREAM_END else { throw .damaged(reason(code)) }
    isBetweenMembers = code == Z_STREAM_END
    produced += count
    if produced > limit { throw .tooLarge }
    return stream.pointee.avail_out == 0 && !isBetweenMembers
  }

  private func reason(_ code: Int32) -> String {
    stream.pointee.msg.map { String(cString: $0) } ?? "zlib error \(code)"
  }

  /// Must be called at the end of the input. An empty input is an empty content.
  func finish() throws(ContentError) {
    if !isBetweenMembers { throw .damaged("truncated") }
  }
}
