import Config
import Glibc
@preconcurrency import Rainbow
import Text

/// Messages for the user on stderr, sanitized and one line each.
struct Message: Sendable {
  let isColored: Bool
  let isQuiet: Bool

  /// Prints what failed and what to do next; not silenced by `--quiet`.
  func failure(_ text: String) { put(isColored ? "riffle: ".red.bold : "riffle: ", text) }

  /// Prints a note that is not a failure.
  func note(_ text: String) {
    if !isQuiet { put(isColored ? "riffle: ".dim : "riffle: ", text) }
  }

  /// Prints a line without the program's name.
  func plain(_ text: String) { put("", text) }

  /// Prints a question; the cursor stays after it for the answer.
  func ask(_ text: String) {
    _ = Descriptor(STDERR_FILENO).write(Array("\(Sanitized(text).string) ".utf8))
  }

  private func put(_ prefix: String, _ text: String) {
    for line in text.split(separator: "\n") {
      let bytes = Array((prefix + Sanitized(String(line)).string + "\n").utf8)
      guard Descriptor(STDERR_FILENO).write(bytes) == nil else { return }
    }
  }
}

extension Message {
  /// For commands without request options.
  init(_ dependencies: Dependencies) {
    self.init(color: .auto, isQuiet: false, dependencies)
  }

  init(_ request: RequestOptions, _ dependencies: Dependencies) {
    self.init(color: request.color ?? .auto, isQuiet: request.quiet, dependencies)
  }

  private init(color: ColorChoice, isQuiet: Bool, _ dependencies: Dependencies) {
    isColored = color.isColored(
      environment: dependencies.environment, isTerminal: dependencies.isErrorTerminal)
    self.isQuiet = isQuiet
    Rainbow.outputTarget = .console
    Rainbow.enabled = isColored
  }
}
