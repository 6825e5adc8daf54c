/// The name of a source: `[a-z0-9][a-z0-9-]*`.
package enum SourceName {
  package static func isValid(_ text: String) -> Bool {
    text.utf8.first != UInt8(ascii: "-") && !text.isEmpty && text.utf8.allSatisfy(isNameByte)
  }

  /// Names derived from a URL, shortest first: `github` for `api.github.com`, then with the last part of its
  /// path, then with numbers up to 99.
  package static func suggestions(for url: WebURL) -> [String] {
    let host = name(of: hostWords(url))
    let base = host.isEmpty ? "source" : host
    let part = url.path.split(separator: "/").last.map { name(of: [String($0)]) } ?? ""
    return [base] + (part.isEmpty ? [] : ["\(base)-\(part)"]) + (2...99).map { "\(base)-\($0)" }
  }

  /// The labels of the host that identify the service.
  private static func hostWords(_ url: WebURL) -> [String] {
    var words = url.host.split(separator: ".").map(String.init)
    guard url.origin.hostClass == .global, words.last?.contains(where: \.isLetter) == true else {
      return words
    }
    if words.count > 2, words.last?.utf8.count == 2, shared.contains(words[words.count - 2]) {
      words.removeLast()
    }
    if words.count > 1 { words.removeLast() }
    while words.count > 1, let first = words.first, prefixes.contains(first) { words.removeFirst() }
    return words
  }

  private static let shared: Set = ["co", "com", "org", "net", "ac", "gov", "or", "ne"]
  private static let prefixes: Set = ["www", "api", "rest", "data"]

  private static func name(of words: [String]) -> String {
    let text = words.joined(separator: "-").lowercased().utf8.map { isNameByte($0) ? $0 : UInt8(ascii: "-") }
    let parts = text.split(separator: UInt8(ascii: "-")).map { String(decoding: $0, as: UTF8.self) }
    return String(parts.joined(separator: "-").prefix(40))
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
    default: false
    }
  }
}
