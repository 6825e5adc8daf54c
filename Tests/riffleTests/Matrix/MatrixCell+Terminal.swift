import Foundation
import Terminal
import TestSupport
import Text

/// Modes on a terminal.
extension MatrixCell {
  private static let size = Size(columns: 300, rows: 12)

  /// Runs until the screen shows the outcome, then leaves with the key that a user would press.
  func runOnTerminal(_ service: FaultyService, _ folder: URL) throws -> MatrixOutcome {
    let source = folder.appending(path: "faulty.toml").path
    let output = folder.appending(path: "output").path
    let words = mode == .pick ? ["pick", source, "x", "-f", "csv", "--no-header"] : [source, "x"]
    let start = ContinuousClock.now
    let (columns, rows) = (UInt16(Self.size.columns), UInt16(Self.size.rows))
    let variables = environment(folder).map { "\($0)=\($1)" }
    let file = mode == .pick ? output : nil
    let terminal =
      needsProcess
      ? try PseudoTerminal(
        "riffle", arguments: words, columns: columns, rows: rows, environment: variables, outputFile: file)
      : try Program.onTerminal(
        words, columns: columns, rows: rows, environment: variables, outputFile: file)
    var lastChange = (count: 0, at: start)
    // The screen after the last change, once its bytes have been examined.
    var known: MatrixScreen?
    let isSettled = terminal.waits(atMost: Self.timeout) { terminal in
      if terminal.bytes.count != lastChange.count {
        lastChange = (terminal.bytes.count, .now)
        known = nil
        return false
      }
      let screen = known ?? Self.screen(terminal)
      known = screen
      return screen.isSettled || screen.isIdle && lastChange.at.duration(to: .now) > Self.calm
    }
    let screen = known ?? Self.screen(terminal)
    let seconds = start.duration(to: .now) / .seconds(1)
    let peak = needsProcess ? ProcessFacts.peak(of: terminal.processID).map { $0 / 1024 } : nil
    terminal.type(mode == .pick && !screen.rowNames.isEmpty ? "\r" : "q")
    let ending = terminal.ending()
    let printed = mode == .pick ? (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" : ""
    return MatrixOutcome(
      status: ending.map { ending in
        switch ending {
        case .exit(let status): status
        case .signal(let signal): 128 + signal
        }
      },
      rows: screen.rowNames.joined(separator: " ")
        + (printed.isEmpty ? "" : " → " + printed.prefix { $0 != "," }),
      requests: 0, words: screen.words, peak: peak, seconds: seconds,
      damage: (isSettled ? [] : ["the screen did not come to rest"]) + Self.damage(to: terminal))
  }

  /// When nothing changes for this long, nothing is in progress.
  private static let calm = Duration.seconds(1)

  private static func screen(_ terminal: PseudoTerminal) -> MatrixScreen {
    MatrixScreen(terminal.bytes, size)
  }

  private static func damage(to terminal: PseudoTerminal) -> [String] {
    var damage: [String] = []
    if !terminal.isAsFound { damage.append("the terminal's settings were not restored") }
    var screen = ScreenEmulator(size, .codePoints)
    screen.write(terminal.bytes)
    if screen.modes.subtracting(["7", "25"]) != [] {
      damage.append("modes left on: \(screen.modes.sorted())")
    }
    if !screen.isCursorVisible { damage.append("the cursor was left hidden") }
    let text = String(decoding: terminal.bytes, as: UTF8.self)
    if text.unicodeScalars.contains(where: { $0.value > 0x7E && $0.isTerminalHazard }) {
      damage.append("control characters on the terminal")
    }
    for sequence in ["\u{1B}]0;pwned", "\u{1B}]52", "\u{1B}[41m"] where text.contains(sequence) {
      damage.append("a sequence of the service on the terminal: \(sequence.debugDescription)")
    }
    return damage
  }
}

/// The text on the screen of a session.
struct MatrixScreen {
  /// The numbers of the visible rows, from the top.
  let rowNames: [String]
  private let notice: String
  private let status: String

  init(_ bytes: [UInt8], _ size: Size) {
    var screen = ScreenEmulator(size, .codePoints)
    screen.write(bytes)
    rowNames = screen.rows.dropLast(2).compactMap { row in
      row.firstMatch(of: #/^.. *([0-9]+) /#).map { String($0.1) }
    }
    let lines = screen.rows.map { $0.trimmingCharacters(in: .whitespaces) }
    // In an empty table the notice is in the middle, below the title, the query and the heading.
    let middle = lines.dropFirst(3).dropLast(2).filter { !$0.isEmpty }.joined(separator: " ")
    let line = lines.dropLast().last ?? ""
    notice = line.isEmpty && rowNames.isEmpty ? middle : line
    // The keys are on the right.
    status = lines.last?.components(separatedBy: "   ").first ?? ""
  }

  /// Whether nothing more will happen without input, other than after a wait longer than a user would stay.
  var isSettled: Bool {
    let state = status.components(separatedBy: " · ")
    if state.contains("waiting") || state.contains("rate limited") {
      return notice.firstMatch(of: /[Rr]etrying in ([0-9]+) s/).flatMap { Int($0.1) } ?? 0 > 10
    }
    let words = ["failed", "offline", "stopped", "no results", "end"]
    return words.contains { word in state.contains { $0.hasPrefix(word) } }
  }

  /// Whether nothing is loading, which may be true only for a moment.
  var isIdle: Bool {
    !status.isEmpty && !["loading", "waiting", "rate limited"].contains { status.contains($0) }
  }

  var words: String {
    notice.isEmpty ? status : "\(notice)\n\(status)"
  }
}
