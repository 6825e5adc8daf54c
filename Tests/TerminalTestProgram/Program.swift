import Glibc
import Synchronization
import Terminal
import Text

/// State changed by a thread other than the terminal's.
private let answers = Atomic(0)

/// A small pager for tests in a real terminal: rows of difficult text, a selection and a query line.
struct Program {
  private enum NextStep { case stay, suspend, leave }

  private static let samples = [
    "東京都渋谷区", "データ検索システム", "한국어 문자열", "plain ascii text", "naïve café", "e\u{301}clair", "👩‍👩‍👧‍👦 family",
    "🇯🇵🇫🇷 flags", "❤️ heart", "👍🏽 skin", "Ω≈ç√", "ﾊﾝｶｸ", "ไทยภาษา", "— dash…", "☕︎ text", "1️⃣ keycap",
  ]
  private static let rowCount = 100_000

  private let wake: Wake
  private var nextStep = NextStep.stay
  private var canvas = Canvas(size: Size(columns: 80, rows: 24), widthModel: .codePoints)
  private var selection = 0
  private var top = 0
  private var redraws = 0
  private var query = ""
  private var last = ""
  private var tracksMouse = false
  private var copies = 0
  /// The events of the loop until the first frame was shown.
  private var beginning: [String] = []

  init(wake: Wake) {
    self.wake = wake
  }

  mutating func step() -> UIStep {
    switch nextStep {
    case .stay:
      note("drawn")
      return .draw(frame)
    case .suspend: return .suspend
    case .leave: return .leave
    }
  }

  private mutating func note(_ word: String) { if beginning.last != "shown" { beginning.append(word) } }

  mutating func handle(_ event: UIEvent) {
    note(String("\(event)".prefix { $0 != "(" }))
    switch event {
    case .resized(let canvas): self.canvas = canvas
    case .resumed(let canvas):
      self.canvas = canvas
      nextStep = .stay
    case .input(.key(let key)): handle(key)
    case .input(.paste(let text)): query += text
    case .input: break
    case .learned(let traits): if let background = traits.background { last = "\(background) ground" }
    case .copied(_, let isSent): last = isSent ? "copied" : "not copied"
    case .elapsed, .shown: break
    }
    scroll()
  }

  private mutating func handle(_ key: Key) {
    if key != Key("z", .ctrl), key != Key("l", .ctrl) { last = key.notation }
    let page = canvas.size.rows - 3
    switch key.notation {
    case "q", "ctrl-c": nextStep = .leave
    case "ctrl-z": nextStep = .suspend
    case "A": ask()
    case "B": query = beginning.joined(separator: " ")
    case "F": flood()
    case "C": copies += 1
    case "%": tracksMouse.toggle()
    case "S": UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
    case "T": fatalError("a trap for the test")
    case "O": selection += overflow(1)
    case "down", "j": selection += 1
    case "up", "k": selection -= 1
    case "pagedown": selection += page
    case "pageup": selection -= page
    case "backspace": if !query.isEmpty { query.removeLast() }
    case "ctrl-l": redraws += 1
    default: if let text = key.text { query.append(text) }
    }
    selection = min(max(0, selection), Program.rowCount - 1)
  }

  /// The answer arrives on another thread.
  private func ask() {
    let wake = wake
    Task.detached {
      answers.add(1, ordering: .relaxed)
      wake()
    }
  }

  /// Answers arrive endlessly, like pages.
  private func flood() {
    let wake = wake
    Task.detached {
      while true {
        answers.add(1, ordering: .relaxed)
        wake()
        try? await Task.sleep(for: .milliseconds(5))
      }
    }
  }

  /// Recurses until the stack overflows.
  private func overflow(_ depth: Int) -> Int { depth < 0 ? 0 : overflow(depth &+ 1) &+ overflow(depth &+ 2) }

  private mutating func scroll() {
    let height = max(1, canvas.size.rows - 3)
    top = min(max(top, selection - height + 1), selection)
  }

  private var frame: Frame {
    var lines = [queryLine, heading]
    for row in top..<max(top, top + canvas.size.rows - 3) { lines.append(line(row)) }
    lines.append(status)
    var frame = Frame(
      canvas, lines: lines,
      caret: query.isEmpty
        ? nil : Frame.Position(column: 9 + Sanitized(query).width(canvas.widthModel), row: 0),
      redraws: redraws)
    frame.tracksMouse = tracksMouse
    if copies > 0 { frame.copy = Frame.Copy(id: copies, text: "copy \(copies)") }
    return frame
  }

  private var queryLine: Line {
    var line = Line("search› ", style: Style(attributes: .bold))
    line.append(" ")
    line.append(Sanitized(query))
    line.advance(to: 9 + Sanitized(query).width(canvas.widthModel))
    return line
  }

  private var heading: Line {
    var line = Line("  NAME", style: Style(attributes: [.bold, .underline]))
    line.advance(to: 14, style: Style(attributes: [.bold, .underline]))
    line.append("DESCRIPTION", style: Style(attributes: [.bold, .underline]))
    return line
  }

  private func line(_ row: Int) -> Line {
    var line = Line(row == selection ? "▌ " : "  ", style: Style(foreground: .indexed(4)))
    line.append(Sanitized("row\(row)"))
    line.advance(to: 14)
    line.append(Sanitized(Program.samples[row % Program.samples.count]))
    line.advance(to: 44)
    line.append(
      Sanitized(Program.samples[(row * 7 + 3) % Program.samples.count]),
      style: Style(foreground: .indexed(173)))
    line.advance(to: 64)
    line.append(Sanitized("\(row &* 7919 % 100_003)"))
    return line
  }

  private var status: Line {
    var line = Line(Sanitized(" \(selection) of \(Program.rowCount)"), style: Style(attributes: .dim))
    line.advance(to: canvas.size.columns - 20)
    line.append(Sanitized(last))
    let count = answers.load(ordering: .relaxed)
    if count > 0 { line.append(Sanitized(" answer \(count)")) }
    return line
  }
}

@main enum Main {
  static func main() throws {
    var environment: [String: String] = [:]
    for name in ["TERM", "COLORTERM", "NO_COLOR", "ESCDELAY", "SSH_TTY", "HEIGHT"] {
      environment[name] = getenv(name).map { String(cString: $0) }
    }
    guard var options = TerminalOptions(environment: environment) else { exit(64) }
    options.height = environment["HEIGHT"].flatMap(InlineHeight.init)
    let wake = try Wake()
    var program = Program(wake: wake)
    let departure = try UILoop.run(
      on: TTY(), wake: wake, options: options, handle: { program.handle($0) }, step: { program.step() })
    switch departure {
    case .finished: exit(0)
    case .signal(let signal): end(by: signal)
    case .hangup: end(by: SIGHUP)
    }
  }

  private static func end(by signal: Int32) -> Never {
    Glibc.signal(signal, SIG_DFL)
    raise(signal)
    exit(128 + signal)
  }
}
