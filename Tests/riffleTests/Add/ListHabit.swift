import Detection
import Foundation
import HTTPTransport
import HTTPValues
import JSON
import Locking

@testable import Search

/// A way in which services divide lists into pages, and a service in memory that does so.
struct ListHabit: Sendable {
  enum Way: Sendable {
    /// The parameter of the page number, and the number of the first page.
    case page(String, first: Int = 1)
    /// The parameter of the number of rows to skip, and its value for the first page.
    case offset(String, first: Int = 0)
    /// The parameter of a token, and where the next one is: a path or `header:NAME`.
    case token(String, at: String, Token = .opaque)
    /// The parameter for the id of the last row.
    case lastRow(String)
    /// Where the address of the next page is: a path or `header:Link`.
    case link(at: String, Address = .absolute)
    case single
  }

  enum Token: Sendable { case opaque, number, withEquals, withSpaces, like(String) }
  enum Address: Sendable { case absolute, path, query, name }

  /// What follows the last page.
  enum End: Sendable { case empty, status(Int), lastAgain, firstAgain }

  var way: Way
  /// The parameter of the page size.
  var size: String?
  /// The path of the rows; empty for the root.
  var rows = "data"
  /// Where the total is: a path or `header:NAME`.
  var total: String?
  /// Where the number of pages is.
  var pages: String?
  /// Where a flag says that more rows follow.
  var more: String?
  /// Where the number of the next page is.
  var nextNumber: String?
  /// Where the page number or the offset is repeated.
  var echo: String?
  var end = End.empty
  /// More members of each response, as JSON.
  var noise = ""
  /// Whether rows are strings.
  var isScalar = false
  var id = "id"
  var base = "https://api.example.org/v1/things?kind=all"
  /// Whether the list is requested by POST, with the position and the page size in a JSON body.
  var isPosted = false
}

extension ListHabit: CustomStringConvertible {
  var description: String {
    let words: [String?] = [
      "\(way)".replacing("(", with: " ").replacing(")", with: "").replacing("\"", with: ""),
      rows.isEmpty ? "root" : rows, size, total, pages, more, nextNumber, echo.map { "echo \($0)" },
    ]
    let end = if case .empty = end { "" } else { ", then \(end)" }
    return words.compactMap(\.self).joined(separator: " · ") + end
  }
}

// MARK: - The service

extension ListHabit {
  static let usualSize = 10

  /// The request of the first page.
  func example(showsSize: Bool) throws -> RequestExample {
    var address = try WebURL(base)
    var request = WrittenRequest(WrittenText(base))
    if isPosted {
      let size = size.map { showsSize ? ", \"\($0)\": \(Self.usualSize)" : "" } ?? ""
      request.body = WrittenText("{\"kind\": \"all\"\(size)}")
    } else if let size, showsSize {
      address.setQueryItem(name: size, value: "\(Self.usualSize)")
      request.url = WrittenText("\(address)")
    }
    return try RequestExample(request, service: "X")
  }

  /// Answers requests for a list with so many rows.
  func transport(count: Int, limit: Int = 500) -> Transport {
    let requests = Lock(0)
    return Transport { request, _ throws(TransportError) in
      let number = requests.withLock { requests in
        requests += 1
        return requests
      }
      var response =
        number > limit ? self.response(503, "{}", [], request.url) : self.response(to: request, count: count)
      response.arrivedAt = 1_800_000_000
      return response
    }
  }

  /// The first page of a list of 23 rows.
  func firstPage() throws -> HTTPResponse {
    response(to: HTTPRequest(url: try example(showsSize: true).address), count: 23)
  }

  private func response(
    _ status: Int, _ body: String, _ headers: [(String, String)], _ url: WebURL
  ) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: HTTPFields(headers.map { HTTPField(received: $0.0, value: $0.1) }),
      body: Array(body.utf8), url: url)
  }

  private static func json(_ body: [String: Any]) -> String {
    let data = try? JSONSerialization.data(withJSONObject: body, options: [.sortedKeys])
    return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  private func response(to request: HTTPRequest, count: Int) -> HTTPResponse {
    let url = request.url
    let body = isPosted ? try? JSONDocument(request.body) : nil
    func value(_ name: String) -> String? {
      if let body { return body.root[name]?.text }
      return url.queryItems.first { $0.name == name }?.value
    }
    let asked = size.flatMap(value).flatMap { Int($0) } ?? Self.usualSize
    let size = max(1, min(asked, 50))
    var start = 0
    switch way {
    case .page(let name, let first): start = ((value(name).flatMap { Int($0) } ?? first) - first) * size
    case .offset(let name, let first): start = (value(name).flatMap { Int($0) } ?? first) - first
    case .token(let name, _, let kind): start = value(name).flatMap { position(of: $0, kind) } ?? 0
    case .lastRow(let name): start = value(name).flatMap { Int($0) }.map { $0 - 1_000 + 1 } ?? 0
    case .link: start = value("at").flatMap { Int($0) } ?? 0
    case .single: break
    }
    start = max(0, start)
    if start >= count, count > 0 {
      switch end {
      case .empty: start = count
      case .status(let status): return response(status, "{\"message\": \"no such page\"}", [], url)
      case .lastAgain: start = (count - 1) / size * size
      case .firstAgain: start = 0
      }
    }
    if case .single = way { return page(0..<count, of: count, size, url) }
    return page(start..<min(count, start + size), of: count, size, url)
  }

  private func page(_ range: Range<Int>, of count: Int, _ size: Int, _ url: WebURL) -> HTTPResponse {
    let items = range.map { number in
      isScalar
        ? "\"word \(1_000 + number)\""
        : """
        {"\(id)": \(1_000 + number), "name": "thing \(number)", \
        "self_url": "https://api.example.org/things/\(number)", "tags": ["a", "b"], \
        "updated_at": "2026-01-\(10 + number % 20)T08:00:00Z"}
        """
    }
    let list = "[\(items.joined(separator: ", "))]"
    var body: [String: Any] = [:]
    if let data = "{\(noise)}".data(using: .utf8),
      let more = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
    {
      body = more
    }
    var headers = [("Content-Type", "application/json")]
    func put(_ value: Any?, at place: String?) {
      guard let place, let value else { return }
      if place.hasPrefix("header:") {
        headers.append((String(place.dropFirst(7)), "\(value)"))
      } else {
        // A middle dot stands for a dot in a name.
        let names = place.split(separator: ".").map { String($0).replacing("·", with: ".") }
        body = Self.setting(body, names[...], value)
      }
    }
    let isLast = range.upperBound >= count
    put(count, at: total)
    put((count + size - 1) / size, at: pages)
    put(!isLast, at: more)
    switch way {
    case .page(_, let first):
      put(range.lowerBound / size + first, at: echo)
      put(isLast ? NSNull() : range.lowerBound / size + first + 1 as Any, at: nextNumber)
    case .offset(_, let first): put(range.lowerBound + first, at: echo)
    case .token(_, let place, let kind):
      put(
        isLast ? NSNull() : token(range.upperBound, kind) as Any,
        at: place.hasPrefix("header:") && isLast ? nil : place)
    case .link(let place, let form):
      let next = isLast ? nil : next(range.upperBound, url, form)
      if place == "header:Link" {
        put(next.map { "<\($0)>; rel=\"next\"" }, at: place)
      } else {
        put(next ?? NSNull() as Any, at: place)
      }
    case .lastRow, .single: break
    }
    if rows.isEmpty { return response(200, list, headers, url) }
    // The rows are written here: JSONSerialization takes long for them.
    let mark = "THE-ROWS"
    put(mark, at: rows)
    return response(200, Self.json(body).replacing("\"\(mark)\"", with: list), headers, url)
  }

  static func setting(_ table: [String: Any], _ path: ArraySlice<String>, _ value: Any) -> [String:
    Any]
  {
    guard let name = path.first else { return table }
    var table = table
    if path.count == 1 {
      table[name] = value
    } else {
      table[name] = setting(table[name] as? [String: Any] ?? [:], path.dropFirst(), value)
    }
    return table
  }

  private func next(_ start: Int, _ url: WebURL, _ form: Address) -> String {
    var next = url
    next.setQueryItem(name: "at", value: "\(start)")
    return switch form {
    case .absolute: "\(next)"
    case .path: "/v1/things?\(next.query ?? "")"
    case .query: "?\(next.query ?? "")"
    case .name: "things?\(next.query ?? "")"
    }
  }

  private func token(_ start: Int, _ kind: Token) -> Any {
    switch kind {
    case .opaque: "bmV4dA\(start)xYz"
    case .number: start
    case .withEquals: "a?p=\(start)=="
    case .withSpaces: "2026-01-01 10:00:\(start)"
    case .like(let text): "\(text)\(start)"
    }
  }

  private func position(of token: String, _ kind: Token) -> Int? {
    switch kind {
    case .opaque: token.hasPrefix("bmV4dA") ? Int(token.dropFirst(6).dropLast(3)) : nil
    case .number: Int(token)
    case .withEquals: token.hasPrefix("a?p=") ? Int(token.dropFirst(4).dropLast(2)) : nil
    case .withSpaces: Int(token.split(separator: ":").last ?? "")
    case .like(let text): token.hasPrefix(text) ? Int(token.dropFirst(text.count)) : nil
    }
  }
}
