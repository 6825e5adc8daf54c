import Testing

@testable import Terminal

@Suite struct ScheduleTests {
  private let start = ContinuousClock.now

  private func after(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

  private func idle() -> Schedule {
    var schedule = Schedule(escapeDelay: .milliseconds(25))
    schedule.drewFrame(at: start - .seconds(1), isVisible: true, lasting: nil)
    return schedule
  }

  @Test func `When nothing is due, the loop sleeps indefinitely.`() {
    #expect(idle().pause(from: start, canDraw: true) == nil)
  }

  @Test func `The first frame after a pause is drawn at once, and the next ones at sixty per second.`() {
    var schedule = idle()
    schedule.needFrame()
    #expect(schedule.isFrameDue(at: start))
    schedule.drewFrame(at: start, isVisible: true, lasting: nil)
    #expect(!schedule.isFrameDue(at: after(20)))
    schedule.needFrame()
    #expect(!schedule.isFrameDue(at: after(10)))
    #expect(schedule.pause(from: after(10), canDraw: true) == .milliseconds(6))
    #expect(schedule.pause(from: after(10), canDraw: false) == nil)
    #expect(schedule.isFrameDue(at: after(16)))
  }

  @Test func `A frame that changed nothing does not delay another one.`() {
    var schedule = idle()
    schedule.needFrame()
    schedule.drewFrame(at: start, isVisible: false, lasting: nil)
    schedule.needFrame()
    #expect(schedule.isFrameDue(at: after(1)))
  }

  @Test func `A lone Esc is decided after its delay, and further input ends the wait.`() {
    var schedule = idle()
    schedule.read(at: start, pending: .escape)
    #expect(schedule.pause(from: start, canDraw: true) == .milliseconds(25))
    let decided = [24, 25, 26].map { schedule.expireSilence(at: after($0)) }
    #expect(decided == [false, true, false])
    schedule.read(at: start, pending: .paste)
    schedule.read(at: after(5), pending: nil)
    #expect(schedule.pause(from: after(5), canDraw: true) == nil)
  }

  @Test func `A frame lasts as long as it says, however often it is drawn in that time.`() {
    var schedule = idle()
    schedule.drewFrame(at: start, isVisible: false, lasting: .milliseconds(125))
    schedule.drewFrame(at: after(60), isVisible: false, lasting: .milliseconds(125))
    #expect(schedule.pause(from: after(60), canDraw: true) == .milliseconds(65))
    let lapsed = [124, 125, 126].map { schedule.expireNotice(at: after($0)) }
    #expect(lapsed == [false, true, false])
    schedule.drewFrame(at: after(126), isVisible: false, lasting: .milliseconds(125))
    schedule.drewFrame(at: after(130), isVisible: false, lasting: nil)
    #expect(schedule.pause(from: after(130), canDraw: true) == nil)
  }

  @Test func `A window that is being resized is measured 15 ms after the first change, not later.`() {
    var schedule = idle()
    for change in [0, 5, 10] { schedule.needResize(at: after(change)) }
    let measured = [14, 15, 99].map { schedule.takeResize(at: after($0)) }
    #expect(measured == [false, true, false])
  }
}
