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
  func `Keyboard flags are pushed after the alternate screen is entered and popped before it is left.`()
    throws
  {
    var modes = try modes(after: [.keyboardFlags(0)])
    #expect(isOrdered(["[?1049h", "[>5u"], in: modes.entering(rows: 4)))
    #expect(isOrdered(["[<1u", "[?1049l"], in: modes.leaving))
    #expect(try !self.modes().leaving.contains("[<1u"))
  }

  @Test func `Keyboard flags are pushed once, however often the terminal reports its own.`() throws {
    var modes = try modes()
    let written = (0..<3).map { modes.adopt(.keyboardFlags($0)) }
    #expect(written == ["\u{1B}[>5u", "", ""])
  }

  @Test(
    arguments: [
      (ModeState.unknown, false, false), (.set, true, false), (.reset, true, true), (.alwaysSet, true, false),
      (.alwaysReset, false, false),
    ])
  func `Text is measured by clusters where the terminal can, and only a mode turned on is turned off.`(
    state: ModeState, isMeasured: Bool, isTurned: Bool
  ) throws {
    var modes = try modes(after: [.mode(2027, state)])
    #expect(modes.widthModel == (isMeasured ? .clusters : .codePoints))
    #expect(modes.entering(rows: 4).contains("[?2027h") == isTurned)
    #expect(modes.leaving.contains("[?2027l") == isTurned)
  }

  @Test func `Bracketed paste stays on if it was on before.`() throws {
    #expect(try modes().leaving.contains("[?2004l"))
    #expect(try modes(after: [.mode(2004, .set)]).leaving.contains("[?2004h"))
  }

  private func frame(tracksMouse: Bool) -> Frame {
    var frame = Frame(Canvas(size: Size(columns: 20, rows: 4), widthModel: .codePoints))
    frame.tracksMouse = tracksMouse
    return frame
  }

  @Test
  func `The mouse is captured while frames request it, and captured again after a stop.`()
    throws
  {
    let (on, off) = (PrivateMode.mouse.on, PrivateMode.mouse.off)
    var modes = try modes()
    let toggled = [false, true, true, false, false, true].map { modes.follow(frame(tracksMouse: $0)) }
    #expect(toggled == ["", on, "", off, "", on])
    #expect(modes.leaving.contains(off))
    #expect(!modes.entering(rows: 4).contains(on))
    #expect(modes.follow(frame(tracksMouse: true)) == on)
    var plain = try self.modes(term: "linux")
    #expect(plain.follow(frame(tracksMouse: true)) == "")
  }

  @Test func `Progress is shown on terminals that support it, and cleared on leaving.`()
    throws
  {
    var busy = frame(tracksMouse: false)
    busy.isBusy = true
    var modes = TerminalModes(
      try #require(TerminalOptions(environment: ["TERM": "xterm-256color", "WT_SESSION": "x"])))
    let written = [busy, busy, frame(tracksMouse: false)].map { modes.follow($0) }
    #expect(written == ["\u{1B}]9;4;3\u{1B}\\", "", "\u{1B}]9;4;0\u{1B}\\"])
    #expect(modes.leaving.contains("]9;4;0"))
    var other = try self.modes()
    #expect(other.follow(busy) == "" && !other.leaving.contains("]9;"))
  }

  @Test func `A desktop notification is sent once.`() throws {
    var modes = TerminalModes(try #require(TerminalOptions(environment: ["TERM": "xterm-256color"])))
    var frame = frame(tracksMouse: false)
    frame.notification = Frame.Notification(id: 1, "riffle: 3 rows loaded")
    #expect(modes.follow(frame) == "\u{1B}]9;riffle: 3 rows loaded\u{1B}\\")
    #expect(modes.follow(frame) == "")
  }

  @Test(
    arguments: [
      ([.background(0, 0, 0)], .dark), ([.background(0, 43, 54)], .dark),
      ([.background(255, 255, 255)], .light),
      ([.background(253, 246, 227)], .light), ([.background(0, 0, 255)], .dark),
      ([.background(0, 255, 0)], .light),
      ([.prefersDark(true)], .dark), ([.background(0, 0, 0), .prefersDark(false)], .light),
      ([.deviceAttributes([62])], nil),
    ] as [([Answer], Background?)])
  func `The background is the one that the terminal reported last.`(
    answers: [Answer], background: Background?
  ) throws {
    #expect(try modes(after: answers).traits.background == background)
  }

  @Test
  func `Color scheme reports are turned on only if the terminal supports them and they are off.`()
    throws
  {
    let on = PrivateMode.colorSchemeReports.on
    let off = PrivateMode.colorSchemeReports.off
    for (state, isFollowed) in [
      (ModeState.reset, true), (.set, false), (.unknown, false), (.alwaysSet, false),
    ] {
      var modes = try modes()
      #expect(modes.adopt(.mode(2031, state)) == (isFollowed ? on : ""))
      #expect(modes.leaving.contains(off) == isFollowed)
      #expect(modes.entering(rows: 4).contains(on) == isFollowed)
    }
  }

  @Test func `Copies are trusted when the terminal lists them, or as the user says.`() throws {
    #expect(try !modes().traits.takesCopies)
    #expect(try modes(after: [.deviceAttributes([62, 22, 52])]).traits.takesCopies)
    #expect(try !modes(after: [.deviceAttributes([52])]).traits.takesCopies)
    var options = try #require(TerminalOptions(environment: ["TERM": "xterm-kitty"]))
    #expect(TerminalModes(options).traits.takesCopies)
    options.takesCopies = false
    #expect(!TerminalModes(options).traits.takesCopies)
  }

  @Test
  func `Queries end with the one that every terminal answers, and are sent before the modes they ask about.`()
    throws
  {
    var modes = try modes()
    #expect(modes.queries.hasSuffix("\u{1B}[c"))
    #expect(
      isOrdered(
        ["[?1049h", "[?2004$p", "[c", "[?2004h"], in: modes.entering(rows: 4, sending: modes.queries)))
    #expect(!modes.isFenceSeen)
    #expect(try self.modes(after: [.deviceAttributes([62])]).isFenceSeen)
  }

  @Test func `A plain terminal gets no query and no sequence beyond the VT100's except for the cursor.`()
    throws
  {
    var modes = try modes(term: "linux")
    #expect(modes.queries == "" && modes.isFenceSeen)
    #expect(modes.entering(rows: 4) == "\u{1B}[?7l")
    #expect(modes.leaving == "\u{1B}[m\u{1B}[r\u{1B}[2J\u{1B}[?7h\u{1B}[?25h")
  }

  @Test(arguments: ["xterm", "linux"])
  func `Without the alternate screen, frames are drawn below the existing text and stay above the cursor.`(
    term: String
  ) throws {
    var options = try #require(TerminalOptions(environment: ["TERM": term]))
    options.usesAlternateScreen = false
    var modes = TerminalModes(options)
    #expect(modes.entering(rows: 4).hasPrefix("\u{1B}[9999H\n\n\n\n"))
    #expect(modes.leaving.contains("\u{1B}[9999H\r\n"))
    for text in [modes.entering(rows: 4), modes.leaving] {
      #expect(!text.contains("[?1049") && !text.contains("[2J"))
    }
  }

  @Test func `The longest leaving sequence fits the crash handler's storage.`() throws {
    let modes = try modes(after: [
      .keyboardFlags(0), .mode(2027, .reset), .mode(2031, .reset), .mode(2004, .set),
    ])
    #expect(modes.leaving.utf8.count < CRESTORE_CAPACITY)
  }

  @Test func `Text is copied through GNU screen in DCS strings that it passes on.`() throws {
    let environment = ["TERM": "screen", "STY": "1.pts-0.host"]
    let modes = TerminalModes(try #require(TerminalOptions(environment: environment)))
    #expect(modes.copying("hi") == "\u{1B}P\u{1B}]52;c;aGk=\u{7}\u{1B}\\")
    let long = modes.copying(String(repeating: "x", count: 3_000))
    #expect(long.split(separator: "\u{1B}\\").allSatisfy { $0.hasPrefix("\u{1B}P") && $0.utf8.count < 768 })
    #expect(try self.modes().copying("hi") == "\u{1B}]52;c;aGk=\u{1B}\\")
  }
}
