private import CZlib

/// Decodes the content of one reply while it comes (RFC 9110, section 8.4.1): gzip of any number of members (RFC 1952,
/// section 2.2), and deflate in zlib's wrapping.
///
/// Little is decoded at a time and the limit is looked at each time: a body of a thousand times its size is not in
/// memory before it is refused.
final class ContentDecoder {
  enum Failure: Error, Hashable {
    /// More than the limit.
    case tooLarge
    /// In zlib's words.
    case damaged(String)
  }

  private let stream: UnsafeMutablePointer<z_stream>
  private let limit: Int
  private var received = 0
  private var produced = 0
  /// No member is begun, or the last one is whole.
  private var isBetweenMembers = true
  private var chunk = [UInt8](repeating: 0, count: 64 << 10)

  /// - Parameter coding: the value of `Content-Encoding` in lower case.
  static func canDecode(_ coding: String) -> Bool { ["gzip", "x-gzip", "deflate"].contains(coding) }

  /// - Parameter limit: the most bytes that are made; twice as many are taken.
  init(limit: Int) throws(Failure) {
    self.limit = limit
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // 32: gzip or zlib, as the first bytes tell.
    let code = inflateInit2_(stream, MAX_WBITS + 32, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else { throw .damaged("zlib does not start (\(code))") }
  }

  deinit {
    inflateEnd(stream)
    stream.deinitialize(count: 1)
    stream.deallocate()
  }

  /// Appends what the next bytes stand for. O(bytes taken and made).
  func decode(_ bytes: UnsafeRawBufferPointer, onto content: inout [UInt8]) throws(Failure) {
    received += bytes.count
    // What stands for nothing could come without end.
    if received / 2 > limit { throw .tooLarge }
    // zlib's declaration lacks `const`; it reads only.
    stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
    stream.pointee.avail_in = UInt32(bytes.count)
    defer { stream.pointee.next_in = nil }
    var mayHoldMore = false
    while stream.pointee.avail_in > 0 || mayHoldMore { mayHoldMore = try decodeChunk(onto: &content) }
  }

  /// - Returns: whether there may be more without more bytes.
  private func decodeChunk(onto content: inout [UInt8]) throws(Failure) -> Bool {
    if isBetweenMembers {
      inflateReset(stream)
      isBetweenMembers = false
    }
    let (code, count) = chunk.withUnsafeMutableBufferPointer { chunk in
      stream.pointee.next_out = chunk.baseAddress
      stream.pointee.avail_out = UInt32(chunk.count)
      return (inflate(stream, Z_NO_FLUSH), chunk.count - Int(stream.pointee.avail_out))
    }
    // Nothing was left to do.
    if code == Z_BUF_ERROR, stream.pointee.avail_in == 0 { return false }
    guard code == Z_OK || code == Z_STREAM_END else { throw .damaged(reason(code)) }
    isBetweenMembers = code == Z_STREAM_END
    produced += count
    if produced > limit { throw .tooLarge }
    content.append(contentsOf: chunk[..<count])
    return count == chunk.count && !isBetweenMembers
  }

  private func reason(_ code: Int32) -> String {
    stream.pointee.msg.map { String(cString: $0) } ?? "zlib error \(code)"
  }

  /// To be called when no more comes. Nothing at all is an empty content.
  func finish() throws(Failure) {
    if !isBetweenMembers { throw .damaged("cut off") }
  }
}
