import Foundation
import TestSupport
import Testing

/// Tests sessions in a real terminal multiplexer whose table of widths differs: tmux 3.3a gives characters of Unicode
/// 16 no column.
@Suite(.takesTurns, .serialized, .timeLimit(.minutes(3))) struct MultiplexerTests {
  private static let hasTmux = FileManager.default.isExecutableFile(atPath: "/usr/bin/tmux")

  @Test(.enabled(if: hasTmux, "tmux is not installed"))
  func `[D8] In tmux, the screen after paging equals the screen after a full redraw.`() async throws {
    try await withFile("written", "") { written in
      let folder = URL(filePath: written).deletingLastPathComponent().path
      let tmux = Tmux(name: "riffle", folder: folder)
      try tmux.start("\(Program.path) unicode arrow")
      var before = ""
      for (key, place) in [("", "644 found"), ("M-m", "of 644"), ("G", "626–644"), ("b", "607–625")] {
        if !key.isEmpty { _ = try await tmux.run("send-keys \(key)") }
        before = try await tmux.screen { $0.contains(place) }
        #expect(before.contains(place))
      }
      _ = try await tmux.run("pipe-pane 'cat > \(written)'")
      _ = try await tmux.run("send-keys C-l")
      let after = try await tmux.screen {
        let bytes = (try? Data(contentsOf: URL(filePath: written))) ?? Data()
        return bytes.firstRange(of: Data("\u{1B}[2J".utf8)) != nil && $0 == before
      }
      _ = try await tmux.run("kill-server")
      #expect(after == before)
      #expect(before.contains("U+1F8A0 "))
    }
  }

  @Test(.enabled(if: hasTmux, "tmux is not installed"))
  func `[29] In tmux, pick --height draws below the prompt, and leaves the lines above as they were.`()
    async throws
  {
    try await withFile(
      "script", "seq 1 20; printf 'prompt> '; read x; \"$1\" pick unicode arrow --height 8; echo end; read x"
    ) { script in
      let folder = URL(filePath: script).deletingLastPathComponent().path
      let tmux = Tmux(name: "inline", folder: folder)
      try tmux.start("sh \(script) \(Program.path)")
      _ = try await tmux.screen { $0.contains("prompt>") }
      _ = try await tmux.run("send-keys Enter")
      let shown = try await tmux.screen { $0.contains("644 found") }
      let lines = shown.split(separator: "\n", omittingEmptySubsequences: false)
      // The prompt was on line 21 of 24: the screen is scrolled by five lines.
      #expect(lines.prefix(16).map(String.init) == (6...20).map { "\($0)" } + ["prompt>"])
      #expect(lines[16].contains("Unicode characters"))
      // A smaller window: the lines are found again.
      _ = try await tmux.run("resize-window -x 80 -y 18")
      let smaller = try await tmux.screen {
        $0.contains("644 found") && $0.split(separator: "\n").last?.contains("help") == true
      }
      #expect(smaller.contains("20\nprompt>\n"))
      // A narrower window: tmux has wrapped the lines, and the cursor is on the second of them.
      _ = try await tmux.run("send-keys s")
      _ = try await tmux.screen { $0.contains("Ctrl-C") }
      _ = try await tmux.run("resize-window -x 50 -y 18")
      let narrower = try await tmux.screen { $0.contains("prompt>\n riffle  Unicode characters\n") }
      #expect(narrower.ranges(of: "Unicode characters").count == 1, "\(narrower)")
      #expect(narrower.contains("20\nprompt>\n riffle"))
      _ = try await tmux.run("send-keys Enter")
      _ = try await tmux.run("send-keys q")
      let after = try await tmux.screen { $0.contains("end") }
      #expect(after.contains("19\n20\nprompt>\nend"))
      #expect(!after.contains("found") && !after.contains("Unicode"))
      _ = try await tmux.run("kill-server")
    }
  }
}

/// A tmux server of its own with one window of 80 × 24, which ends by itself after three minutes.
private struct Tmux {
  let name: String
  /// The folder of its socket, and the home of its programs.
  let folder: String

  private var environment: [String: String] {
    ["TMUX_TMPDIR": folder, "HOME": folder, "LC_ALL": "C.UTF-8"]
  }

  /// It is not started by Foundation, which would wait for a socket that the server inherits to close.
  func start(_ command: String) throws {
    let words = ["-L", name, "-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24"]
    let start = try PseudoTerminal(
      "/usr/bin/tmux", arguments: words + ["timeout --foreground 180 \(command)"],
      environment: environment.map { "\($0)=\($1)" })
    #expect(start.ending() == .exit(0))
  }

  func run(_ words: String) async throws -> String {
    try await Program.shell("tmux -L \(name) -f /dev/null \(words)", environment: environment).output
  }

  /// The screen once it is as expected, or after half a minute.
  func screen(until isExpected: (String) -> Bool) async throws -> String {
    let deadline = ContinuousClock.now + .seconds(30)
    var screen = ""
    repeat { screen = try await run("capture-pane -p") } while !isExpected(screen) && .now < deadline
    return screen
  }
}
