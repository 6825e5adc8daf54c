import TestSupport

/// A way for a service to go wrong, as the bytes it sends.
struct ServiceFault: Sendable {
  /// Where it strikes.
  enum Reach: Sendable, Hashable {
    /// One page, the first or the second; those before and after are as they should be.
    case page
    /// The first page alone; why the second cannot have it.
    case firstPage(String)
    /// The second page alone; why the first cannot have it.
    case secondPage(String)
    /// The whole list.
    case list
  }

  /// What stands at the address that is asked.
  enum Place: Sendable {
    case service
    /// Nobody listens there.
    case nobody
    /// A connection is never taken there.
    case nowhere
    /// The name is not known.
    case unknownName
    /// The service speaks TLS.
    case secureService
  }

  let name: String
  var reach = Reach.page
  var place = Place.service
  /// Further tables of the source, or a `[pagination]` of its own.
  var tables = ""
  /// Of the run, in place of the usual: a fault that never ends is waited for so long.
  var timeout: String?
  /// The most requests that any mode may make of it.
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
  /// One request, as the service sees it.
  struct Visit: Sendable {
    /// From 1.
    let page: Int
    /// How often this page was asked before.
    let earlier: Int
    /// `http://127.0.0.1:8000`, as the request had it.
    let service: String
    /// Seconds since 1970.
    let time: Int

    /// The page as it should be.
    var wholePage: String { ListedPage(page).body(next: page < 3 ? nextLink : "null") }

    /// The address of the next page, as JSON.
    var nextLink: String { "\"\(service)/list?page=\(page + 1)\"" }
  }
}

/// A page of two rows; the whole list has three.
struct ListedPage {
  let ids: [Int]

  init(_ number: Int) { ids = [2 * number - 1, 2 * number] }

  init(ids: [Int]) { self.ids = ids }

  var rows: String {
    "[" + ids.map { "{\"id\": \($0), \"name\": \"row-\($0)\"}" }.joined(separator: ", ") + "]"
  }

  /// - Parameter next: JSON.
  func body(next: String, _ rest: String = "") -> String {
    "{\"items\": \(rows), \"next\": \(next)\(rest)}"
  }
}

extension RawServer.Action {
  /// A whole reply in JSON.
  static func json(_ body: String, status: String = "200 OK", _ fields: String...) -> RawServer.Action {
    reply(Array(body.utf8), status: status, ["Content-Type: application/json"] + fields)
  }

  static func reply(
    _ body: [UInt8], status: String = "200 OK", _ fields: [String]
  ) -> RawServer.Action {
    let lines = ["HTTP/1.1 \(status)"] + fields + ["Content-Length: \(body.count)", "", ""]
    return .send(Array(lines.joined(separator: "\r\n").utf8) + body)
  }

  /// The status alone, with what a service says about it.
  static func refusal(_ status: String, _ fields: String...) -> RawServer.Action {
    let lines = ["Content-Type: application/json"] + fields
    return reply(Array("{\"message\": \"the service's own words\"}".utf8), status: status, lines)
  }
}
