import Testing

@testable import Terminal

@Suite struct InterruptsTests {
  @Test
  func `Three Ctrl-C within a second exit, slower ones do not, and Ctrl-backslash exits at once.`() {
    let start = ContinuousClock.now
    func verdicts(_ milliseconds: [Int]) -> [ExitKeys.Verdict] {
      var interrupts = ExitKeys()
      return milliseconds.map { interrupts.verdict(on: Key("c", .ctrl), at: start + .milliseconds($0)) }
    }
    #expect(verdicts([0, 400, 900]) == [.proceed, .proceed, .interrupt])
    #expect(verdicts([0, 600, 1_200, 1_500]) == [.proceed, .proceed, .proceed, .interrupt])
    #expect(verdicts([0, 1_100, 2_200]) == [.proceed, .proceed, .proceed])
    var interrupts = ExitKeys()
    #expect(interrupts.verdict(on: Key("\\", .ctrl), at: start) == .quit)
    #expect(interrupts.verdict(on: Key("q"), at: start) == .proceed)
  }
}
