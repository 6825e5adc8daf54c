import Config
import Glibc
@preconcurrency import Rainbow
import Text

/// Words for the user, on stderr: sanitised, one line each, never on stdout.
struct Message: Sendable {
  let isColored: Bool
  let isQuiet: Bool

  /// What failed and what to do next; not silenced by `--quiet`.
  func failure(_ text: String) { put(isColored ? "riffle: ".red.bold : "riffle: ", text) }

  /// Worth knowing, not a failure.
  func note(_ text: String) {
    if !isQuiet { put(isColored ? "riffle: ".dim : "riffle: ", text) }
  }

  /// Without the program's name.
  func plain(_ text: String) { put("", text) }

  private func put(_ prefix: String, _ text: String) {
    for line in text.split(separator: "\n") {
      var bytes = Array((prefix + Sanitized(String(line)).string + "\n").utf8)[...]
      while !bytes.isEmpty {
        let count = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        guard count > 0 || errno == EINTR else { return }
        bytes = bytes.dropFirst(max(0, count))
      }
    }
  }
}

extension Message {
  init(_ request: RequestOptions, _ world: World) {
    let choice = request.color ?? .auto
    isColored = choice.isColored(environment: world.environment, isTerminal: world.isErrorTerminal)
    isQuiet = request.quiet
    Rainbow.outputTarget = .console
    Rainbow.enabled = isColored
  }
}
