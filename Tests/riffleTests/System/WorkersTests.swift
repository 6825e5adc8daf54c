import Testing

@testable import App
@testable import riffle

/// Tests the program's own threads.
@Suite(.timeLimit(.minutes(2))) struct WorkersTests {
  @Test func `All the work of many tasks is done, whichever thread it comes from.`() async {
    let (done, continuation) = AsyncStream<Int>.makeStream()
    await withTaskGroup { group in
      for number in 0..<1_000 {
        group.addTask {
          await Task(executorPreference: Workers.shared) {
            for _ in 0..<5 { await Task.yield() }
            // Work that creates more work.
            await Task(executorPreference: Workers.shared) { _ = continuation.yield(number) }.value
          }.value
        }
      }
    }
    continuation.finish()
    #expect(await done.reduce(into: Set()) { $0.insert($1) } == Set(0..<1_000))
  }

  @Test func `More tasks may wait for each other than there are threads.`() async {
    let count = 200
    let (turns, continuation) = AsyncStream<Int>.makeStream()
    var tasks: [Task<Int, Never>] = []
    for number in 0..<count {
      let before = tasks.last
      tasks.append(
        Task(executorPreference: Workers.shared) {
          let turn = await before?.value ?? 0
          continuation.yield(number)
          return turn + 1
        })
    }
    #expect(await tasks.last?.value == count)
    continuation.finish()
    #expect(await turns.reduce(into: []) { $0.append($1) } == Array(0..<count))
  }

  @Test func `A blocking command gets the result of its work, even if that is nil.`() {
    #expect(blocking { 42 } == 42)
    #expect(blocking { await Task(executorPreference: Workers.shared) { nil as Int? }.value } == nil)
  }
}
