/// Replies that are slow, missing, or endless.
extension Fault {
  static let hang = Fault("hang", "no response") { plan, _ in plan.delivery = .hanging }

  static let drip = Fault("drip", "32 bytes of the body every 100 ms") { plan, _ in
    plan.delivery = .dripping(bytes: 32, pause: 100)
  }

  static let huge = Fault("huge", "an array of numbers of 2 GiB (or mebibytes=N), with Content-Length") {
    plan, request throws(Refusal) in
    let size = try request.query.number("mebibytes", in: 1...1_000_000, standard: 2048)
    plan.reply.body = Array("[0".utf8)
    plan.delivery = .repeating(piece: zeros, times: size << 20 / zeros.count, end: Array("]".utf8))
  }

  static let endless = Fault("endless", "an array of numbers that never ends") { plan, _ in
    plan.reply.body = Array("[0".utf8)
    plan.delivery = .endless(piece: zeros)
  }

  /// 64 KiB of `,0`.
  private static let zeros = (0..<32_768).flatMap { _ in ",0".utf8 }

  static let gzipBomb = Fault("gzipbomb", "1 MiB of gzip that decodes to 1 GiB of zeros") { plan, _ in
    plan.reply.add("Content-Encoding", "gzip")
    plan.reply.body = GzipBomb.start
    plan.delivery = .repeating(piece: GzipBomb.piece, times: GzipBomb.pieces, end: GzipBomb.end)
  }
}

/// Zeros compressed as far as deflate allows (RFC 1951, 1952): one block with a one-bit code for the longest
/// match and one for its distance, so that each zero byte represents four matches, which is 1,032 zeros.
enum GzipBomb {
  static let start: [UInt8] = [
    0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0x02, 0xFF,
    0xED, 0xC1, 0x31, 0x01, 0, 0, 0, 0xC2, 0xA0, 0xF5, 0x4F, 0x6D, 0x08, 0x5F, 0xA0,
  ]
  static let piece = [UInt8](repeating: 0, count: 65_536)
  static let pieces = 16
  /// The end of the block, the checksum, and the size: 1,082,130,496.
  static let end: [UInt8] = [0x3E, 0x03, 0x0F, 0x63, 0xF5, 0x86, 0x40, 0, 0x80, 0x40]
}
