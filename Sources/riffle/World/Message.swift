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

  /// A question at the start of a line; the answer is typed behind it.
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
  /// Of a command that asks no source.
  init(_ world: World) {
    self.init(color: .auto, isQuiet: false, world)
  }

  init(_ request: RequestOptions, _ world: World) {
    self.init(color: request.color ?? .auto, isQuiet: request.quiet, world)
  }

  private init(color: ColorChoice, isQuiet: Bool, _ world: World) {
    isColored = color.isColored(environment: world.environment, isTerminal: world.isErrorTerminal)
    self.isQuiet = isQuiet
    Rainbow.outputTarget = .console
    Rainbow.enabled = isColored
  }
}
