import CRestore
import Testing
import Text

@testable import Terminal

@Suite struct TerminalModesTests {
  private func modes(term: String = "xterm", after answers: [Answer] = []) throws -> TerminalModes {
    var modes = TerminalModes(try #require(TerminalOptions(environment: ["TERM": term])))
    for answer in answers { _ = modes.adopt(answer) }
    return modes
  }

  private func isOrdered(_ parts: [String], in text: String) -> Bool {
    var rest = text[...]
    for part in parts {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }

  @Test
  func
    `Keyboard flags belong to the alternate screen: pushed after it is entered, popped before it is left.`()
    throws
  {
    let modes = try modes(after: [.keyboardFlags(0)])
    #expect(isOrdered(["[?1049h", "[>1u"], in: modes.entering()))
    #expect(isOrdered(["[<1u", "[?1049l"], in: modes.leaving))
    #expect(try !self.modes().leaving.contains("[<1u"))
  }

  @Test func `Keyboard flags are pushed once, however often the terminal tells its own.`() throws {
    var modes = try modes()
    let written = (0..<3).map { modes.adopt(.keyboardFlags($0)) }
    #expect(written == ["\u{1B}[>1u", "", ""])
  }

  @Test(
    arguments: [
      (ModeState.unknown, false, false), (.set, true, false), (.reset, true, true), (.alwaysSet, true, false),
      (.alwaysReset, false, false),
    ])
  func `Text is measured by clusters where the terminal can, and only what was turned on is turned off.`(
    state: ModeState, isMeasured: Bool, isTurned: Bool
  ) throws {
    let modes = try modes(after: [.mode(2027, state)])
    #expect(modes.widthModel == (isMeasured ? .clusters : .codePoints))
    #expect(modes.entering().contains("[?2027h") == isTurned)
    #expect(modes.leaving.contains("[?2027l") == isTurned)
  }

  @Test func `Bracketed paste stays on for a caller who had it.`() throws {
    #expect(try modes().leaving.contains("[?2004l"))
    #expect(try modes(after: [.mode(2004, .set)]).leaving.contains("[?2004h"))
  }

  @Test func `Queries end with the one that every terminal answers, and go before the modes they ask about.`()
    throws
  {
    let modes = try modes()
    #expect(modes.queries.hasSuffix("\u{1B}[c"))
    #expect(isOrdered(["[?1049h", "[?2004$p", "[c", "[?2004h"], in: modes.entering(asking: modes.queries)))
    #expect(!modes.isFenceSeen)
    #expect(try self.modes(after: [.deviceAttributes([62])]).isFenceSeen)
  }

  @Test func `A plain terminal is asked nothing and gets no sequence beyond the VT100's but the cursor's.`()
    throws
  {
    let modes = try modes(term: "linux")
    #expect(modes.queries == "" && modes.isFenceSeen)
    #expect(modes.entering() == "\u{1B}[?7l")
    #expect(modes.leaving == "\u{1B}[m\u{1B}[r\u{1B}[2J\u{1B}[?7h\u{1B}[?25h")
  }

  @Test func `The longest leaving sequence fits the crash handler's storage.`() throws {
    let modes = try modes(after: [.keyboardFlags(0), .mode(2027, .reset), .mode(2004, .set)])
    #expect(modes.leaving.utf8.count < CRESTORE_CAPACITY)
  }
}
