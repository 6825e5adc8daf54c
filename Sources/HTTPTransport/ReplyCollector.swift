import AsyncHTTPClient
private import CZlib
import HTTPValues
import JSON
import NIOCore
import NIOHTTP1
import Synchronization

/// Collects one reply on the thread of its connection, so that no other thread is woken until it is complete.
final class ReplyCollector: HTTPClientResponseDelegate {
  private let method: HTTPValues.HTTPMethod
  private let origin: String
  private let limits: TransportLimits
  private let deadline: RequestDeadline
  private let state = Mutex(State())

  fileprivate struct State {
    var head: HTTPResponseHead?
    var body: [UInt8] = []
    /// Nil for a body without content coding.
    var decoder: ContentDecoder?
  }

  /// A reply with its decoded body.
  struct Whole: Sendable {
    var head: HTTPResponseHead
    var body: [UInt8]
  }

  init(for request: HTTPRequest, limits: TransportLimits, deadline: RequestDeadline) {
    method = request.method
    origin = request.url.origin.description
    self.limits = limits
    self.deadline = deadline
  }

  /// The progress of the reply.
  var moment: ExchangeStage {
    state.withLock { $0.head == nil ? .waitingForHead : .receivingBody(bytes: $0.body.count) }
  }

  /// The media type of the body, such as `application/json`; nil if the head does not say, or there is no
  /// head.
  var contentType: String? {
    let field = state.withLock { $0.head?.headers.first(name: "Content-Type") }
    let type = field.map { $0.prefix { $0 != ";" }.prefix(60) } ?? ""
    return type.isEmpty ? nil : String(type)
  }

  func didReceiveHead(task: HTTPClient.Task<Whole>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
    deadline.receive()
    // Avoids copying a body of known length while it grows.
    let room = min(head.plainLength ?? 0, limits.bodyBytes).sizeClass
    return outcome(task) { () throws(TransportFailure) in
      state.withLock { state in
        state.head = head
        state.body.reserveCapacity(room)
      }
      try check(head)
      guard head.coding != nil else { return }
      do { try state.withLock { [limits] in $0.decoder = try ContentDecoder(limit: limits.bodyBytes) } } catch
      {
        throw failure(error)
      }
    }
  }

  func didReceiveBodyPart(task: HTTPClient.Task<Whole>, _ part: ByteBuffer) -> EventLoopFuture<Void> {
    deadline.receive()
    return outcome(task) { () throws(TransportFailure) in
      do { try state.withLock { [limits] in try $0.take(part, limit: limits.bodyBytes) } } catch {
        throw failure(error)
      }
    }
  }

  func didFinishRequest(task: HTTPClient.Task<Whole>) throws -> Whole {
    do {
      return try state.withLock { state in
        guard let head = state.head else { throw TransportFailure(.lostBeforeHead, origin: origin) }
        try state.decoder?.finish()
        state.decoder = nil
        defer { state.body = [] }
        return Whole(head: head, body: state.body)
      }
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ error: any Error) -> TransportFailure {
    guard let failure = error as? ContentDecoder.Failure else {
      return TransportFailure(error, while: moment, limits: limits, origin: origin)
    }
    return switch failure {
    case .tooLarge: TransportFailure(.bodyTooLarge(limit: limits.bodyBytes), origin: origin)
    case .damaged(let reason):
      TransportFailure(.brokenEncoding(received: moment.receivedBytes), origin: origin, detail: reason)
    }
  }

  private func outcome(
    _ task: HTTPClient.Task<Whole>, of step: () throws(TransportFailure) -> Void
  ) -> EventLoopFuture<Void> {
    do throws(TransportFailure) {
      try step()
      return task.eventLoop.makeSucceededVoidFuture()
    } catch {
      return task.eventLoop.makeFailedFuture(error)
    }
  }

  /// Rejects a reply whose head shows that it is too large or cannot be decoded.
  private func check(_ head: HTTPResponseHead) throws(TransportFailure) {
    // Four bytes for the colon, the space and the line end.
    let size = head.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    if size > limits.headBytes {
      throw TransportFailure(.headTooLarge(limit: limits.headBytes), origin: origin)
    }
    if head.isBodiless(method) { return }
    if let length = head.announcedLength, length > limits.bodyBytes {
      throw TransportFailure(.bodyTooLarge(limit: limits.bodyBytes), origin: origin)
    }
    if let coding = head.coding, !ContentDecoder.canDecode(coding) {
      throw TransportFailure(
        .brokenEncoding(received: 0), origin: origin, detail: "unrequested encoding: \(coding)")
    }
  }
}

extension ReplyCollector.State {
  fileprivate mutating func take(_ part: ByteBuffer, limit: Int) throws(ContentDecoder.Failure) {
    if let decoder {
      do { try part.withUnsafeReadableBytes { try decoder.decode($0, onto: &body) } } catch {
        throw error as? ContentDecoder.Failure ?? .damaged("\(error)")
      }
    } else if body.count + part.readableBytes <= limit {
      body.append(contentsOf: part.readableBytesView)
    } else {
      throw .tooLarge
    }
  }
}

extension HTTPResponseHead {
  /// The content coding of the body in lowercase; nil if there is none.
  fileprivate var coding: String? {
    let coding = headers.first(name: "Content-Encoding")?.lowercased() ?? ""
    return ["", "identity"].contains(coding) ? nil : coding
  }

  /// The length of the encoded body in bytes, at least 0; nil if unknown.
  fileprivate var announcedLength: Int? {
    headers.first(name: "Content-Length").flatMap { Int($0) }.map { max($0, 0) }
  }

  /// The length of the decoded body, if the head tells; else nil.
  fileprivate var plainLength: Int? {
    coding == nil ? announcedLength : nil
  }

  /// Whether the reply has no body (RFC 9112, section 6.3).
  fileprivate func isBodiless(_ method: HTTPValues.HTTPMethod) -> Bool {
    method == .head || status == .noContent || status == .notModified
      || headers.first(name: "Content-Length") == "0"
  }
}

/// Decodes the content of one reply incrementally (RFC 9110, section 8.4.1): gzip with any number of members
/// (RFC 1952, section 2.2), and deflate in the zlib format.
///
/// It decodes in small chunks and checks the limit after each, so that a decompression bomb is rejected
/// before it fills the memory.
final class ContentDecoder {
  enum Failure: Error, Hashable {
    /// The content exceeds the limit.
    case tooLarge
    /// zlib's error message.
    case damaged(String)
  }

  private let stream: UnsafeMutablePointer<z_stream>
  private let limit: Int
  private var received = 0
  private var produced = 0
  /// Whether no member has started, or the last one is complete.
  private var isBetweenMembers = true
  private var chunk = [UInt8](repeating: 0, count: 64 << 10)

  /// - Parameter coding: The value of `Content-Encoding` in lowercase.
  static func canDecode(_ coding: String) -> Bool { ["gzip", "x-gzip", "deflate"].contains(coding) }

  /// - Parameter limit: The maximum number of decoded bytes. Up to twice as many encoded bytes are accepted.
  init(limit: Int) throws(Failure) {
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
  func decode(_ bytes: UnsafeRawBufferPointer, onto content: inout [UInt8]) throws(Failure) {
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
    // There was nothing left to do.
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

  /// Must be called at the end of the input. An empty input is an empty content.
  func finish() throws(Failure) {
    if !isBetweenMembers { throw .damaged("truncated") }
  }
}
