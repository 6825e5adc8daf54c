import Foundation

/// Commands typed in a shell and their output: each line after `$ ` is followed by its output.
struct ConsoleSession: Equatable, CustomStringConvertible {
  struct Step: Equatable {
    let command: String
    let output: String
  }

  let steps: [Step]

  init(_ text: String) {
    var steps: [Step] = []
    let text = text.hasSuffix("\n") ? text.dropLast() : text[...]
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("$ ") {
        steps.append(Step(command: String(line.dropFirst(2)), output: ""))
      } else if let last = steps.popLast() {
        steps.append(Step(command: last.command, output: "\(last.output)\(line)\n"))
      }
    }
    self.steps = steps
  }

  private init(steps: [Step]) { self.steps = steps }

  /// Runs the commands with the built program. Each output is its rows followed by its messages. A line `…` in the
  /// text stands for omitted lines.
  ///
  /// - Parameters:
  ///   - home: the home folder; by default there is none.
  ///   - names: the placeholders in the text, with the value of each in this run.
  func played(home: String = "/dev/null", names: [String: String] = [:]) async throws -> ConsoleSession {
    var played: [Step] = []
    for step in steps {
      let command = names.reduce(step.command) { $0.replacing($1.key, with: $1.value) }
      let result = try await Program.shell(command, environment: ["HOME": home])
      let output = names.reduce(result.output + result.errors) { $0.replacing($1.value, with: $1.key) }
      played.append(Step(command: step.command, output: Self.abridged(output, as: step.output)))
    }
    return ConsoleSession(steps: played)
  }

  /// The output abridged to the lines that the text shows, with `…` where lines are omitted.
  private static func abridged(_ output: String, as shown: String) -> String {
    let parts = shown.components(separatedBy: "…\n")
    guard parts.count == 2, output.hasPrefix(parts[0]), output.hasSuffix(parts[1]) else { return output }
    return shown
  }

  var description: String { steps.map { "$ \($0.command)\n\($0.output)" }.joined() }
}
