/// The `RateLimit` and `RateLimit-Policy` fields (draft-ietf-httpapi-ratelimit-headers): structured lists of
/// policies, `"default";r=0;t=30` and `"default";q=100;w=60`.
struct RateLimitField {
  struct Policy {
    let name: String
    /// The remaining quota (`r`).
    let remaining: Int
    /// Seconds until the quota is reset (`t`).
    let resetsIn: Int?
    /// The quota (`q`).
    let quota: Int?
  }

  /// Never empty.
  private let policies: [Policy]

  /// Nil if there is no such field, or it cannot be parsed.
  init?(_ headers: HTTPFields) {
    let quotas = Self.items(headers.all("RateLimit-Policy")).reduce(into: [String: Int]()) { quotas, item in
      if let quota = item.number("q"), quotas[item.name] == nil { quotas[item.name] = quota }
    }
    policies = Self.items(headers.all("RateLimit")).compactMap { item in
      item.number("r").map {
        Policy(name: item.name, remaining: $0, resetsIn: item.number("t"), quota: quotas[item.name])
      }
    }
    if policies.isEmpty { return nil }
  }

  /// The policy that will be exhausted first.
  var tightest: Policy? {
    policies.min { ($0.remaining, -($0.resetsIn ?? 0)) < ($1.remaining, -($1.resetsIn ?? 0)) }
  }

  /// Seconds until every exhausted policy allows a request again; nil if none is exhausted.
  var exhaustedFor: Double? {
    policies.filter { $0.remaining == 0 }.compactMap(\.resetsIn).max().map(Double.init)
  }

  func budget(now: Double) -> RateBudget {
    RateBudget(
      limit: tightest?.quota, remaining: tightest?.remaining,
      resetsAt: tightest?.resetsIn.map { now + Double($0) })
  }

  /// A list item with its parameters (RFC 9651, section 3.1).
  private struct Item {
    let name: String
    let parameters: [String: String]

    /// A whole number of seconds or requests.
    func number(_ key: String) -> Int? {
      parameters[key].flatMap { Int32($0) }.flatMap { $0 >= 0 ? Int($0) : nil }
    }
  }

  private static func items(_ fields: [String]) -> [Item] {
    fields.flatMap { parts(of: $0[...], at: ",") }.compactMap { text in
      let parts = parts(of: text, at: ";").map(\.trimmedBlanks)
      guard let name = parts.first, !name.isEmpty else { return nil }
      let pairs = parts.dropFirst().compactMap { part -> (String, String)? in
        guard let equals = part.firstIndex(of: "=") else { return nil }
        return (String(part[..<equals]), String(part[part.index(after: equals)...]))
      }
      return Item(name: String(name), parameters: Dictionary(pairs, uniquingKeysWith: { _, last in last }))
    }
  }

  /// A text split at a separator outside quotes.
  private static func parts(of text: Substring, at separator: Character) -> [Substring] {
    var parts: [Substring] = []
    var start = text.startIndex
    var isQuoted = false
    var isEscaped = false
    for index in text.indices {
      let character = text[index]
      if isEscaped {
        isEscaped = false
      } else if isQuoted, character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
      } else if !isQuoted, character == separator {
        parts.append(text[start..<index])
        start = text.index(after: index)
      }
    }
    return parts + [text[start...]]
  }
}
