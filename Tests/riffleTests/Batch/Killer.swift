import Foundation
import Glibc
import Locking
import TestSupport
import Testing

@testable import riffle

/// Kills a process when the server receives a certain request of it.
final class Killer: Sendable {
  private let left = Lock(Int.max)
  private let process = Lock<Int32?>(nil)
  private let isKnown = DispatchSemaphore(value: 0)

  func noteRequest() {
    let isLast = left.withLock { left in
      left -= 1
      return left == 0
    }
    guard isLast else { return }
    isKnown.wait()
    if let identifier = process.withLock({ $0 }) { kill(identifier, SIGKILL) }
  }

  /// Starts the built program, and kills it at one of its requests: whether it gets that far.
  private func isKilled(
    _ words: [String], _ environment: [String: String], atRequest count: Int
  ) async throws -> Bool {
    let process = Program.process(words)
    process.environment?.merge(environment) { $1 }
    left.withLock { $0 = count }
    let end = try process.start()
    self.process.withLock { $0 = process.processIdentifier }
    isKnown.signal()
    try await end.end()
    forget()
    return process.terminationReason == .uncaughtSignal
  }

  private func forget() {
    if left.withLock({ exchange(&$0, with: .max) }) > 0 { isKnown.wait() }
  }

  /// Kills a run twice at each of its first requests, then lets it end; the file must be whole each time.
  ///
  /// - Parameters:
  ///   - file: In a folder of its own; removed after each round.
  ///   - requests: The number of requests of a run that is not killed. Two or three of them are tried in a usual run.
  ///   - words: The command line of a run that resumes.
  func expectWhole(
    _ file: String, is expected: String, after requests: Int, _ words: [String],
    environment: [String: String], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let folder = (file as NSString).deletingLastPathComponent
    let name = (file as NSString).lastPathComponent
    for count in stride(from: 1, through: requests, by: max(1, requests / Seeds.first(2).count)) {
      var killed = 0
      while killed < 2, try await isKilled(words, environment, atRequest: count) { killed += 1 }
      #expect(killed > 0, "request \(count)", sourceLocation: sourceLocation)
      let rest = try await Program.run(words, environment: environment)
      #expect(rest.status == 0, "request \(count): \(rest)", sourceLocation: sourceLocation)
      let text = try String(contentsOfFile: file, encoding: .utf8)
      #expect(text == expected, "request \(count)", sourceLocation: sourceLocation)
      for found in try FileManager.default.contentsOfDirectory(atPath: folder) where found.contains(name) {
        try FileManager.default.removeItem(atPath: "\(folder)/\(found)")
      }
    }
  }
}
