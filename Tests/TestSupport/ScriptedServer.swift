import Foundation
import Glibc
import Locking

/// A server on the loopback interface that answers each request as a test specifies, and records requests
/// byte for byte. Each connection serves one request.
package final class ScriptedServer: Sendable {
  package struct Failure: Error { let code: Int32 }

  package struct Request: Sendable {
    /// Counted from 0.
    package let number: Int
    /// The whole request, with lines that end in LF.
    package let text: String

    /// Path and query.
    package var target: String { String(text.split(separator: " ").dropFirst().first ?? "") }
  }

  package struct Answer: Sendable {
    package var status = 200
    package var fields: [(name: String, value: String)] = []
    package var body: [UInt8]

    package static func json(_ text: String, _ fields: (name: String, value: String)...) -> Answer {
      Answer(fields: [("Content-Type", "application/json")] + fields, body: Array(text.utf8))
    }

    package static func status(
      _ status: Int, _ text: String = "{}", _ fields: (name: String, value: String)...
    ) -> Answer {
      Answer(status: status, fields: [("Content-Type", "application/json")] + fields, body: Array(text.utf8))
    }

    fileprivate var bytes: [UInt8] {
      let own = [("Content-Length", "\(body.count)"), ("Connection", "close")]
      let lines = ["HTTP/1.1 \(status) Answer"] + (own + fields).map { "\($0): \($1)" }
      return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }
  }

  package let port: Int
  private let listener: Int32
  private let record = Record()
  private let isListening = Lock(true)

  private final class Record: Sendable {
    let texts = Lock<[String]>([])
  }

  package var baseURL: String { "http://127.0.0.1:\(port)" }

  /// The requests so far, with lines that end in LF.
  package var requests: [String] { record.texts.withLock { $0 } }

  package init(_ answer: @escaping @Sendable (Request) -> Answer) throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { [listener] pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &size) == 0
      }
    }
    guard isBound else { throw Failure(code: errno) }
    port = Int(UInt16(bigEndian: address.sin_port))
    // In threads of their own: the threads of a queue are few, and tests that read from programs block them.
    Thread.detachNewThread { [listener, record] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { break }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        Thread.detachNewThread { Self.serve(connection, record, answer) }
      }
      close(listener)
    }
    TakesTurns.atEnd { self.stop() }
  }

  /// Accepts no more connections. May be called again.
  package func stop() {
    let isFirst = isListening.withLock { isListening in
      defer { isListening = false }
      return isListening
    }
    // Later, the descriptor number may belong to another file.
    if isFirst { shutdown(listener, Int32(SHUT_RDWR)) }
  }

  private static func serve(
    _ connection: Int32, _ record: Record, _ answer: (Request) -> Answer
  ) {
    defer { close(connection) }
    guard let text = request(from: connection) else { return }
    let number = record.texts.withLock { texts in
      texts.append(text)
      return texts.count - 1
    }
    let bytes = answer(Request(number: number, text: text)).bytes
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
    shutdown(connection, Int32(SHUT_WR))
    // The client has received everything when it closes.
    var rest: UInt8 = 0
    while read(connection, &rest, 1) > 0 {}
  }

  /// Head and body as received; nil if the connection ends first.
  private static func request(from connection: Int32) -> String? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while true {
      let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
      if let head = text.firstRange(of: "\n\n") {
        let length = text[..<head.lowerBound].lowercased().firstRange(of: "content-length: ")
        let digits = length.map {
          text[..<head.lowerBound].lowercased()[$0.upperBound...].prefix(while: \.isNumber)
        }
        if text[head.upperBound...].utf8.count >= digits.flatMap({ Int($0) }) ?? 0 { return text }
      }
      let count = read(connection, &chunk, chunk.count)
      guard count > 0 else { return nil }
      bytes += chunk[..<count]
    }
  }
}
