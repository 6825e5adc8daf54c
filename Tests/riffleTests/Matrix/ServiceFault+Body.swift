import Foundation
import TestSupport

@testable import DemoTesting

/// Responses with status 200 and an invalid or unexpected body.
extension ServiceFault {
  static let bodies = [
    ServiceFault("HTTP garbage") { _ in [.send("SSH-2.0-OpenSSH_9.9\n")] },
    ServiceFault("endless headers") { _ in
      [
        .send("HTTP/1.1 200 OK\n"),
        .drip(Array("X-Filler: \(String(repeating: "x", count: 4_000))\r\n".utf8), milliseconds: 1),
      ]
    }.with { $0.isExhausting = true },
    ServiceFault("truncated gzip") { visit in
      [.response(Array(storedGzip(visit.wholePage).dropLast(20)), ["Content-Encoding: gzip"])]
    },
    ServiceFault("length too short") { visit in
      let body = visit.wholePage
      return [.send("HTTP/1.1 200 OK\nContent-Length: \(body.utf8.count / 2)\n\n\(body)"), .close]
    },
    ServiceFault("length too long") { visit in
      let body = visit.wholePage
      return [.send("HTTP/1.1 200 OK\nContent-Length: \(body.utf8.count + 1)\n\n\(body)"), .close]
    },
    ServiceFault("no length, no end") { visit in [.send("HTTP/1.1 200 OK\n\n\(visit.wholePage)")] }
      .with { $0.timeout = slow },
    ServiceFault("empty body") { _ in [.json("")] },
    ServiceFault("HTML") { _ in
      [.response(Array("<!doctype html><title>Sign in</title>".utf8), ["Content-Type: text/html"])]
    },
    ServiceFault("incomplete JSON") { visit in [.json(String(visit.wholePage.dropLast(20)))] },
    ServiceFault("charset=utf-16, and it is UTF-8") { visit in
      [.response(Array(visit.wholePage.utf8), ["Content-Type: application/json; charset=utf-16"])]
    },
    ServiceFault("UTF-16") { visit in
      let units = Array("\u{FEFF}\(visit.wholePage)".utf16)
      return [
        .response(units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, ["Content-Type: application/json"])
      ]
    },
    ServiceFault("BOM") { visit in [.json("\u{FEFF}\(visit.wholePage)")] },
    ServiceFault("rows are a text") { _ in [.json(#"{"items": "none today"}"#)] },
    ServiceFault("rows are not there") { _ in [.json(#"{"results": [], "version": 2}"#)] },
    ServiceFault("rows at the top") { _ in [.json(#"[{"id": 1, "name": "row-1"}]"#)] },
    ServiceFault("rows are lists") { _ in [.json(#"{"items": [[1, "row-1"], [2, "row-2"]]}"#)] },
    ServiceFault("a bare number") { _ in [.json("42")] },
    ServiceFault("an error with status 200") { _ in
      [.json(#"{"error": true, "message": "the service's own words"}"#)]
    }
    .with {
      $0.tables = """
        [[errors.when]]
        match = { path = "error", exists = true }
        """
    },
  ]

  /// Bodies that try to exhaust the reader or control the terminal.
  static let attacks = [
    ServiceFault("huge body") { _ in
      [.send("HTTP/1.1 200 OK\nContent-Length: 2147483648\n\n[0"), .drip(zeros, milliseconds: 1)]
    }.with { $0.isExhausting = true },
    ServiceFault("endless body") { _ in
      [
        .send("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\n[0\n"),
        .drip(Array("10000\r\n".utf8) + zeros + Array("\r\n".utf8), milliseconds: 1),
      ]
    }.with { $0.isExhausting = true },
    ServiceFault("gzip bomb") { _ in
      [.response(gzipBomb, ["Content-Type: application/json", "Content-Encoding: gzip"])]
    }.with { $0.isExhausting = true },
    ServiceFault("100,000 brackets") { _ in
      [.json(String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000))]
    }.with { $0.isExhausting = true },
    ServiceFault("bad UTF-8") { visit in
      [
        .response(
          named(visit, [0xE2, 0x86, 0xFF, 0xED, 0xA0, 0x80, 0xC0, 0xAF]), ["Content-Type: application/json"])
      ]
    },
    ServiceFault("NUL in a name") { visit in
      [.response(named(visit, Array(#"\u0000"#.utf8)), ["Content-Type: application/json"])]
    },
    ServiceFault("NUL between values") { visit in [.json(visit.wholePage.replacing(", ", with: ",\0"))] },
    ServiceFault("bidi and terminal sequences in a name") { visit in
      let text = "\u{202E}\u{2069}" + #"\u001b[41m\u001b]0;pwned\u0007\u001b]52;c;cHduZWQ=\u0007\u009b2J"#
      return [.response(named(visit, Array(text.utf8)), ["Content-Type: application/json"])]
    },
    ServiceFault("terminal sequences in the service's words") { _ in
      [
        .json(
          #"{"message": "\u001b]0;pwned\u0007\u001b[41mred \#u{202E}bidi\u009b2J"}"#,
          status: "400 Bad \u{1B}[41mRequest")
      ]
    },
  ]

  /// 64 KiB of `,0`.
  private static let zeros = (0..<32_768).flatMap { _ in ",0".utf8 }

  private static let gzipBomb =
    GzipBomb.start + Array(repeating: GzipBomb.piece, count: GzipBomb.pieces).joined() + GzipBomb.end

  /// The page, with these bytes at the beginning of each name.
  private static func named(_ visit: Visit, _ bytes: [UInt8]) -> [UInt8] {
    let parts = visit.wholePage.components(separatedBy: "row-").map { Array($0.utf8) }
    return Array(parts.joined(separator: bytes + Array("row-".utf8)))
  }

  /// Gzip data of one uncompressed block (RFC 1951, section 3.2.4), without a checksum.
  private static func storedGzip(_ text: String) -> [UInt8] {
    let size = UInt16(text.utf8.count)
    let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF, 1]
    return head + [size, ~size].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } + text.utf8
  }
}
