import Config
import FeedbackLoop
import Glibc
import JSON
import Pager
import Search

/// How an interactive session is recorded: its latest events always, and all of them if the user named a
/// file.
struct SessionRecording: Sendable {
  private let header: RecordingHeader
  private let recorder: Recorder<PagerEvent>?
  private let recent = RecentEvents()
  private let redacted: @Sendable (String) -> String
  private let home: String?
  /// Why there is no file although one was named.
  private let refusal: String?

  /// - Parameter file: The file of `--record`.
  init(
    _ header: RecordingHeader, file: RecordingFile?, home: String?,
    redacting redacted: @escaping @Sendable (String) -> String
  ) {
    self.header = header
    self.home = home
    self.redacted = redacted
    let isOurs = file?.take() ?? false
    recorder =
      isOurs ? file.map { Recorder(to: $0, header, sessionEvent: \.sessionEvent, redacting: redacted) } : nil
    refusal = isOurs ? nil : file.map { "this session is not recorded: \($0.name) contains the previous one" }
  }

  /// A hook for the system to be recorded.
  var hook: @Sendable (ReducedEvent<PagerEvent>, PagerState) -> Void {
    EventLog<PagerEvent>.recorder { [recorder, recent] entry in
      let entry = entry.with(entry.event.withoutOutput)
      recorder?.note(entry.with(entry.event.outline))
      recent.note(entry)
    }
  }

  /// Reports to the user if the recording ends before the session.
  var feedback: Feedback<PagerState, PagerEvent> {
    .bind(name: "recording") { [recorder, refusal] _, emit in
      if let refusal { emit(.warned(refusal)) }
      if let failure = await recorder?.failure { emit(.warned("recording stopped: \(failure)")) }
    }
  }

  func finish() async { _ = await recorder?.finish() }

  /// Writes the latest events to a new file.
  func save(to name: String) -> EffectOutcome {
    let (header, entries, secretPositions) = recent.recording(header)
    var encoder = RecordingEncoder(redacting: redacted)
    for position in secretPositions { encoder.hide(position) }
    var file: RecordingFile?
    do throws(CreatedFile.Failure) {
      file = try RecordingFile(new: name, home: home)
      try file?.append(line: encoder.line(header))
      for entry in entries { try file?.append(line: encoder.line(entry, entry.event.sessionEvent)) }
      return .done("saved this session, including everything typed, to \(name). Replay it with riffle replay")
    } catch {
      file?.remove()
      return .failed("cannot save the session: \(error)")
    }
  }
}

/// Writes the events of a session to a file as they occur, without blocking their senders. A failure ends the
/// recording, never the session.
struct Recorder<Event: Codable & Sendable>: Sendable {
  typealias Entry = EventLog<Event>.Entry

  private let entries: AsyncStream<Entry>.Continuation
  private let writing: Task<CreatedFile.Failure?, Never>

  /// - Parameters:
  ///   - sessionEvent: The event of a session that an event carries; nil if it carries none.
  ///   - redacted: Removes the secrets known so far from a text.
  init(
    to file: RecordingFile, _ header: RecordingHeader,
    sessionEvent: @escaping @Sendable (Event) -> SessionEvent?,
    redacting redacted: @escaping @Sendable (String) -> String
  ) {
    let (stream, entries) = AsyncStream.makeStream(of: Entry.self)
    self.entries = entries
    writing = Task.detached(executorPreference: Workers.shared) {
      defer { entries.finish() }
      var encoder = RecordingEncoder(redacting: redacted)
      do throws(CreatedFile.Failure) {
        try file.append(line: encoder.line(header))
        for await entry in stream { try file.append(line: encoder.line(entry, sessionEvent(entry.event))) }
        return nil
      } catch { return error }
    }
  }

  /// A hook for the system to be recorded.
  func hook<State: Sendable>() -> @Sendable (ReducedEvent<Event>, State) -> Void {
    EventLog<Event>.recorder { [entries] in entries.yield($0) }
  }

  func note(_ entry: Entry) { entries.yield(entry) }

  /// Waits for the end of the recording: why it failed, or nil after `finish`.
  var failure: CreatedFile.Failure? { get async { await writing.value } }

  /// Waits until all events are written; returns why that failed, if it did.
  func finish() async -> CreatedFile.Failure? {
    entries.finish()
    return await failure
  }
}

/// A new file that a session is recorded in. It is owner-only (mode 0600) and consists of complete lines at
/// any time.
final class RecordingFile: Sendable {
  private let file: CreatedFile
  private let isTaken = Lock(false)

  var name: String { file.name }

  /// - Throws: If the file already exists or cannot be created.
  init(new name: String, home: String?) throws(CreatedFile.Failure) {
    file = try CreatedFile(name, home: home, mode: 0o600)
  }

  deinit { file.descriptor.close() }

  /// Claims the file, which records only one session. Returns true for the first caller only.
  func take() -> Bool {
    isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
  }

  /// Appends a line. If there is no space for all of it, the file is cut back to the previous line.
  func append(line: [UInt8]) throws(CreatedFile.Failure) {
    let end = lseek(file.descriptor.number, 0, SEEK_END)
    do throws(CreatedFile.Failure) { try file.write(line + [UInt8(ascii: "\n")]) } catch {
      if end >= 0 { ftruncate(file.descriptor.number, end) }
      throw error
    }
  }

  func remove() { file.remove() }
}

extension RequestOptions {
  /// The file of `--record`, created before anything is requested or drawn; nil if the session is not
  /// recorded.
  func recording(_ dependencies: Dependencies) throws(CommandError) -> RecordingFile? {
    guard let record else { return nil }
    do throws(CreatedFile.Failure) {
      return try RecordingFile(new: record, home: dependencies.environment["HOME"])
    } catch { throw CommandError("--record: \(error)", .output) }
  }
}

// MARK: - The format

/// The first line of a recording: what was recorded, and its initial state.
struct RecordingHeader: Sendable, JSONChecked {
  enum InitialState: Sendable, Codable {
    case pager(PagerInitialState)
    case search(SearchInitialState)
  }

  /// The version of the format that this program writes and reads.
  static let format = 4
  /// The prefix that identifies a recording of any format version, which follows it.
  static let start = #"{"riffle_recording":"#

  var version = Version.number
  /// The source's id.
  var source: String
  var initialState: InitialState
  /// The number of events before the first recorded one that were dropped.
  var lostEvents = 0
  /// The number of pages whose rows have lost their texts.
  var pagesWithoutTexts = 0

  private enum CodingKeys: String, CodingKey {
    case version = "riffle"
    case source, lostEvents, pagesWithoutTexts, initialState
  }

  mutating func check() throws(JSONCodingError) {
    try lostEvents.check("lostEvents")
    try pagesWithoutTexts.check("pagesWithoutTexts")
    switch initialState {
    case .pager(var initialState):
      try initialState.check()
      self.initialState = .pager(initialState)
    case .search(var initialState):
      try initialState.check()
      self.initialState = .search(initialState)
    }
  }
}

extension EventLog.Entry: JSONChecked where Event: JSONChecked {
  func check() throws(JSONCodingError) {
    try (time / .seconds(1)).check("time")
    var event = event
    try event.check()
  }
}

extension RecordingEncoder {
  /// The first line of a recording.
  mutating func line(_ header: RecordingHeader) -> [UInt8] {
    Array("\(RecordingHeader.start)\(RecordingHeader.format),".utf8) + bytes(of: header).dropFirst()
  }

  /// A line of a recording. The position of a next page that contains a secret is replaced.
  ///
  /// - Parameter sessionEvent: The event of a session that the recorded event carries; nil if it carries none.
  mutating func line<Event: Codable & Sendable>(
    _ entry: EventLog<Event>.Entry, _ sessionEvent: SessionEvent?
  ) -> [UInt8] {
    if case .loaded(let page, _)? = sessionEvent, let next = page.secretNext { hide(next) }
    return bytes(of: entry)
  }
}
