import Demo
import TestSupport
import Testing

/// What goes wrong on purpose: rows that came are kept, the status and the words tell what happened, and the
/// requests are few. The suites run beside each other, the cases of one after each other, so that a time-out
/// means what it says.
@Suite(.takesTurns, .serialized) struct PagingTrapTests {
  @Test(arguments: PagingTraps.all)
  func `A list that does not fit together is read as far as that goes, without a row too many.`(
    trap: Trap
  ) async throws {
    let outcome = try await trap.outcome()
    #expect(outcome == trap.picture + "\n")
  }
}

@Suite(.takesTurns, .serialized) struct ReplyTrapTests {
  @Test(arguments: ReplyTraps.limits + ReplyTraps.failures + ReplyTraps.bodies)
  func `A page that cannot be had costs no row before it.`(trap: Trap) async throws {
    let outcome = try await trap.outcome()
    #expect(outcome == trap.picture + "\n")
  }
}

@Suite(.takesTurns, .serialized) struct SlowTrapTests {
  @Test(arguments: ReplyTraps.recovered + ReplyTraps.timeouts)
  func `What passes is waited for, what does not is given up.`(trap: Trap) async throws {
    let outcome = try await trap.outcome()
    #expect(outcome == trap.picture + "\n")
  }
}

/// A list of ten rows in pages of four that goes wrong on its way.
struct Trap: Sendable, CustomTestStringConvertible {
  let path: String
  /// Of the address: a fault of the embedded server.
  let query: String
  var arguments: [String] = []
  /// Further tables of the source.
  var tables = ""
  /// The rows by their place in the list, the requests, the status and what is said.
  let picture: String

  var testDescription: String { "\(path)?\(query) \(arguments.joined(separator: " "))" }

  private static let library = LibrarySearch("TIBETAN DIGIT HALF")

  /// What the program makes of it, as in `picture`.
  func outcome() async throws -> String {
    let style = try #require(Style.all.first { $0.path == path })
    let server = try await DemoServer.start()
    let document = try DemoRoute(path: path).document(server, query: query, rest: tables)
    let result = try await withFile("trap.toml", document) { file in
      let search = ["search", file, "tibetan digit half", "--all", "--page-size", "4", "--concurrency", "1"]
      return try await Program.run(search + ["-f", "csv", "--no-header", "-c", style.column] + arguments)
    }
    let requests = server.requestLog.count
    try await server.stop()
    let names = style.column == "value" ? Self.library.names : Self.library.codePoints
    let rows = result.lines.map { line in names.firstIndex { $0 == line }.map { " \($0 + 1)" } ?? " ?" }
    // Each of them ends with the same advice.
    let advice = "riffle: use --output FILE to make a run resumable\n"
    let words = result.errors.replacing(advice, with: "").replacing(":\(server.port)", with: ":PORT")
      .replacing("riffle: ", with: "").replacing(/; the wait ends at [-0-9: ]+/, with: "")
    return "rows\(rows.joined())\nrequests \(requests), status \(result.status)\n" + words
  }
}
