import Locking
import TestSupport
import Testing

@Suite struct TurnsTests {
  private final class Record: Sendable {
    let counts = Lock((running: 0, most: 0, done: 0))
  }

  @Test func `[D36] Tests that hold servers or programs run a few at a time, and all run.`() async {
    let turns = Turns(atOnce: 3)
    let record = Record()
    await withTaskGroup { group in
      for _ in 0..<100 {
        group.addTask {
          await turns.take {
            record.counts.withLock {
              $0.running += 1
              $0.most = max($0.most, $0.running)
            }
            for _ in 0..<10 { await Task.yield() }
            record.counts.withLock {
              $0.running -= 1
              $0.done += 1
            }
          }
        }
      }
    }
    #expect(record.counts.withLock { [$0.running, $0.most, $0.done] } == [0, 3, 100])
  }
}
