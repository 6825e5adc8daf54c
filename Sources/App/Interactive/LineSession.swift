import Dispatch
import Glibc
import Locking
import Pager
import Terminal
import Text

/// A session without a screen: it prints what each command shows, and reads the next one. Nothing is redrawn.
struct LineSession {
  let tabs: SessionTabs
  let terminal: Descriptor
  /// Signaled when a state has changed.
  let changed: DispatchSemaphore
  private let interrupt = Lock(Interrupt())

  private struct Interrupt {
    /// Whether the user waits for rows, and has no prompt.
    var isExpected = false
    var hasArrived = false
  }

  init(tabs: SessionTabs, terminal: Descriptor, changed: DispatchSemaphore) {
    (self.tabs, self.terminal, self.changed) = (tabs, terminal, changed)
  }

  /// The maximum length of a line in bytes, which is also that of the terminal.
  private static let maxLine = 4_096
  /// How often the clock of a state advances while something is on its way.
  private static let tick = DispatchTimeInterval.milliseconds(250)

  /// Takes Ctrl-C while rows are on their way; false at the prompt, and for other signals.
  var takes: @Sendable (Int32) -> Bool {
    { [interrupt, changed] signal in
      let isTaken = interrupt.withLock { interrupt in
        interrupt.hasArrived = signal == SIGINT && interrupt.isExpected
        return interrupt.hasArrived
      }
      if isTaken { changed.signal() }
      return isTaken
    }
  }

  /// Returns when the user quits, at the end of the input, or at Ctrl-C while nothing can be stopped.
  func run(on canvas: Canvas) throws(Errno) -> LoopExit {
    tabs.handle(.resized(canvas))
    tabs.handle(.shown)
    while let state = try stateAtRest() {
      let text = LineView.lines(state).map { "\($0)\n" }.joined()
      try terminal.write(Array((text + LineView.prompt).utf8))
      guard let line = terminal.typedLine(upTo: Self.maxLine) else {
        try terminal.write([UInt8(ascii: "\n")])
        return .finished
      }
      let isReduced = tabs.enter(line: String(decoding: line, as: UTF8.self))
      while !isReduced() { _ = changed.wait(timeout: .now() + Self.tick) }
    }
    return interrupt.withLock(\.hasArrived) ? .signal(SIGINT) : .finished
  }

  /// The state once nothing is on its way; nil if the session is over. Prints what it waits for. Ctrl-C stops that.
  private func stateAtRest() throws(Errno) -> PagerState? {
    interrupt.withLock { $0 = Interrupt(isExpected: true) }
    defer { interrupt.withLock { $0.isExpected = false } }
    var printed: String?
    while let state = tabs.shownState {
      if interrupt.withLock(\.hasArrived) {
        guard tabs.stop() else { return nil }
        interrupt.withLock { $0.hasArrived = false }
      }
      if state.isAtRest { return state }
      if let wait = LineView.wait(state) {
        if printed == nil { try terminal.write(Array("\(wait)\n".utf8)) }
        printed = wait
      } else {
        printed = nil
      }
      if changed.wait(timeout: .now() + Self.tick) == .timedOut { tabs.handle(.elapsed) }
    }
    return nil
  }
}

extension Descriptor {
  /// The next line that the user types; nil at the end of the input.
  fileprivate func typedLine(upTo limit: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: limit)
    var count = read(number, &bytes, limit)
    while count < 0, errno == EINTR { count = read(number, &bytes, limit) }
    return count > 0 ? Array(bytes.prefix(count)) : nil
  }
}
