/// Replies with status 200 and a wrong body.
extension Fault {
  static let html = Fault("html", "a sign-in page instead of JSON") { plan, _ in
    plan.reply = Reply(html: "<!doctype html>\n<title>Sign in</title>\n<p>Please sign in.</p>\n")
  }

  static let truncate = Fault("truncate", "the connection closes in the middle of the body") { plan, _ in
    plan.delivery = .truncated(bytes: plan.reply.body.count / 2)
  }

  static let deep = Fault("deep", "100,000 nested brackets") { plan, _ in
    plan.reply.body = Array(repeating: UInt8(ascii: "["), count: 100_000)
    plan.reply.body += Array(repeating: UInt8(ascii: "]"), count: 100_000)
  }

  static let badUTF8 = Fault("badutf8", "names that start with bytes that are not UTF-8") { plan, _ in
    // A truncated sequence, a byte that is never valid, an encoded surrogate, an overlong slash.
    plan.reply.body.insert([0xE2, 0x86, 0xFF, 0xED, 0xA0, 0x80, 0xC0, 0xAF], after: "\"name\":\"")
  }

  static let escapes = Fault(
    "escapes", "names that start with terminal sequences, bidi controls and many combining accents"
  ) { plan, _ in
    let colour = #"\u001b[41m"#
    let title = #"\u001b]0;title\u0007"#
    let clipboard = #"\u001b]52;c;cmlmZmxl\u001b\\"#
    let bidi = "\u{202E}right to left\u{2069}"
    let accents = "a" + String(repeating: "\u{301}\u{316}", count: 30)
    let text = colour + title + clipboard + bidi + accents + #"\u009b2J\r\b"#
    plan.reply.body.insert(Array(text.utf8), after: "\"name\":\"")
  }
}

extension [UInt8] {
  /// Inserts bytes after each occurrence of a text, which must not be empty.
  fileprivate mutating func insert(_ bytes: [UInt8], after text: String) {
    let mark = Array(text.utf8)
    var result: [UInt8] = []
    var rest = self[...]
    while let found = rest.firstRange(of: mark) {
      result += rest[..<found.upperBound] + bytes
      rest = rest[found.upperBound...]
    }
    self = result + rest
  }
}
