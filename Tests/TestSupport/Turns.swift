import Foundation
import Locking
package import Testing

/// Limits concurrency: when all places are taken, callers wait for one in order of arrival.
package final class Turns: Sendable {
  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Lock<State>

  package init(atOnce: Int) { state = Lock(State(free: atOnce)) }

  /// Runs `body` when a place is free.
  package nonisolated(nonsending) func take<Value>(
    _ body: nonisolated(nonsending) () async throws -> Value
  ) async rethrows -> Value {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.free > 0 else {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
    defer { leave() }
    return try await body()
  }

  private func leave() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.waiting.isEmpty {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}

/// For tests that use servers, programs, pipes or terminals. Swift Testing starts all tests of all suites
/// at once, and together they would hold more descriptors than Foundation's `Process` can handle
/// (`FD_SETSIZE` and a margin).
///
/// A test function takes its turn with all its cases, before their time limit begins; six of them run at
/// once. The resources of a case are released at its end. The tests run in threads that may be blocked, as by
/// the wait for a terminal.
package struct TakesTurns: TestTrait, SuiteTrait, TestScoping {
  private static let turns = Turns(atOnce: 6)

  /// The resources of the running case.
  private final class HeldResources: Sendable {
    let ends = Lock<[@Sendable () async -> Void]>([])
  }

  @TaskLocal private static var holdings: HeldResources?
  /// The turns of the cases of the running function.
  @TaskLocal private static var cases = Turns(atOnce: 1)

  package var isRecursive: Bool { true }

  package func scopeProvider(for test: Test, testCase: Test.Case?) -> TakesTurns? {
    test.isSuite ? nil : self
  }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else {
      return try await Self.turns.take {
        try await Self.$cases.withValue(Turns(atOnce: 6), operation: body)
      }
    }
    try await Self.cases.take { try await run(body) }
  }

  private func run(_ body: @Sendable () async throws -> Void) async throws {
    let holdings = HeldResources()
    let result: Result<Void, any Error>
    do {
      try await withTaskExecutorPreference(BlockingThreads.shared) {
        try await Self.$holdings.withValue(holdings, operation: body)
      }
      result = .success(())
    } catch {
      result = .failure(error)
    }
    for end in holdings.ends.withLock({ $0 }) { await end() }
    try result.get()
  }

  /// Runs `end` when the running case is over. Records an issue for a test without this trait.
  package static func atEnd(_ end: @escaping @Sendable () async -> Void) {
    guard let holdings else {
      Issue.record("a test with servers or programs takes turns: @Suite(.takesTurns)")
      return
    }
    holdings.ends.withLock { $0.append(end) }
  }
}

extension Trait where Self == TakesTurns {
  package static var takesTurns: TakesTurns { TakesTurns() }
}

/// Threads for tests that block. The runtime has one thread for each core, and a blocked one is missing to all others.
private final class BlockingThreads: TaskExecutor {
  static let shared = BlockingThreads(count: 12)

  private let jobs = Lock<[UnownedJob]>([])
  private let waiting = DispatchSemaphore(value: 0)

  private init(count: Int) {
    for _ in 0..<count {
      Thread.detachNewThread { [self] in
        while true {
          waiting.wait()
          let job = jobs.withLock { $0.removeFirst() }
          job.runSynchronously(on: asUnownedTaskExecutor())
        }
      }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    waiting.signal()
  }
}
