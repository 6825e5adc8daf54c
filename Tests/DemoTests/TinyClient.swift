import Foundation
import HTTPValues
import NIOHTTP1

@testable import Demo
@testable import DemoTesting

/// Pages through a route as its document says, with a minimal implementation.
struct TinyClient {
  let route: ListedRoute
  private let document: DocumentReader
  private let base = "http://127.0.0.1:8080"
  private let api = FaultyAPI()

  init(_ route: ListedRoute) {
    self.route = route
    document = DocumentReader(route.document(baseURL: base))
  }

  /// The rows of each page, by code point (or by name where rows are names), until the end or `most` pages.
  func pages(_ query: String, size: Int, extra: String = "", most: Int = 100) throws -> [[String]] {
    var ask = Ask(url: try WebURL(base + route.path + "?q=" + PercentEncoding.encoded(query) + extra))
    ask.body["query"] = document["request.graphql"] ?? query
    ask.put(query, into: document["request.graphql"] == nil ? nil : "body:variables.q")
    ask.put(size, into: sizePlace)
    if let first = document["pagination.first"] { ask.put(first, into: place) }
    var pages: [[String]] = []
    while pages.count < most {
      let answer = try answer(to: ask)
      let rows = rows(of: answer)
      pages.append(rows)
      guard let next = next(after: ask, answer, rows: rows, number: pages.count) else { break }
      ask = next
    }
    return pages
  }

  // MARK: The request

  private struct Ask {
    var url: WebURL
    var body: [String: Any] = [:]

    mutating func put(_ value: Any, into place: String?) {
      guard let place, let colon = place.firstIndex(of: ":") else { return }
      let name = String(place[place.index(after: colon)...])
      if place.hasPrefix("query:") {
        url.setQueryItem(name: name, value: "\(value)")
      } else if let dot = name.firstIndex(of: ".") {
        var inner = body[String(name[..<dot])] as? [String: Any] ?? [:]
        inner[String(name[name.index(after: dot)...])] = value
        body[String(name[..<dot])] = inner
      } else {
        body[name] = value
      }
    }
  }

  private var place: String? {
    document["pagination.into"] ?? document["pagination.param"].map { "query:" + $0 }
  }

  private var sizePlace: String? {
    document.text("param", in: "pagination.size").map { "query:" + $0 }
      ?? document.text("body", in: "pagination.size").map { "body:" + $0 }
  }

  // MARK: The response

  private struct Answer {
    var response: Response
    var body: Any
  }

  private func answer(to ask: Ask) throws -> Answer {
    let method = route.route.methods[0]
    let body = method == "POST" ? Array(try JSONSerialization.data(withJSONObject: ask.body)) : []
    let response = api.response(
      to: try Request(method: method, target: "\(ask.url)", baseURL: base, body: body))
    guard response.status == 200 else {
      throw DemoError(response.status, String(decoding: response.body, as: UTF8.self))
    }
    return Answer(response: response, body: try JSONSerialization.jsonObject(with: Data(response.body)))
  }

  private func rows(of answer: Answer) -> [String] {
    let found = value(document["rows.path"] ?? "", of: answer)
    let key = document["rows.id"] ?? ""
    switch document["rows.shape"] {
    case "map": return (found as? [String: Any] ?? [:]).keys.sorted()
    case "columns":
      let names = value(document["rows.names"] ?? "", of: answer) as? [String] ?? []
      let place = names.firstIndex(of: key) ?? 0
      return (found as? [[String]] ?? []).map { $0[place] }
    case "scalars": return found as? [String] ?? []
    default: return (found as? [[String: Any]] ?? []).compactMap { $0[key] as? String }
    }
  }

  /// The value of an expression; nil if it is absent or null.
  private func value(_ expression: String, of answer: Answer) -> Any? {
    if expression == "$" { return answer.body }
    if expression.hasPrefix("header:") {
      return answer.response.headers.first(name: String(expression.dropFirst(7)))
    }
    if expression == "link:next" {
      let links = (answer.response.headers.first(name: "Link") ?? "").split(separator: ", ")
      return links.first { $0.hasSuffix("rel=\"next\"") }.map { String($0.dropFirst().prefix { $0 != ">" }) }
    }
    var value: Any? = answer.body
    for part in expression.split(separator: ".") {
      value = (value as? [String: Any])?[String(part.prefix { $0 != "[" })]
      if part.hasSuffix("[-1]") { value = (value as? [Any])?.last }
      if part.hasSuffix("[0]") { value = (value as? [Any])?.first }
    }
    return value is NSNull ? nil : value
  }

  // MARK: The next request

  private func next(after ask: Ask, _ answer: Answer, rows: [String], number: Int) -> Ask? {
    let next = document["pagination.next"].flatMap { value($0, of: answer) }
    if let more = document["pagination.more"], value(more, of: answer) as? Bool != true { return nil }
    var ask = ask
    switch document["pagination.type"] {
    case "page":
      if let pages = document["pagination.pages"] {
        guard number < value(pages, of: answer) as? Int ?? 0 else { return nil }
      } else if document["pagination.next"] != nil ? next == nil : rows.isEmpty {
        return nil
      }
      ask.put(number + (Int(document["pagination.first"] ?? "") ?? 1), into: place)
    case "offset":
      guard next != nil else { return nil }
      let offset = ask.url.queryItems.first { $0.name == "offset" }?.value
      ask.put((Int(offset ?? "") ?? 0) + rows.count, into: place)
    case "cursor":
      guard let next else { return nil }
      ask.put(next, into: place)
    case "link":
      guard let text = next as? String, let url = try? ask.url.resolving(text) else { return nil }
      ask.url = url
    case "merge":
      guard let keys = next as? [String: Any] else { return nil }
      for (name, value) in keys { ask.put(value, into: "query:" + name) }
    default: return nil
    }
    return ask
  }
}
