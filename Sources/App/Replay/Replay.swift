import Config
import DequeModule
import Glibc
import HTTPTransport
import HTTPValues
import JSON
import Locking
import Pager
import Search
import Terminal
import Text

/// A recording that is played: the recorded command runs again, with the recorded inputs in place of the network, the
/// clock, the files and the user. Each input is applied once all effects of the earlier ones are.
package final class Replay: Sendable {
  private struct State {
    var lines: Deque<RecordedLine>
    /// How many responses to a request are still to come.
    var coming: [String: Int] = [:]
    /// Responses that came before the request for them.
    var early: [String: Deque<RecordedResponse>] = [:]
    var waiting: [(request: String, responses: AsyncStream<RecordedResponse>.Continuation)] = []
    var found: [String: Deque<[String]>] = [:]
    var lacksValue = false
    var lastTime = 0.0
    var result: String?
  }

  /// Whether it is shown on a terminal; else its last screen is printed.
  let isOnScreen: Bool
  /// Whether the session had a screen.
  let hasScreen: Bool
  let fault: RecordingError?
  /// The first size of the screen.
  let canvas: Canvas
  let clock = ReplayClock()
  let workers = ReplayWorker()
  private let state: Lock<State>

  static let refusal = "this is a replay: nothing is opened, copied, run or written"

  fileprivate init(_ recording: RecordingFile, isOnTerminal: Bool) {
    var state = State(lines: Deque(recording.lines))
    for line in recording.lines {
      if let response = line.response { state.coming[response.request, default: 0] += 1 }
      if let found = line.found { state.found[found.name, default: []].append(found.values) }
    }
    let size = recording.lines.lazy.compactMap(\.size).first
    canvas = size ?? Canvas(size: Size(columns: 80, rows: 24), widthModel: .codePoints)
    hasScreen = size != nil
    isOnScreen = hasScreen && isOnTerminal
    fault = recording.fault
    self.state = Lock(state)
  }

  /// What the recorded session found under this name; after the last time, the same again.
  ///
  /// - Parameter isOptional: Whether a session may find nothing that it records.
  func found(_ name: String, isOptional: Bool = false) -> [String]? {
    state.withLock { state in
      guard let first = state.found[name]?.first else {
        if !isOptional { state.lacksValue = true }
        return nil
      }
      if state.found[name, default: []].count > 1 { state.found[name]?.removeFirst() }
      return first
    }
  }

  /// The end of the recording, if the command needed a value that would come after it: what the command reports then is
  /// not what happened in the session.
  private var earlyEnd: RecordingError? {
    fault.flatMap { fault in fault.isCut && state.withLock(\.lacksValue) ? fault : nil }
  }

  /// All that was found under names that begin like this, by the rest of the name.
  func everythingFound(_ prefix: String) -> [(name: String, value: String)] {
    state.withLock { state in
      state.found.sorted { $0.key < $1.key }.compactMap { name, values in
        guard name.hasPrefix(prefix), let value = values.last?.first else { return nil }
        return (String(name.dropFirst(prefix.count)), value)
      }
    }
  }

  /// The text to print at the end if nothing is shown on a terminal.
  var result: String? {
    get { state.withLock { $0.result } }
    set { state.withLock { $0.result = newValue } }
  }

  // MARK: Requests

  var transport: Transport {
    Transport { [self] request, _ throws(TransportError) in
      let name = RecordedResponse.name(of: request)
      guard let recorded = await response(to: name) else {
        if Task.isCancelled { throw TransportError(.cancelled, origin: "") }
        throw TransportError(.notRecorded, origin: request.url.origin.description, detail: name)
      }
      return try recorded.response(to: request)
    }
  }

  /// Nil if there is none, or the task is canceled.
  private func response(to request: String) async -> RecordedResponse? {
    let (responses, waiting) = AsyncStream<RecordedResponse>.makeStream()
    state.withLock { state in
      if let early = state.early[request]?.popFirst() {
        waiting.yield(early)
      } else if state.coming[request, default: 0] > 0 {
        state.waiting.append((request, waiting))
      } else {
        waiting.finish()
      }
    }
    for await response in responses { return response }
    return nil
  }

  private func deliver(_ response: RecordedResponse) {
    state.withLock { state in
      state.coming[response.request, default: 1] -= 1
      while let index = state.waiting.firstIndex(where: { $0.request == response.request }) {
        // A canceled request takes no response.
        if case .enqueued = state.waiting.remove(at: index).responses.yield(response) { return }
      }
      state.early[response.request, default: []].append(response)
    }
  }

  // MARK: Playing

  /// The time before the next input, at most a second; nil at the end.
  var pause: Duration? {
    state.withLock { state in
      state.lines.first.map { .seconds(min(max(0, $0.at - state.lastTime), 1)) }
    }
  }

  /// Applies the next line, except an event, which the caller applies. Nil at the end.
  func playNext() -> RecordedLine? {
    workers.waitUntilIdle()
    guard let line = state.withLock({ $0.lines.popFirst() }) else { return nil }
    state.withLock { $0.lastTime = max($0.lastTime, line.at) }
    // What repeats often within a long pause changes nothing that anyone could see.
    for _ in 0..<Self.maxAlarms where clock.ring(before: .seconds(line.at)) { workers.waitUntilIdle() }
    clock.advance(to: .seconds(line.at))
    if let response = line.response { deliver(response) }
    workers.waitUntilIdle()
    return line
  }

  private static let maxAlarms = 10_000

  /// Leaves the session to the user: time passes, and further requests fail.
  func release() {
    let waiting = state.withLock { state in
      state.lines = []
      state.coming = [:]
      defer { state.waiting = [] }
      return state.waiting
    }
    for request in waiting { request.responses.finish() }
    clock.release()
  }
}

extension Replay {
  /// Replays a recording on the terminal, or prints its last screen or the report of a search.
  ///
  /// - Parameter perform: Runs a recorded command line.
  package static func run(
    _ path: String, _ dependencies: Dependencies, _ message: Message,
    perform: (_ arguments: [String], Dependencies) throws -> RunEnd
  ) throws -> RunEnd {
    do {
      let recording = try RecordingFile(path)
      let isOnTerminal =
        dependencies.output.isTerminal && TerminalOptions(environment: dependencies.environment) != nil
      let replay = Replay(recording, isOnTerminal: isOnTerminal)
      let replaying = try dependencies.replaying(replay, recording.header)
      let end: RunEnd
      do { end = try perform(recording.header.arguments, replaying) } catch {
        if let earlyEnd = replay.earlyEnd { throw earlyEnd }
        throw error
      }
      if replay.isOnScreen { return end }
      if replay.hasScreen || replay.earlyEnd == nil { try dependencies.print(replay.result ?? "") }
      if let fault = replay.fault {
        if !fault.isCut { throw fault }
        message.note("\(fault)")
      }
      return .status(.done)
    } catch let fault as RecordingError {
      throw CommandError("\(fault)", .failed)
    }
  }
}

extension Dependencies {
  /// The outside world of a recorded session: nothing is read but the recording, and nothing is written.
  fileprivate func replaying(_ replay: Replay, _ header: RecordingHeader) throws -> Dependencies {
    var dependencies = Dependencies.live(at: header.time, by: replay.clock)
    let nowhere = try Descriptor(opening: "/dev/null", O_RDWR)
    (dependencies.input, dependencies.output, dependencies.errors) = (nowhere, nowhere, nowhere)
    dependencies.terminal = terminal
    dependencies.endingSignals = replay.isOnScreen ? endingSignals : []
    dependencies.zone = LocalZone(offset: header.utcOffset)
    dependencies.jitter = { header.jitter }
    dependencies.environment = header.environment.filter {
      ReplayEnvironment.recorded.contains($0.key)
    }
    if replay.isOnScreen {
      for name in ReplayEnvironment.ofTerminal { dependencies.environment[name] = environment[name] }
    }
    dependencies.arguments = header.arguments
    dependencies.workers = replay.workers
    dependencies.replay = replay
    return dependencies
  }
}

enum ReplayEnvironment {
  /// The variables that say what a terminal can show.
  static let ofTerminal = ["TERM", "COLORTERM", "NO_COLOR", "LANG", "LC_ALL", "LC_CTYPE"]

  /// Those that a recording has: none that could be secret or name a file to read.
  static var recorded: Set<String> {
    Set(ofTerminal + SettingsSchema.program.settings.compactMap(\.variable))
  }
}

// MARK: - What a session finds

extension Dependencies {
  /// Returns what `find` returns and records it under a name; in a replay, returns what was recorded.
  func found(_ name: String, _ find: () throws -> [String]) rethrows -> [String] {
    if let replay { return replay.found(name) ?? [] }
    let values = try find()
    recorder?.note(name, values)
    return values
  }

  func foundSources(_ name: String, _ find: () -> [SourceChoice]) -> [SourceChoice] {
    found(name) { find().map { JSONCoding.text(of: $0) } }
      .compactMap { try? JSONDocument(Array($0.utf8)).root.decoded() }
  }

  /// How the user's settings and sources are read.
  var files: FileAccess {
    var files = FileAccess.system()
    if let replay {
      files.read = { _ throws(FileError) in
        guard let text = replay.found("settings", isOptional: true)?.first else { throw .missing }
        let status = FileStatus(owner: getuid(), permissions: 0o600)
        return FileAccess.File(bytes: Array(text.utf8), status: status)
      }
      files.list = { _ throws(FileError) in throw .missing }
    } else if let recorder {
      let read = files.read
      files.read = { path throws(FileError) in
        let file = try read(path)
        recorder.note("settings", [String(decoding: file.bytes, as: UTF8.self)])
        return file
      }
    }
    return files
  }

  /// What a session sends its requests to, without a recording.
  func network(over connections: HTTPConnections) -> Transport { network ?? Transport(over: connections) }

  func transport(over connections: HTTPConnections) -> Transport {
    if let replay { return replay.transport }
    let transport = network(over: connections)
    return recorder.map(transport.recorded) ?? transport
  }
}

extension SourceChoice: JSONChecked {
  package func check() {}
}
