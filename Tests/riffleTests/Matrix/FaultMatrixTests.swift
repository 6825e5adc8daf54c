import TestSupport
import Testing

/// Tests how each mode of the program handles the faults of a service.
@Suite(.takesTurns, .enabled(if: !isSanitized, "a sanitizer has memory of its own")) struct FaultMatrixTests {
  @Test
  func `Each fault in each mode is reported correctly, loses no row and leaves the terminal as it was.`()
    async throws
  {
    let outcomes = try await FaultMatrix.outcomes()
    let file = RepositoryFile(path: "Tests/riffleTests/Matrix/matrix.txt")
    let table = MatrixTable.text(outcomes, earlier: try file.text())
    print(table)
    print(MatrixTable.cost(outcomes))
    for (cell, outcome) in zip(FaultMatrix.cells, outcomes) {
      let problems = outcome.map { MatrixRules.problems(cell, $0) } ?? []
      #expect(problems.isEmpty, "\(cell.fault.name), \(cell.name)")
    }
    let memory = zip(FaultMatrix.cells, outcomes).filter { $0.isMeasured && $1 != nil }.map { $1?.peak }
    #expect(memory.count { $0 == nil } <= memory.count / 10, "the memory of most programs is known")
    try file.expect(table)
  }
}
