import Foundation
import TestSupport
import Testing

@testable import App
@testable import riffle

/// Lists in the shapes that real services give them, from the source to the rows that `riffle search` writes.
@Suite(.takesTurns, .timeLimit(.minutes(2))) struct ServiceShapeTests {
  struct Shape: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Below `schema` and `id`; `SERVER` is the address of the server.
    let source: String
    /// The rows of a list of so many, as columns `id`.
    var rows: @Sendable (_ count: Int) -> [Int] = { Array(0..<$0) }
    /// The answer to a request for a list of so many rows; nil if the request is wrong.
    let answer: @Sendable (_ request: ScriptedServer.Request, _ count: Int) -> String?
  }

  private static let size = 3

  /// `{"id": 4}` for each row of a page that begins with `start`.
  private static func items(_ start: Int, _ count: Int, _ row: (Int) -> String = { "{\"id\": \($0)}" })
    -> String
  {
    "[\((start..<max(start, min(start + size, count))).map(row).joined(separator: ", "))]"
  }

  /// The number of a parameter, or of a member of the body.
  private static func number(_ name: String, in request: ScriptedServer.Request) -> Int? {
    request.text.firstRange(of: name).flatMap { place in
      let rest = request.text[place.upperBound...].drop { "=\": ".contains($0) }
      return Int(rest.prefix(while: \.isNumber))
    }
  }

  private static let byPage = "[pagination]\ntype = \"page\"\nparam = \"page\"\n[rows]\npath = \"items\"\n"

  private static func paged(_ request: ScriptedServer.Request, _ count: Int) -> String? {
    number("page", in: request).map { "{\"items\": \(items(($0 - 1) * size, count))}" }
  }

  private static let day: @Sendable (Double) -> String = { seconds in
    Date(timeIntervalSinceNow: seconds).formatted(.iso8601.year().month().day())
  }

  static let shapes = [
    Shape(
      testDescription: "a key as the user, with an empty password",
      source: """
        request.url = "SERVER/list"
        [auth]
        type = "basic"
        as = "user"
        from = "env:KEY"
        \(byPage)
        """
    ) { $0.text.contains("Authorization: Basic czNjcjN0Og==\n") ? paged($0, $1) : nil },
    Shape(
      testDescription: "a key as the user, with a fixed password",
      source: """
        request.url = "SERVER/list"
        [auth]
        type = "basic"
        as = "user"
        password = "x"
        from = "env:KEY"
        \(byPage)
        """
    ) { $0.text.contains("Authorization: Basic czNjcjN0Ong=\n") ? paged($0, $1) : nil },
    Shape(
      testDescription: "one object",
      source: "request.url = \"SERVER/me\"\n[rows]\npath = \"user\"\nshape = \"object\"", rows: { [$0] }
    ) { _, count in "{\"user\": {\"id\": \(count), \"name\": \"ann\"}}" },
    Shape(
      testDescription: "which elements are rows",
      source: """
        request.url = "SERVER/list"
        [pagination]
        type = "offset"
        param = "from"
        [rows]
        path = "items"
        where = { path = "archived", equals = false }
        """, rows: { (0..<$0).filter { $0 % 2 == 0 } }
    ) { request, count in
      number("from", in: request).map {
        "{\"items\": \(items($0, count) { "{\"id\": \($0), \"archived\": \($0 % 2 != 0)}" })}"
      }
    },
    Shape(
      testDescription: "many pages in a row without an element that is a row",
      source: """
        request.url = "SERVER/list"
        [pagination]
        type = "page"
        param = "page"
        more = "more"
        [rows]
        path = "items"
        where = { path = "wanted", equals = true }
        """, rows: { count in (0..<count).filter { !(0..<6).contains($0) } }
    ) { request, count in
      number("page", in: request).map { page in
        let rows = items((page - 1) * size, count) { "{\"id\": \($0), \"wanted\": \(!(0..<6).contains($0))}" }
        return "{\"items\": \(rows), \"more\": \(page * size < count)}"
      }
    },
    Shape(
      testDescription: "groups without rows",
      source: """
        request.url = "SERVER/list"
        [pagination]
        type = "page"
        param = "page"
        [rows]
        path = "groups[*].items[*]"
        """, rows: { count in (0..<count).filter { $0 > 4 } }
    ) { request, count in
      number("page", in: request).map { page in
        let groups = items((page - 1) * size, count) { "{\"items\": [\($0 > 4 ? "{\"id\": \($0)}" : "")]}" }
        return "{\"groups\": \(groups)}"
      }
    },
    Shape(
      testDescription: "a position inside a longer text",
      source: """
        [request]
        url = "SERVER/list"
        params = { limit = "{offset},{page_size}" }
        [pagination]
        type = "offset"
        size = { default = 3 }
        [rows]
        path = "items"
        """
    ) { request, count in
      request.target.firstMatch(of: /limit=([0-9]+)(?:,|%2C)3/).flatMap { Int($0.1) }.map {
        "{\"items\": \(items($0, count))}"
      }
    },
    Shape(
      testDescription: "a day counted from today",
      source: """
        [request]
        url = "SERVER/list"
        params = { since = "{today-30d}" }
        \(byPage)
        """
    ) { request, count in
      let days = [-30 * 86_400.0, -30 * 86_400 - 60].map(day)
      return days.contains { request.target.contains("since=\($0)&") } ? paged(request, count) : nil
    },
    Shape(
      testDescription: "rows inside rows",
      source: """
        request.url = "SERVER/list"
        [pagination]
        type = "page"
        param = "page"
        [rows]
        path = "groups[*].items[*]"
        [[columns]]
        path = "id"
        [[columns]]
        path = "^.name"
        """
    ) { request, count in
      number("page", in: request).map { page in
        let start = (page - 1) * size
        let groups = (start..<max(start, min(start + size, count))).map {
          "{\"name\": \"g\($0)\", \"items\": [{\"id\": \($0)}]}"
        }
        return "{\"groups\": [\(groups.joined(separator: ", "))]}"
      }
    },
    Shape(
      testDescription: "a form with a key and a position",
      source: """
        [request]
        method = "POST"
        url = "SERVER/list"
        body_type = "form"
        body = { find = "all", key = "{secret:key}" }
        safe = true
        [secrets.key]
        from = "env:KEY"
        [pagination]
        type = "page"
        into = "body:page"
        [rows]
        path = "items"
        """
    ) { request, count in
      let isRight =
        request.text.contains("application/x-www-form-urlencoded")
        && request.text.contains("find=all&key=s3cr3t&")
      return isRight ? paged(request, count) : nil
    },
    Shape(
      testDescription: "a GET with a body",
      source: """
        [request]
        method = "GET"
        url = "SERVER/list"
        body = { query = { match_all = {} } }
        [pagination]
        type = "offset"
        into = "body:from"
        [rows]
        path = "hits"
        """
    ) { request, count in
      let isRight = request.text.hasPrefix("GET ") && request.text.contains("{\"query\":{\"match_all\":{}}")
      return isRight ? number("from", in: request).map { "{\"hits\": \(items($0, count))}" } : nil
    },
    Shape(
      testDescription: "an empty text is a cursor",
      source: """
        request.url = "SERVER/list"
        [pagination]
        type = "cursor"
        next = "next"
        into = "query:after"
        empty_next = "value"
        [rows]
        path = "items"
        """
    ) { request, count in
      // The second page is called "", later ones by their first row.
      let after = request.target.firstMatch(of: /after=([0-9]*)/)?.1
      let start = after.map { $0.isEmpty ? size : Int($0) ?? 0 } ?? 0
      let end = start + size
      let next = end >= count ? "null" : start == 0 ? "\"\"" : "\"\(end)\""
      return "{\"items\": \(items(start, count)), \"next\": \(next)}"
    },
    Shape(
      testDescription: "edges with nodes",
      source: """
        [request]
        url = "SERVER/graphql"
        graphql = "query($after: String) { ships(after: $after) { edges { node { id } } pageInfo { endCursor } } }"
        [pagination]
        type = "cursor"
        into = "body:variables.after"
        next = "data.ships.pageInfo.endCursor"
        more = "data.ships.pageInfo.hasNextPage"
        [rows]
        path = "data.ships.edges[*].node"
        """
    ) { request, count in
      let start = request.text.firstMatch(of: /"after":"c([0-9]+)"/).flatMap { Int($0.1) } ?? 0
      let edges = items(start, count) { "{\"node\": {\"id\": \($0)}}" }
      let end = start + size
      return """
        {"data": {"ships": {"edges": \(edges), "pageInfo": {"endCursor": "c\(end)", "hasNextPage": \(end < count)}}}}
        """
    },
  ]

  @Test(arguments: shapes) func `A list in this shape is read exactly, whatever its length.`(
    _ shape: Shape
  ) async throws {
    for count in [0, 1, 3, 4, 6, 7, 12, 13] {
      let server = try ScriptedServer { request in
        shape.answer(request, count).map { .json($0) } ?? .status(400, "{\"message\": \"wrong request\"}")
      }
      defer { server.stop() }
      let source = "schema = 1\nid = \"mine\"\n" + shape.source.replacing("SERVER", with: server.baseURL)
      let result = try await withFile("mine.toml", source) { file in
        try await Program.run(
          ["search", file, "--all", "-f", "csv", "-c", "id", "--no-header", "--trust"],
          environment: ["KEY": "s3cr3t"])
      }
      let words = shape.rows(count).isEmpty ? "riffle: no results\n" : ""
      #expect(result.errors == words && result.status == 0, "\(count): \(result)")
      #expect(result.lines.map { Int($0) } == shape.rows(count), "\(count)")
      #expect(!(result.output + result.errors).contains("s3cr3t"))
    }
  }

  @Test(arguments: shapes) func `A run that is killed at any request and resumed writes the same rows.`(
    _ shape: Shape
  ) async throws {
    let killer = Killer()
    let server = try ScriptedServer { request in
      killer.noteRequest()
      return shape.answer(request, 13).map { .json($0) } ?? .status(400, "{}")
    }
    defer { server.stop() }
    let source = "schema = 1\nid = \"mine\"\n" + shape.source.replacing("SERVER", with: server.baseURL)
    try await withFile("mine.toml", source) { file in
      let output = (file as NSString).deletingLastPathComponent + "/rows.csv"
      let words = ["search", file, "--all", "-c", "id", "--trust", "--quiet", "--resume", "-o", output]
      let environment = ["KEY": "s3cr3t"]
      let expected = (["id"] + shape.rows(13).map { "\($0)" }).map { "\($0)\n" }.joined()
      #expect(try await Program.run(words, environment: environment).status == 0)
      #expect(try String(contentsOfFile: output, encoding: .utf8) == expected)
      for path in [output, "\(output).riffle"] { try FileManager.default.removeItem(atPath: path) }
      try await killer.expectWhole(
        output, is: expected, after: server.requests.count, words, environment: environment)
    }
  }

  @Test func `A total is read from the header of a HEAD request.`() async throws {
    let server = try ScriptedServer { request in
      request.text.hasPrefix("HEAD ")
        ? .status(200, "", ("X-Total-Count", "41")) : .json("{\"items\": \(Self.items(0, 3))}")
    }
    defer { server.stop() }
    let source = """
      schema = 1
      id = "mine"
      request.url = "\(server.baseURL)/list"
      [pagination]
      type = "page"
      param = "page"
      [rows]
      path = "items"
      total_request = { method = "HEAD", url = "\(server.baseURL)/list", total = "header:X-Total-Count" }
      """
    try await withFile("mine.toml", source) { file in
      let count = try await Program.run(["search", file, "--count"])
      #expect(count.output == "41\n" && count.errors == "" && count.status == 0)
    }
  }
}
