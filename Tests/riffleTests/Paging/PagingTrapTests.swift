import DemoTesting
import TestSupport
import Testing

/// Deliberate faults: received rows are kept, the status and messages say what happened, and few requests are sent.
/// The suites run in parallel, but the cases of each one in sequence, so that a timeout is caused by the fault and
/// not by load.
@Suite(.takesTurns, .serialized) struct PagingTrapTests {
  @Test(arguments: PagingTraps.all)
  func `A faulty list is read as far as possible, and ends with the expected rows and messages.`(
    trap: Trap
  ) async throws {
    let outcome = try await trap.outcome()
    #expect(outcome == trap.picture + "\n")
  }
}

@Suite(.takesTurns, .serialized) struct ResponseTrapTests {
  @Test(arguments: ResponseTraps.limits + ResponseTraps.failures + ResponseTraps.bodies)
  func `A failed page loses no row before it.`(trap: Trap) async throws {
    let outcome = try await trap.outcome()
    #expect(outcome == trap.picture + "\n")
  }
}

@Suite(.takesTurns, .serialized) struct SlowTrapTests {
  @Test(arguments: ResponseTraps.recovered + ResponseTraps.timeouts)
  func `A temporary fault is waited out, a permanent one ends the search.`(trap: Trap) async throws {
    let outcome = try await trap.outcome()
    #expect(outcome == trap.picture + "\n")
  }
}

/// A list of ten rows in pages of four with a fault.
struct Trap: Sendable, CustomTestStringConvertible {
  let path: String
  /// The query of the address: a fault of the embedded server.
  let query: String
  var arguments: [String] = []
  /// More tables of the source.
  var tables = ""
  /// The positions of the rows in the list, the number of requests, the status and the messages.
  let picture: String

  var testDescription: String { "\(path)?\(query) \(arguments.joined(separator: " "))" }

  private static let library = LibrarySearch("TIBETAN DIGIT HALF")

  /// The actual outcome, in the format of `picture`.
  func outcome() async throws -> String {
    let style = try #require(Style.all.first { $0.path == path })
    let server = try await TestServer.start()
    let document = try DemoRoute(path: path).document(server, query: query, rest: tables)
    let result = try await withFile("trap.toml", document) { file in
      let search = ["search", file, "tibetan digit half", "--all", "--page-size", "4", "--concurrency", "1"]
      return try await Program.run(search + ["-f", "csv", "--no-header", "-c", style.column] + arguments)
    }
    let requests = server.requestLog.count
    try await server.stop()
    let names = style.column == "value" ? Self.library.names : Self.library.codePoints
    let rows = result.lines.map { line in names.firstIndex { $0 == line }.map { " \($0 + 1)" } ?? " ?" }
    // Many of these messages end with the same advice.
    let advice = "riffle: to make a run resumable, use --output FILE\n"
    let words = result.errors.replacing(advice, with: "").replacing(":\(server.port)", with: ":PORT")
      .replacing("riffle: ", with: "").replacing(/\. Retry after [-0-9: ]+/, with: "")
    return "rows\(rows.joined())\nrequests \(requests), status \(result.status)\n" + words
  }
}
