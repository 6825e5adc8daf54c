import Foundation

/// What somebody typed in a shell, and what came: lines after `$ `, each followed by its output.
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

  /// The same, played now with the built program: rows, then messages. A line `…` in the text stands for lines
  /// that are left out.
  ///
  /// - Parameters:
  ///   - home: where its files are; without one there are none.
  ///   - names: what stands in the text for something that differs from run to run.
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

  /// The lines that the text shows, and `…` where it leaves some out.
  private static func abridged(_ output: String, as shown: String) -> String {
    let parts = shown.components(separatedBy: "…\n")
    guard parts.count == 2, output.hasPrefix(parts[0]), output.hasSuffix(parts[1]) else { return output }
    return shown
  }

  var description: String { steps.map { "$ \($0.command)\n\($0.output)" }.joined() }
}
