import Glibc
import Testing
import Text

@testable import Terminal

@Suite struct TerminalOptionsTests {
  @Test(
    arguments: [
      (["TERM": "xterm"], ColorDepth.sixteen), (["TERM": "xterm-256color"], .indexed),
      (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .direct),
      (["TERM": "xterm", "COLORTERM": "24bit"], .direct),
      (["TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"], .none),
      (["TERM": "xterm-256color", "NO_COLOR": ""], .indexed), (["TERM": "xterm-kitty"], .direct),
      (["TERM": "vt220"], .none),
      (["TERM": "tmux-256color", "TMUX": "x", "COLORTERM": "truecolor"], .indexed),
      (["TERM": "tmux-256color", "TMUX": "x", "COLORTERM": "truecolor", "TERM_PROGRAM": "tmux"], .direct),
      (["TERM": "screen", "COLORTERM": "truecolor"], .sixteen), (["TERM": "linux"], .sixteen),
    ])
  func `Colours are what the environment promises.`(environment: [String: String], colors: ColorDepth) {
    #expect(TerminalOptions(environment: environment)?.colors == colors)
  }

  @Test(arguments: [[:], ["TERM": ""], ["TERM": "dumb"]])
  func `Without a terminal that can be drawn on there are no options.`(environment: [String: String]) {
    #expect(TerminalOptions(environment: environment) == nil)
  }

  @Test(
    arguments: [
      ([:], 25), (["SSH_TTY": "/dev/pts/1"], 100), (["SSH_CONNECTION": "x"], 100), (["ESCDELAY": "7"], 7),
      (["ESCDELAY": "soon"], 25), (["ESCDELAY": "-1"], 25),
    ])
  func `Esc waits longer over a network, and as long as the user says.`(
    environment: [String: String], milliseconds: Int
  ) {
    let environment = environment.merging(["TERM": "xterm"]) { old, _ in old }
    #expect(TerminalOptions(environment: environment)?.escapeDelay == .milliseconds(milliseconds))
  }

  @Test(arguments: [
    (["TERM": "linux"], false), (["TERM": "xterm", "TERM_PROGRAM": "Apple_Terminal"], false),
    (["TERM": "xterm"], true),
  ])
  func `Queries go only to terminals that answer them.`(environment: [String: String], answers: Bool) {
    #expect(TerminalOptions(environment: environment)?.answersQueries == answers)
  }
}

@Suite struct ColorDepthTests {
  @Test(
    arguments: [
      (Style.plain, "", "", "", ""), (Style(attributes: [.bold, .reverse]), "1;7", "1;7", "1;7", "1;7"),
      (Style(foreground: .indexed(1)), "", "31", "31", "31"),
      (Style(background: .indexed(9)), "", "101", "101", "101"),
      (Style(foreground: .indexed(208)), "", "33", "38;5;208", "38;5;208"),
      (
        Style(foreground: .rgb(255, 135, 0), attributes: .bold), "1", "1;33", "1;38;5;208", "1;38;2;255;135;0"
      ),
      (Style(background: .rgb(8, 8, 8)), "", "40", "48;5;232", "48;2;8;8;8"),
      (Style(foreground: .rgb(255, 255, 255)), "", "97", "38;5;231", "38;2;255;255;255"),
    ])
  func `A style is brought down to what the terminal draws.`(
    style: Style, none: String, sixteen: String, indexed: String, direct: String
  ) {
    #expect(ColorDepth.none.parameters(of: style) == none)
    #expect(ColorDepth.sixteen.parameters(of: style) == sixteen)
    #expect(ColorDepth.indexed.parameters(of: style) == indexed)
    #expect(ColorDepth.direct.parameters(of: style) == direct)
  }
}

@Suite struct InterruptsTests {
  @Test
  func `Three Ctrl-C within a second leave, spread further they do not, and Ctrl-backslash leaves at once.`()
  {
    let start = ContinuousClock.now
    func verdicts(_ milliseconds: [Int]) -> [Interrupts.Verdict] {
      var interrupts = Interrupts()
      return milliseconds.map { interrupts.verdict(on: Key("c", .ctrl), at: start + .milliseconds($0)) }
    }
    #expect(verdicts([0, 400, 900]) == [.goOn, .goOn, .interrupt])
    #expect(verdicts([0, 600, 1_200, 1_500]) == [.goOn, .goOn, .goOn, .interrupt])
    #expect(verdicts([0, 1_100, 2_200]) == [.goOn, .goOn, .goOn])
    var interrupts = Interrupts()
    #expect(interrupts.verdict(on: Key("\\", .ctrl), at: start) == .quit)
    #expect(interrupts.verdict(on: Key("q"), at: start) == .goOn)
  }
}

@Suite struct ScheduleTests {
  private let start = ContinuousClock.now

  private func after(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

  private func idle() -> Schedule {
    var schedule = Schedule(escapeDelay: .milliseconds(25))
    schedule.drewFrame(at: start - .seconds(1), isVisible: true)
    return schedule
  }

  @Test func `With nothing due the loop sleeps without end.`() {
    #expect(idle().pause(from: start, canDraw: true) == nil)
  }

  @Test func `The first frame after a pause is drawn at once, the next ones sixty a second.`() {
    var schedule = idle()
    schedule.needFrame()
    #expect(schedule.isFrameDue(at: start))
    schedule.drewFrame(at: start, isVisible: true)
    #expect(!schedule.isFrameDue(at: after(20)))
    schedule.needFrame()
    #expect(!schedule.isFrameDue(at: after(10)))
    #expect(schedule.pause(from: after(10), canDraw: true) == .milliseconds(6))
    #expect(schedule.pause(from: after(10), canDraw: false) == nil)
    #expect(schedule.isFrameDue(at: after(16)))
  }

  @Test func `A frame that changed nothing delays no other.`() {
    var schedule = idle()
    schedule.needFrame()
    schedule.drewFrame(at: start, isVisible: false)
    schedule.needFrame()
    #expect(schedule.isFrameDue(at: after(1)))
  }

  @Test func `A lone Esc is decided after its delay, and what comes meanwhile ends the wait.`() {
    var schedule = idle()
    schedule.read(at: start, pending: .escape)
    #expect(schedule.pause(from: start, canDraw: true) == .milliseconds(25))
    let decided = [24, 25, 26].map { schedule.takeSilence(at: after($0)) }
    #expect(decided == [false, true, false])
    schedule.read(at: start, pending: .paste)
    schedule.read(at: after(5), pending: nil)
    #expect(schedule.pause(from: after(5), canDraw: true) == nil)
  }

  @Test func `A window that is being dragged is measured every 15 ms, not later.`() {
    var schedule = idle()
    for change in [0, 5, 10] { schedule.needResize(at: after(change)) }
    let measured = [14, 15, 99].map { schedule.takeResize(at: after($0)) }
    #expect(measured == [false, true, false])
  }
}

@Suite struct WakeTests {
  @Test func `Many wakes are one byte, and after it is taken the next counts again.`() throws {
    let wake = try Wake()
    func isReadable() -> Bool {
      var polled = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
      return poll(&polled, 1, 0) == 1
    }
    #expect(!isReadable())
    for _ in 0..<100_000 { wake() }
    #expect(isReadable())
    var waiting: Int32 = 0
    _ = ioctl(wake.descriptor, UInt(FIONREAD), &waiting)
    #expect(waiting == 1)
    wake.clear()
    #expect(!isReadable())
    wake()
    #expect(isReadable())
  }
}
