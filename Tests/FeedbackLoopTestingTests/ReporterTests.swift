import FeedbackLoop
import FeedbackLoopSwiftTesting
import FeedbackLoopTesting
import Locking
import Testing

@Suite struct ReporterTests {
  @Test func `The reporter for Swift Testing records a failure as an issue at the line of the expectation`() {
    let line = Lock(0)
    withKnownIssue {
      let system = TestSystem<Int, Int>(initialState: 0, reduce: { $0 += $1 }, report: TestFailure.record)
      line.withLock { $0 = #line + 1 }
      system.send(1) { $0 = 2 }
      system.finish()
    } matching: { issue in
      issue.sourceLocation?.line == line.withLock { $0 }
        && issue.sourceLocation?.fileID == #fileID
        && issue.comments.map(\.rawValue) == [
          """
          send(1): the state is not as expected (− expected, + actual)
            − 2
            + 1
          """
        ]
    }
  }
}
