import Foundation
import TestSupport

/// Modes without a terminal.
extension MatrixCell {
  /// Runs to the end, if there is one.
  func runInPipe(_ service: FaultyService, _ folder: URL) async throws -> MatrixOutcome {
    let start = ContinuousClock.now
    let result = try await result(arguments(service, folder), environment(folder))
    let words = result?.errors ?? ""
    return MatrixOutcome(
      status: result?.status, rows: rows(result?.output ?? "", folder), requests: 0, words: words,
      seconds: start.duration(to: .now) / .seconds(1),
      damage: Self.controls(in: words) + brokenPromises(in: words, folder))
  }

  /// The result of a run; nil if it does not end in time.
  private func result(_ arguments: [String], _ environment: [String: String]) async throws -> Program.Result?
  {
    let (results, continuation) = AsyncThrowingStream<Program.Result?, any Error>.makeStream()
    Task {
      do {
        let run = needsProcess ? Program.runBuilt : Program.run
        continuation.yield(try await run(arguments, environment))
      } catch { continuation.finish(throwing: error) }
    }
    let limit = Task {
      try await Task.sleep(for: Self.timeout)
      continuation.yield(nil)
    }
    defer { limit.cancel() }
    for try await result in results { return result }
    return nil
  }

  private func arguments(_ service: FaultyService, _ folder: URL) -> [String] {
    let source = folder.appending(path: "faulty.toml").path
    let search = ["search", source, "x", "-f", "csv", "--no-header", "-c", "id"]
    return switch mode {
    case .batch: search + ["--all", "--output", folder.appending(path: "rows.csv").path]
    case .add: ["add", "--dry-run", "\(service.baseURL)/list?q=x"]
    default: search
    }
  }

  private func rows(_ output: String, _ folder: URL) -> String {
    let file = folder.appending(path: "rows.csv")
    let text = mode == .batch ? (try? String(contentsOf: file, encoding: .utf8)) ?? "no file" : output
    guard mode == .add else { return text.split(separator: "\n").joined(separator: " ") }
    let type = text.firstMatch(of: /\[pagination\][^\[]*\ntype = "([a-z]+)"/).map { String($0.1) }
    return type ?? (text.isEmpty ? "" : "?")
  }

  /// A message that recommends `--resume` needs a record to resume from.
  private func brokenPromises(in words: String, _ folder: URL) -> [String] {
    let record = folder.appending(path: "rows.csv.riffle").path
    return words.contains("--resume") && !FileManager.default.fileExists(atPath: record)
      ? ["nothing to resume from"] : []
  }

  /// Reports control characters in messages, in which only line ends are allowed.
  private static func controls(in words: String) -> [String] {
    words.unicodeScalars.contains { $0.isTerminalHazard } ? ["control characters in messages"] : []
  }

  /// The environment for a run, chosen so that a cell ends soon.
  func environment(_ folder: URL) -> [String: String] {
    [
      "HOME": "/dev/null", "PATH": "/usr/bin:/bin", "TZ": "UTC",
      "RIFFLE_SEARCH_TIMEOUT": fault.timeout ?? "60s",
      "RIFFLE_SEARCH_RETRIES": fault.timeout == nil ? "1" : "0",
      "RIFFLE_SEARCH_MAX_WAIT": "5s",
      "SSL_CERT_FILE": folder.appending(path: "certificate.pem").path,
      // Do not wait for a name server that does not answer.
      "RES_OPTIONS": "timeout:1 attempts:1",
    ]
  }

  /// The time after which a cell counts as endless.
  static let timeout = Duration.seconds(40)
}

extension Unicode.Scalar {
  /// Whether the scalar could control a terminal or change how a line reads: controls other than line ends, C1,
  /// bidirectional and invisible characters.
  var isTerminalHazard: Bool {
    switch value {
    case 0x0A, 0x0D: false
    case 0..<0x20, 0x7F...0x9F, 0xAD, 0x61C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
      0xFFF9...0xFFFB, 0xE0000...0xE007F:
      true
    default: false
    }
  }
}
