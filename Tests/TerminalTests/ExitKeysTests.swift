import Glibc
import Testing

@testable import Terminal

@Suite struct ExitKeysTests {
  @Test
  func `Three Ctrl-C within a second exit, slower ones do not, and Ctrl-backslash exits at once.`() {
    let start = ContinuousClock.now
    func exits(_ milliseconds: [Int]) -> [LoopExit?] {
      var interrupts = ExitKeys()
      return milliseconds.map { interrupts.exit(by: Key("c", .ctrl), at: start + .milliseconds($0)) }
    }
    #expect(exits([0, 400, 900]) == [nil, nil, .signal(SIGINT)])
    #expect(exits([0, 600, 1_200, 1_500]) == [nil, nil, nil, .signal(SIGINT)])
    #expect(exits([0, 1_100, 2_200]) == [nil, nil, nil])
    var interrupts = ExitKeys()
    #expect(interrupts.exit(by: Key("\\", .ctrl), at: start) == .signal(SIGQUIT))
    #expect(interrupts.exit(by: Key("q"), at: start) == nil)
  }
}
