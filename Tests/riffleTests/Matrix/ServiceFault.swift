import TestSupport

/// A way in which a service can fail, as the bytes it sends.
struct ServiceFault: Sendable {
  /// The part of the list that is affected.
  enum Reach: Sendable, Hashable {
    /// One page, the first or the second; the others are correct.
    case page
    /// The first page only, with the reason why the second cannot be affected.
    case firstPage(String)
    /// The second page only, with the reason why the first cannot be affected.
    case secondPage(String)
    /// The whole list.
    case list
  }

  /// The kind of service at the requested URL.
  enum Place: Sendable {
    case service
    /// Nothing listens there.
    case nobody
    /// Connections there are never accepted.
    case nowhere
    /// The host name is unknown.
    case unknownName
    /// The service speaks TLS.
    case secureService
  }

  let name: String
  var reach = Reach.page
  var place = Place.service
  /// More tables of the source, or its own `[pagination]`.
  var tables = ""
  /// The timeout of the run, instead of the usual one: a fault that never ends is waited for this long.
  var timeout: String?
  /// Whether it tries to exhaust the memory.
  var isExhausting = false
  /// The most requests that any mode may send.
  var requests = 5
  let answer: @Sendable (Visit) -> [RawServer.Action]

  init(_ name: String, _ answer: @escaping @Sendable (Visit) -> [RawServer.Action]) {
    self.name = name
    self.answer = answer
  }

  func with(_ change: (inout ServiceFault) -> Void) -> ServiceFault {
    var copy = self
    change(&copy)
    return copy
  }
}

extension ServiceFault {
  /// One request as seen by the service.
  struct Visit: Sendable {
    /// The page number, from 1.
    let page: Int
    /// How often this page was requested before.
    let earlier: Int
    /// `http://127.0.0.1:8000`, as given in the request.
    let service: String
    /// Seconds since 1970.
    let time: Int

    /// The correct page.
    var wholePage: String { ListedPage(page).body(next: page < 3 ? nextLink : "null") }

    /// The address of the next page, as a JSON string.
    var nextLink: String { "\"\(service)/list?page=\(page + 1)\"" }
  }
}

/// A page of two rows; the whole list has three pages.
struct ListedPage {
  let ids: [Int]

  init(_ number: Int) { ids = [2 * number - 1, 2 * number] }

  init(ids: [Int]) { self.ids = ids }

  var rows: String {
    "[" + ids.map { "{\"id\": \($0), \"name\": \"row-\($0)\"}" }.joined(separator: ", ") + "]"
  }

  /// - Parameter next: a JSON value.
  func body(next: String, _ rest: String = "") -> String {
    "{\"items\": \(rows), \"next\": \(next)\(rest)}"
  }
}

extension RawServer.Action {
  /// A complete response in JSON.
  static func json(_ body: String, status: String = "200 OK", _ fields: String...) -> RawServer.Action {
    response(Array(body.utf8), status: status, ["Content-Type: application/json"] + fields)
  }

  static func response(
    _ body: [UInt8], status: String = "200 OK", _ fields: [String]
  ) -> RawServer.Action {
    let lines = ["HTTP/1.1 \(status)"] + fields + ["Content-Length: \(body.count)", "", ""]
    return .send(Array(lines.joined(separator: "\r\n").utf8) + body)
  }

  /// A response that has only a status, header fields and a message.
  static func refusal(_ status: String, _ fields: String...) -> RawServer.Action {
    let lines = ["Content-Type: application/json"] + fields
    return response(Array("{\"message\": \"the service's own words\"}".utf8), status: status, lines)
  }
}
