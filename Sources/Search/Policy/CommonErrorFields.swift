/// Finds the error message of a reply in commonly used members, for a source that does not declare where it
/// is.
enum CommonErrorFields {
  private static let names = [
    "message", "error_description", "error", "detail", "title", "description", "reason", "msg",
  ]

  /// Nil if none of these members contains a string.
  static func found(in document: JSONDocument) -> String? {
    let root = document.root
    return words(of: root) ?? root["error"].flatMap(words)
      ?? root["errors"]?[0].flatMap { $0.string ?? words(of: $0) }
  }

  /// The service's error message: at the location that the source declares, or else a common one; for a body
  /// that is not JSON, its beginning.
  static func found(in body: [UInt8], _ reply: ReplyValues?, of source: Source) -> String? {
    guard let reply else {
      return body.isEmpty ? nil : String(decoding: body.prefix(4_096), as: UTF8.self)
    }
    return source.errors.message.flatMap { reply.text(of: $0) } ?? GraphQLErrors(reply.document)?.message
      ?? found(in: reply.document)
  }

  /// Whether the message describes a limit on the request rate: "API rate limit exceeded", "You are being
  /// rate limited". A text that merely mentions limits, such as an advertisement for a better plan, does not
  /// match.
  static func mentionsRateLimit(_ text: String) -> Bool {
    let words = text.lowercased().map { $0 == "-" || $0 == "_" ? " " : $0 }
    let text = String(words)
    func holds(_ parts: [String]) -> Bool { parts.contains { text.contains($0) } }
    if holds(["too many requests", "rate limited", "ratelimited", "being throttled", "was throttled"]) {
      return true
    }
    if holds(["storage", "disk"]) { return false }
    return holds([
      "rate limit", "ratelimit", "quota", "request limit", "requests limit", "api limit", "daily limit",
    ])
      && holds(["exceed", "reached", "exhausted", "hit the", "hit your", "over the", "over your", "used up"])
      || ["rate limit", "ratelimit"].contains { text.trimmedBlanks == $0 }
  }

  private static func words(of object: JSONValue) -> String? {
    names.lazy.compactMap { object[$0]?.string }.first { !$0.isEmpty }
  }
}
