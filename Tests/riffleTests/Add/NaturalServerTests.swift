import Config
import Detection
import JSON
import TestSupport
import Testing

@testable import App
@testable import Search

/// From one natural address, the lists of servers that people run become sources that read every row.
@Suite struct NaturalServerTests {
  private enum Verdict { case exact, unsure, wrong }

  private static func judge(_ server: NaturalServer) async throws -> (Verdict, String) {
    let outcome: SourceTrial.Outcome
    do {
      outcome = try await SourceTrial.outcome(server.example(), id: "mine", server.transport, timeout: nil)
    } catch { return (.unsure, "\(server): \(error)") }
    #expect(outcome.requestCount <= TrialRequests.limit)
    let read = try await HabitJudge.rows(of: outcome.source, Query(outcome.query), server.transport).map {
      row in
      row.firstMatch(of: /row-[0-9]{4}/).map { String($0.0) } ?? row
    }
    let facts =
      "\(server): \(outcome.pagination) at \(outcome.guess.rowsPath), \(outcome.verdict), \(read.count) of "
      + "\(server.count), \(outcome.requestCount) requests"
    if read == (0..<server.count).map(NaturalServer.name) { return (.exact, facts) }
    return (outcome.verdict.isSure ? .wrong : .unsure, "\(facts) \(read.first ?? "")")
  }

  @Test func `A list that says that more rows follow, and then is empty, is not confirmed.`() async throws {
    let server = NaturalServer(description: "says more, then is empty", address: "/things?limit=25") { ask in
      let start = ask.text("cursor") == nil ? 0 : ask.count
      let next = start == 0 ? ", \"nextCursor\": \"x25\"" : ""
      return "{\"results\": \(ask.rows(start, 25)), \"moreDataAvailable\": \(start == 0)\(next)}"
    }
    let (verdict, facts) = try await Self.judge(server)
    #expect(verdict == .unsure, "\(facts)")
  }

  @Test(arguments: [
    ("known", NaturalServer.all), ("other", NaturalServer.others), ("unseen", NaturalServer.unseen),
    ("documented", NaturalServer.documented), ("house", NaturalServer.house),
    ("further", NaturalServer.further), ("later", NaturalServer.later),
    ("office", NaturalServer.office), ("foreign", NaturalServer.foreign),
    ("novel", NaturalServer.novel), ("inner", NaturalServer.inner),
    ("held out", NaturalServer.heldOut),
  ])
  func `[S1 S2 S3 S6 U3] A natural address of a real server becomes a source that reads each row once.`(
    name: String, servers: [NaturalServer]
  ) async throws {
    var missed: [String] = []
    // Every second one in a usual run.
    let servers = Seeds.every(2, of: servers)
    for server in servers {
      let (verdict, facts) = try await Self.judge(server)
      if verdict != .exact { missed.append(facts) }
    }
    print(
      "\(name): \(servers.count - missed.count) of \(servers.count) exact\n\(missed.joined(separator: "\n"))")
    #expect(missed == [])
  }
}
