/// The parts of a request that the API uses.
struct Request: Sendable, Equatable {
  var method: String
  /// As sent; the paths of the API are ASCII.
  var path: String
  var query: Query
  var body: [UInt8] = []
  /// The server's own base URL: `"http://127.0.0.1:8080"`.
  var baseURL: String
  /// The base URL of absolute links in the reply; a fault may change it.
  var linkBase: String
  /// How the rows are divided into pages; a fault may change it.
  var paging = Paging.regular
  /// In seconds since 1970.
  var time = 0
  /// The number of this request in its sequence, from 1; see `runID`.
  var number = 1

  /// - Parameter target: The request target as sent, in origin form (`/characters?q=x`) or in absolute form
  ///   for this server (`http://127.0.0.1:8080/characters?q=x`), RFC 9112 section 3.2.
  init(method: String = "GET", target: String, baseURL: String) {
    let origin = target.hasPrefix(baseURL + "/") ? target.dropFirst(baseURL.count) : target[...]
    let path = origin.prefix { $0 != "?" }
    self.method = method
    self.path = String(path)
    self.query = Query(parsing: origin.dropFirst(path.count + 1))
    self.baseURL = baseURL
    self.linkBase = baseURL
  }

  /// The absolute URL of this request with one parameter changed.
  func url(setting name: String, to value: String) -> String {
    "\(linkBase)\(path)?\(query.setting(name, to: value).text)"
  }

  /// The common identity of all requests of one search, by which a fault applies to some of them by their
  /// number; nil without a fault. A different `run`, with any value, starts a new sequence.
  var runID: String? {
    guard let fault = query["fault"], !fault.isEmpty else { return nil }
    let parts = ["q", "fault", "from", "times", "every", "run"].map { query[$0] ?? "" }
    return ([path] + parts.map(PercentEncoding.encoded)).joined(separator: "&")
  }
}

/// The query of a request target: named values in order, in the format of HTML forms.
struct Query: Sendable, Equatable {
  private(set) var items: [Item]

  struct Item: Sendable, Equatable {
    var name: String
    var value: String
  }

  /// Parses `a=1&b=%E2%86%92+x`. A plus sign is a space, an invalid escape is unchanged, invalid UTF-8
  /// becomes U+FFFD.
  init(parsing text: Substring) {
    items = text.split(separator: "&").map { part in
      let name = part.prefix { $0 != "=" }
      let value = part.dropFirst(name.count + 1)
      return Item(name: PercentEncoding.decoded(name), value: PercentEncoding.decoded(value))
    }
  }

  /// The first value with this name.
  subscript(name: String) -> String? { items.first { $0.name == name }?.value }

  /// The first value with this name as a number in the range; `standard` if it is absent or empty.
  func number(_ name: String, in range: ClosedRange<Int>, standard: Int) throws(Refusal) -> Int {
    guard let text = self[name], !text.isEmpty else { return standard }
    guard let number = Int(text), number >= range.lowerBound else {
      throw Refusal(422, "\(name) must be a whole number from \(range.lowerBound), but is '\(text)'")
    }
    return min(number, range.upperBound)
  }

  /// The same query with one value replacing all values of this name, or appended.
  func setting(_ name: String, to value: String) -> Query {
    var query = self
    let position = items.firstIndex { $0.name == name } ?? items.endIndex
    query.items.removeAll { $0.name == name }
    query.items.insert(Item(name: name, value: value), at: min(position, query.items.endIndex))
    return query
  }

  /// The same query without the values of this name.
  func removing(_ name: String) -> Query {
    var query = self
    query.items.removeAll { $0.name == name }
    return query
  }

  /// The query as it appears in a URL after the question mark.
  var text: String {
    items.map { PercentEncoding.encoded($0.name) + "=" + PercentEncoding.encoded($0.value) }
      .joined(separator: "&")
  }
}

/// Percent-encoding of query values (RFC 3986 section 2).
enum PercentEncoding {
  /// Escapes every byte except the unreserved ones.
  static func encoded(_ text: String) -> String {
    text.utf8.reduce(into: "") { encoded, byte in
      if isUnreserved(byte) {
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        encoded += byte < 0x10 ? "%0" : "%"
        encoded += String(byte, radix: 16, uppercase: true)
      }
    }
  }

  /// Decodes escapes and plus signs; a `%` without two hexadecimal digits is unchanged.
  static func decoded(_ text: Substring) -> String {
    var decoded: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let escaped = escapedByte(rest.prefix(2)) {
        decoded.append(escaped)
        rest = rest.dropFirst(2)
      } else {
        decoded.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  private static func escapedByte(_ digits: Substring.UTF8View) -> UInt8? {
    guard digits.count == 2, digits.first != UInt8(ascii: "+") else { return nil }
    return UInt8(Substring(digits), radix: 16)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~".utf8.contains(byte)
    }
  }
}
