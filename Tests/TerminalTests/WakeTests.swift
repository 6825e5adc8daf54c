import Glibc
import Testing

@testable import Terminal

@Suite struct WakeTests {
  @Test func `Many wakes are one byte, and once it has been read the next wake counts again.`() throws {
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
