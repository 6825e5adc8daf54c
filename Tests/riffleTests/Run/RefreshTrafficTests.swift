import HTTPTransport
import HTTPValues
import JSON
import Locking
import TestSupport
import Testing
import TransportTesting

@testable import App
@testable import Search

/// Tests the cost of a refresh for a service that supports conditional requests.
@Suite(.takesTurns) struct RefreshTrafficTests {
  /// A list of three pages of two rows, whose versions are their entity tags, that counts the bytes it sends.
  private final class VersionedList: Sendable {
    let rows = Lock(["1", "1", "1", "1", "1", "1"])
    let sent = Lock<[String]>([])

    func answer(_ request: ScriptedServer.Request) -> ScriptedServer.Answer {
      let page = request.target.last?.wholeNumberValue ?? 1
      let values = rows.withLock { Array($0[(page - 1) * 2..<page * 2]) }
      let tag = "\"\(values.joined(separator: "-"))\""
      let items = values.enumerated().map { #"{"id": \#(page * 2 + $0), "value": \#($1)}"# }
      let body = #"{"items": [\#(items.joined(separator: ", "))], "more": \#(page < 3)}"#
      let isKnown = request.text.contains("\nIf-None-Match: \(tag)\n")
      sent.withLock { $0.append("p\(page) \(isKnown ? 304 : 200): \(isKnown ? 0 : body.utf8.count) bytes") }
      return isKnown ? .status(304, "", ("ETag", tag)) : .json(body, ("ETag", tag))
    }

    /// The requests since the last call.
    func takeSent() -> [String] {
      sent.withLock { sent in
        defer { sent = [] }
        return sent
      }
    }
  }

  private func source(port: Int) throws -> Source {
    Source(
      id: "test", title: "Test", endpoint: Endpoint(url: try Template("http://127.0.0.1:\(port)/")),
      pagination: try Pagination(
        PagePagination.self,
        PaginationSettings(into: .query("page"), more: try ValueExpression(parsing: "more"))),
      rows: RowShape(path: try JSONPath("items"), key: try ValueExpression(parsing: "id")))
  }

  /// The values of the rows, after all requests of the session are answered.
  private func settle(_ session: inout Session, by loader: PageLoader) async throws -> String {
    while let request = session.requests.first {
      let page = try await loader.page(for: request, makeContent: { .document($0) }).get()
      session.reduce(.loaded(page, for: request))
    }
    let rows = session.rows
    return (0..<rows.count).compactMap { number in
      guard let (block, row) = rows.locate(number), case .document(let rows)? = block.content else {
        return nil
      }
      return JSONValue(document: rows.response.document, node: rows.nodes[row])["value"]?.numberText
    }.joined(separator: " ")
  }

  @Test func `A refresh receives no body of unchanged pages, and only the changes of others.`()
    async throws
  {
    let list = VersionedList()
    let server = try ScriptedServer { list.answer($0) }
    let source = try source(port: server.port)
    let seen = try await withTransport { [self] transport in
      let loader = PageLoader(
        source: source, transport: transport,
        credentials: CredentialProvider(prepare: { .success(RunContext()) }))
      var session = Session(rules: Session.Rules(source, pageSize: nil))
      session.reduce(.searched(Query(), .everything))
      var seen = [try await settle(&session, by: loader)] + list.takeSent()
      session.reduce(.refreshed(rows: 6))
      seen += [try await settle(&session, by: loader)] + list.takeSent()
      list.rows.withLock { $0[2] = "2" }
      session.reduce(.refreshed(rows: 6))
      seen += [try await settle(&session, by: loader)] + list.takeSent()
      return seen
    }
    #expect(
      seen == [
        "1 1 1 1 1 1", "p1 200: 71 bytes", "p2 200: 71 bytes", "p3 200: 72 bytes",
        "1 1 1 1 1 1", "p1 304: 0 bytes", "p2 304: 0 bytes", "p3 304: 0 bytes",
        "1 1 2 1 1 1", "p1 304: 0 bytes", "p2 200: 71 bytes", "p3 304: 0 bytes",
      ])
    server.stop()
  }
}
