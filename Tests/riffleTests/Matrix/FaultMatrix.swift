import Foundation
import TestSupport

/// Every fault in every mode. A usual run tries each fault in every second cell, and its neighbors in the others.
enum FaultMatrix {
  static let faults: [ServiceFault] =
    [
      ServiceFault.connections, ServiceFault.statuses, ServiceFault.redirects, ServiceFault.waits,
      ServiceFault.clocks, ServiceFault.bodies, ServiceFault.attacks, ServiceFault.lists,
    ].flatMap { $0 }

  static let cells = faults.flatMap(MatrixCell.cells(of:))

  /// The indices of the cells that are tried: all of them, if the file is written or more cases are tried.
  static let tried: Set<Int> = {
    var number = 0
    let all = faults.enumerated().flatMap { fault in
      MatrixCell.cells(of: fault.element).indices.map { cell in
        defer { number += 1 }
        return RepositoryFile.isWriting || Seeds.tries(fault.offset + cell, oneIn: 2) ? number : -1
      }
    }
    return Set(all).subtracting([-1])
  }()

  /// The outcomes of all cells that are run, in their order.
  ///
  /// Cells that wait for a timeout take no CPU time, so they run in a separate group.
  static func outcomes() async throws -> [MatrixOutcome?] {
    let slow = tried.filter { cells[$0].fault.timeout != nil }.sorted()
    let fast = tried.filter { cells[$0].fault.timeout == nil }.sorted()
    async let late = outcomes(of: slow, atOnce: 16)
    let soon = try await outcomes(of: fast, atOnce: 4)
    let all = try await late.merging(soon) { $1 }
    return cells.indices.map { all[$0] }
  }

  private static func outcomes(of indices: [Int], atOnce: Int) async throws -> [Int: MatrixOutcome] {
    try await withThrowingTaskGroup(of: (Int, MatrixOutcome?).self) { group in
      var rest = indices[...]
      func begin() {
        guard let index = rest.popFirst() else { return }
        group.addTask { (index, try await cells[index].outcome()) }
      }
      for _ in 0..<atOnce { begin() }
      var outcomes: [Int: MatrixOutcome] = [:]
      while let (index, outcome) = try await group.next() {
        outcomes[index] = outcome
        begin()
      }
      return outcomes
    }
  }
}

extension MatrixCell {
  /// Runs the program; nil when the fault cannot occur in this cell.
  func outcome() async throws -> MatrixOutcome? {
    guard reasonToSkip == nil else { return nil }
    let faultyPage: Int? = if case .secondPage = fault.reach { nil } else { page }
    let service = try await FaultyService.start(fault, onPage: faultyPage)
    var outcome = try await withFile("faulty.toml", service.document) { file in
      let folder = URL(filePath: file).deletingLastPathComponent()
      try Data(TestCertificate.text.utf8).write(to: folder.appending(path: "certificate.pem"))
      return isOnTerminal
        ? try await onThread { try runOnTerminal(service, folder) } : try await runInPipe(service, folder)
    }
    outcome.words = MatrixWords.lasting(outcome.words, service)
    outcome.requests = service.requestCount
    try await service.stop()
    return outcome
  }

  /// Runs `body` on a thread that may block: the test runner has only as many threads as processors.
  private func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value
  {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "cell of the matrix").async { continuation.resume(with: Result(catching: body)) }
    }
  }
}
