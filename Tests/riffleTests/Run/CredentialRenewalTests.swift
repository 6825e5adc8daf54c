import Foundation
import HTTPValues
import Locking
import TestSupport
import Testing

@testable import App
@testable import Search
@testable import riffle

/// Tests that a credential from a program is renewed when the service refuses it, but not twice without a success.
@Suite(.takesTurns) struct CredentialRenewalTests {
  /// Numbered tokens, and a provider that returns the next one at each renewal.
  private final class Tokens: Sendable {
    private let given = Lock(0)
    private let most: Int

    init(most: Int) { self.most = most }

    /// How often the program was run.
    var runs: Int { given.withLock { $0 } }

    func next() -> RunContext {
      let number = given.withLock { given in
        given += 1
        return given
      }
      return RunContext(
        credentials: ResolvedCredentials(
          authorization: PlacedCredential(
            place: .header("Authorization"), secret: Secret("token-\(min(number, most))-of-mine"),
            provenance: "cmd:token")))
    }

    var keeper: CredentialProvider {
      CredentialProvider(prepare: { [self] in .success(next()) }, renew: { [self] _ in next() })
    }
  }

  @Test func `[D7] A credential that expires repeatedly is renewed each time.`() async throws {
    let tokens = Tokens(most: 9)
    let keeper = tokens.keeper
    var run = try await keeper.context.get()
    for runs in 2...5 {
      keeper.accept(run)
      run = try #require(try await keeper.renewed(after: run))
      #expect(tokens.runs == runs)
      #expect(try await keeper.context.get().credentials == run.credentials)
    }
  }

  @Test func `[D7] The program is not run twice in a row without a success in between.`() async throws {
    let tokens = Tokens(most: 9)
    let keeper = tokens.keeper
    let first = try await keeper.context.get()
    let second = try #require(try await keeper.renewed(after: first))
    #expect(try await keeper.renewed(after: second) == nil)
    #expect(try await keeper.renewed(after: second) == nil)
    #expect(tokens.runs == 2)
    // A late response to a request with the previous credential says nothing about this one.
    keeper.accept(first)
    #expect(try await keeper.renewed(after: second) == nil)
    keeper.accept(second)
    #expect(try await keeper.renewed(after: second) != nil)
  }

  @Test
  func `A token obtained by another run does not count as a renewal, and may be rejected like any other.`()
    async throws
  {
    let tokens = Tokens(most: 9)
    let keeper = CredentialProvider(
      prepare: { .success(tokens.next()) },
      renew: { _ in
        var context = tokens.next()
        context.isAuthorizationFound = tokens.runs < 4
        return context
      })
    var run = try await keeper.context.get()
    for runs in 2...4 {
      run = try #require(try await keeper.renewed(after: run))
      #expect(tokens.runs == runs)
    }
    #expect(try await keeper.renewed(after: run) == nil)
  }

  @Test func `A token that other requests used up is renewed a limited number of times.`() async throws {
    let tokens = Tokens(most: 99)
    let keeper = tokens.keeper
    var run = try await keeper.context.get()
    keeper.use(by: 2)
    for runs in 2...4 {
      run = try #require(try await keeper.renewed(after: run))
      #expect(tokens.runs == runs)
    }
    #expect(try await keeper.renewed(after: run) == nil)
  }

  @Test(arguments: [1, 4]) func `A token that is valid for three requests is renewed as often as needed.`(
    concurrency: Int
  ) async throws {
    let uses = Lock((token: 0, left: 0, refreshes: 0))
    let server = try ScriptedServer { request in
      if request.target == "/token" {
        let token = uses.withLock { uses in
          let isRight = request.text.contains("refresh_token=refresh-\(uses.token)")
          uses = (uses.token + 1, 3, uses.refreshes + 1)
          return isRight ? uses.token : 0
        }
        guard token > 0 else { return .status(400, "{\"error\": \"invalid_grant\"}") }
        return .json(
          "{\"access_token\": \"access-\(token)-of-mine\", \"token_type\": \"bearer\", \"refresh_token\": \"refresh-\(token)\"}"
        )
      }
      let isValid = uses.withLock { uses in
        guard request.text.contains("Bearer access-\(uses.token)-of-mine\n"), uses.left > 0 else {
          return false
        }
        uses.left -= 1
        return true
      }
      guard isValid, let page = request.target.split(separator: "=").last.flatMap({ Int($0) }) else {
        return .status(401)
      }
      return .json("{\"items\": [\(page > 40 ? "" : "{\"id\": \(page)}")], \"total\": 40}")
    }
    defer { server.stop() }
    let source = """
      schema = 1
      id = "mine"
      request.url = "\(server.baseURL)/list"
      [auth]
      type = "oauth"
      grant = "refresh_token"
      token_url = "\(server.baseURL)/token"
      client_id = "me"
      refresh_from = "env:REFRESH"
      [pagination]
      type = "page"
      param = "page"
      size = { default = 1 }
      [rows]
      path = "items"
      total = "total"
      """
    try await withFile("mine.toml", source) { file in
      let state = (file as NSString).deletingLastPathComponent
      for _ in 0..<3 {
        let result = try await Program.run(
          [
            "search", file, "--all", "-f", "csv", "--no-header", "--trust", "--concurrency", "\(concurrency)",
          ],
          environment: ["REFRESH": "refresh-0", "XDG_STATE_HOME": state])
        #expect(result.lines == (1...40).map { "\($0)" } && result.status == 0, "\(result)")
      }
    }
  }

  @Test func `[D7] A program that returns the refused credential again is not run a third time.`()
    async throws
  {
    let tokens = Tokens(most: 1)
    let keeper = tokens.keeper
    let run = try await keeper.context.get()
    #expect(try await keeper.renewed(after: run) == nil)
    #expect(try await keeper.renewed(after: run) == nil)
    #expect(tokens.runs == 2)
  }

  @Test func `[D7] Many requests that are refused at once run the program once.`() async throws {
    let tokens = Tokens(most: 9)
    let keeper = tokens.keeper
    let run = try await keeper.context.get()
    let renewed = await withTaskGroup { group in
      for _ in 0..<20 { group.addTask { try? await keeper.renewed(after: run)?.credentials } }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(renewed.count == 1 && !renewed.contains(nil))
    #expect(tokens.runs == 2)
    // A late caller gets the credential that was found in the meantime.
    #expect(try await keeper.renewed(after: run)?.credentials == renewed.first)
  }

  @Test func `Leaving cancels the renewal of a credential.`() async throws {
    let tokens = Tokens(most: 9)
    let (starts, started) = AsyncStream<Void>.makeStream()
    let (end, ended) = AsyncStream<Void>.makeStream()
    let isCancelled = Lock(false)
    let keeper = CredentialProvider(
      prepare: { .success(tokens.next()) },
      renew: { _ in
        started.yield()
        for await _ in end {}
        isCancelled.withLock { $0 = Task.isCancelled }
        return nil
      })
    let first = try await keeper.context.get()
    let renewal = Task { try await keeper.renewed(after: first) }
    for await _ in starts { break }
    keeper.cancel()
    ended.finish()
    #expect(try await renewal.value == nil)
    #expect(isCancelled.withLock { $0 })
  }

  @Test func `[D7] A run outlives any number of tokens.`() async throws {
    // Each token is valid for two pages.
    let server = try ScriptedServer { request in
      let page = request.target.split(separator: "=").last.flatMap { Int($0) } ?? 1
      guard request.text.contains("Bearer token-\((page + 1) / 2)-of-mine\n") else { return .status(401) }
      let next = page < 6 ? ", \"next\": \"?page=\(page + 1)\"" : ""
      return .json("{\"items\": [{\"id\": \(page)}]\(next)}")
    }
    defer { server.stop() }
    let source = { (program: String) in
      """
      schema = 1
      id = "mine"
      [request]
      url = "\(server.baseURL)/list"
      [auth]
      type = "bearer"
      from = ["cmd:\(program)"]
      [rows]
      path = "items"
      [pagination]
      type = "link"
      next = "next"
      """
    }
    let script = "#!/bin/sh\necho x >> $0.runs\necho token-$(wc -l < $0.runs)-of-mine\n"
    try await withFile("token", script) { program in
      chmod(program, 0o700)
      try await withFile("mine.toml", source(program)) { file in
        let result = try await Program.run(
          ["search", file, "--all", "-f", "csv", "--trust", "--stats", "-"])
        #expect(result.output == "id\n1\n2\n3\n4\n5\n6\n", "\(result.errors)")
        #expect(result.errors.contains("\"requests\": 8"))
        #expect(result.status == 0)
      }
    }
    #expect(server.requests.count == 8)
  }
}
