import ArgumentParser
import Foundation
import HTTPTransport
import TestSupport
import Testing
import Text

@testable import App
@testable import riffle

/// Runs riffle as a user's script would, without a home folder and with an empty stdin.
enum Program {
  struct Result: Equatable {
    /// The exit status; 128 plus its number for a signal.
    let status: Int32
    let output: String
    let errors: String

    var lines: [Substring] { output.split(separator: "\n", omittingEmptySubsequences: false).dropLast() }
  }

  /// Runs a command line in this process. Only the environment given here counts.
  static func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Result {
    try await pipe("", to: arguments, environment: environment)
  }

  /// Does the same with a text on stdin.
  static func pipe(
    _ input: String, to arguments: [String], environment: [String: String] = [:]
  ) async throws -> Result {
    try await run(arguments, input: input, parse: ParsedCommands.command) {
      $0.dependencies(environment: variables(environment))
    }
  }

  /// Runs a command line in this process, without waiting for anything.
  ///
  /// - Parameter network: What responds in place of the network.
  static func run(
    _ arguments: [String], environment: [String: String] = [:], over network: Transport,
    parse: @escaping @Sendable ([String]) throws -> any ParsableCommand = ParsedCommands.command
  ) async throws -> Result {
    try await run(arguments, parse: parse) { streams in
      let clock = HurriedClock()
      let (start, first) = (TransportConfiguration.timeOfDay(), clock.now)
      var dependencies = streams.dependencies(environment: variables(environment))
      dependencies.network = network
      dependencies.clock = clock
      dependencies.now = { start + first.duration(to: clock.now) / .seconds(1) }
      return dependencies
    }
  }

  private static func run(
    _ arguments: [String], input: String = "",
    parse: @escaping @Sendable ([String]) throws -> any ParsableCommand,
    _ dependencies: (Streams) -> Dependencies
  ) async throws -> Result {
    TakesTurns.atEnd {}
    let streams = try Streams(input: input)
    let dependencies = dependencies(streams)
    let end = await onThread { Riffle.run(arguments, dependencies, parse: parse) }
    await dependencies.server.stop()
    return Result(status: end.exitStatus, output: try streams.output.text, errors: try streams.errors.text)
  }

  /// Runs a command line in this process, on a terminal of its own. Only the environment given here counts.
  ///
  /// - Parameters:
  ///   - typedAhead: Input typed before the run starts. `␛` is Esc.
  ///   - outputFile: The file for its stdout; nil for the terminal.
  static func onTerminal(
    _ arguments: [String], columns: UInt16 = 80, rows: UInt16 = 12, environment: [String] = [],
    typedAhead: String = "", outputFile: String? = nil
  ) throws -> PseudoTerminal {
    let pairs = (["TERM=xterm-256color"] + environment).map {
      $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    }
    let environment = Dictionary(pairs.map { (String($0[0]), String($0[1])) }) { $1 }
    return try PseudoTerminal(columns: columns, rows: rows, typedAhead: typedAhead) { path in
      let terminal = try Descriptor(opening: path, O_RDWR | O_NOCTTY)
      defer { terminal.close() }
      let output = try outputFile.map { try Descriptor(opening: $0, O_WRONLY | O_CREAT, mode: 0o600) }
      defer { output?.close() }
      var dependencies = dependencies(
        input: terminal, output: output ?? terminal, errors: terminal, environment: variables(environment))
      dependencies.terminal = path
      let end = Riffle.run(arguments, dependencies, parse: ParsedCommands.command)
      Task { [server = dependencies.server] in await server.stop() }
      return if case .signal(let number) = end { .signal(number) } else { .exit(end.exitStatus) }
    }
  }

  /// Runs the built program, for what only a process of its own shows.
  static func runBuilt(_ arguments: [String], environment: [String: String] = [:]) async throws -> Result {
    try await result(of: process(path, arguments, environment))
  }

  /// Runs a shell line in which `riffle` is the built program.
  static func shell(_ line: String, environment: [String: String] = [:]) async throws -> Result {
    let script = "set -o pipefail; riffle() { \"\(path)\" \"$@\"; }; \(line)"
    return try await result(of: process("/bin/bash", ["-c", script], environment))
  }

  /// The built program, not started yet.
  static func process(_ arguments: [String]) -> Process { process(path, arguments) }

  static var path: String {
    let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    return bundle.appendingPathComponent("riffle").path
  }

  /// The dependencies of a run in this process.
  private static func dependencies(
    input: Descriptor, output: Descriptor, errors: Descriptor, environment: [String: String]
  ) -> Dependencies {
    let zone = TimeZone(identifier: environment["TZ"] ?? "UTC") ?? .gmt
    var dependencies = Dependencies.live()
    dependencies.environment = environment
    dependencies.input = input
    dependencies.output = output
    dependencies.errors = errors
    dependencies.endingSignals = []
    dependencies.zone = LocalZone { second in
      zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))
    }
    return dependencies
  }

  private static func variables(_ environment: [String: String]) -> [String: String] {
    ["HOME": "/dev/null", "PATH": "/usr/bin:/bin", "TZ": "UTC"].merging(environment) { $1 }
  }

  private static func process(
    _ path: String, _ arguments: [String], _ environment: [String: String] = [:]
  ) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = variables(environment)
    process.standardInput = FileHandle.nullDevice
    return process
  }

  private static func result(of process: Process) async throws -> Result {
    TakesTurns.atEnd {}
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    async let text = onThread { output.fileHandleForReading.readDataToEndOfFile() }
    async let problems = onThread { errors.fileHandleForReading.readDataToEndOfFile() }
    let said = await (text, problems)
    process.waitUntilExit()
    let status = process.terminationStatus
    return Result(
      status: process.terminationReason == .exit ? status : 128 + status,
      output: String(decoding: said.0, as: UTF8.self), errors: String(decoding: said.1, as: UTF8.self))
  }

  /// Runs `body` on a thread of its own, which may block: the runtime has only one for each processor.
  private static func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: body()) }
    }
  }
}

extension Program {
  /// The standard streams of a run in this process: files, so that nobody has to read them while it runs.
  final class Streams {
    let input: StreamFile
    let output: StreamFile
    let errors: StreamFile

    init(input: String = "") throws {
      self.input = try StreamFile(input)
      output = try StreamFile()
      errors = try StreamFile()
    }

    func dependencies(environment: [String: String]) -> Dependencies {
      Program.dependencies(
        input: input.descriptor, output: output.descriptor, errors: errors.descriptor,
        environment: environment)
    }
  }

  /// A file without a name.
  final class StreamFile {
    let descriptor: Descriptor

    init(_ text: String = "") throws {
      var path = Array("/tmp/riffle-stream-XXXXXX".utf8CString)
      descriptor = Descriptor(mkstemp(&path))
      guard descriptor.number >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      _ = fcntl(descriptor.number, F_SETFD, FD_CLOEXEC)
      unlink(path)
      try descriptor.write(Array(text.utf8), at: 0)
    }

    deinit { descriptor.close() }

    /// The text that has been written to the file.
    var text: String {
      get throws {
        String(decoding: try descriptor.bytes(in: 0..<(descriptor.regularSize ?? 0)), as: UTF8.self)
      }
    }
  }
}

extension RunEnd {
  /// The exit status as a shell reports it.
  var exitStatus: Int32 {
    switch self {
    case .status(let status): status.rawValue
    case .canceled: 128 + SIGINT
    case .signal(let number): 128 + number
    }
  }
}

extension Process {
  /// Starts the process and returns the time at which it ends. No thread is blocked: the other tests need them.
  func start() throws -> AsyncStream<ContinuousClock.Instant> {
    let (end, continuation) = AsyncStream<ContinuousClock.Instant>.makeStream()
    terminationHandler = { _ in
      continuation.yield(.now)
      continuation.finish()
    }
    try run()
    return end
  }
}

extension AsyncStream<ContinuousClock.Instant> {
  /// Waits for the end of the process. The time is when the process ended, not when the test resumed, which may have
  /// to wait for a thread.
  ///
  /// - Throws: `CancellationError` if the test's time limit is exceeded while the process runs.
  @discardableResult func end() async throws -> ContinuousClock.Instant {
    for await instant in self { return instant }
    throw CancellationError()
  }
}

/// Whether no process has this identifier. A process that has ended keeps it until its parent has read its status.
func hasEnded(_ identifier: Int32) -> Bool { kill(identifier, 0) != 0 }

/// Runs `body` with a temporary file.
func withFile<Value>(
  _ name: String, _ text: String, _ body: (String) async throws -> Value
) async throws -> Value {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("riffle-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let file = folder.appendingPathComponent(name)
  try Data(text.utf8).write(to: file)
  return try await body(file.path)
}

/// A source whose service never answers.
func hangingSource(_ baseURL: String) -> String {
  """
  schema = 1
  id = "slow"
  [request]
  url = "\(baseURL)/characters"
  params = { q = "{query}", fault = "hang" }
  [rows]
  path = "items"
  """
}
