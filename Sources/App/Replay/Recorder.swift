import FeedbackLoop
import Glibc
import JSON
import Pager
import Search
import Synchronization

/// Writes the events of a session to a file as they occur, without blocking their senders. A failure ends the
/// recording, never the session.
struct Recorder<Event: JSONCodable & Sendable>: Sendable {
  typealias Entry = EventLog<Event>.Entry

  private let entries: AsyncStream<Entry>.Continuation
  private let writing: Task<RecordingFile.Failure?, Never>

  /// - Parameter redacted: Removes the secrets known so far from a text.
  init(
    to file: RecordingFile, _ header: RecordingHeader,
    redacting redacted: @escaping @Sendable (String) -> String
  ) {
    let (stream, entries) = AsyncStream.makeStream(of: Entry.self)
    self.entries = entries
    writing = Task.detached(executorPreference: Workers.shared) {
      defer { entries.finish() }
      var json = JSONWriter(redacting: redacted)
      do throws(RecordingFile.Failure) {
        header.write(to: &json)
        try file.append(line: json.take())
        for await entry in stream {
          entry.write(to: &json)
          try file.append(line: json.take())
        }
        return nil
      } catch { return error }
    }
  }

  /// A hook for the system to be recorded.
  func hook<State: Sendable>() -> @Sendable (Transition<State, Event>) -> Void {
    EventLog<Event>.recorder { [entries] in entries.yield($0) }
  }

  func note(_ entry: Entry) { entries.yield(entry) }

  /// Waits for the end of the recording: why it failed, or nil after `finish`.
  var failure: RecordingFile.Failure? { get async { await writing.value } }

  /// Waits until all events are written; returns why that failed, if it did.
  func finish() async -> RecordingFile.Failure? {
    entries.finish()
    return await failure
  }
}

/// A new file that a session is recorded in. It is owner-only (mode 0600) and consists of complete lines at
/// any time.
final class RecordingFile: Sendable {
  let name: String
  private let path: String
  private let descriptor: Int32
  private let isTaken = Mutex(false)

  /// - Throws: If the file already exists or cannot be created.
  init(new name: String, home: String?) throws(Failure) {
    self.name = name
    path = PrivateFile.path(name, home: home)
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor < 0 { throw Failure(name, errno) }
  }

  deinit { close(descriptor) }

  /// Claims the file, which records only one session. Returns true for the first caller only.
  func take() -> Bool {
    isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
  }

  /// Appends a line. If there is no space for all of it, the file is cut back to the previous line.
  func append(line: [UInt8]) throws(Failure) {
    let end = lseek(descriptor, 0, SEEK_END)
    guard let code = Descriptor(descriptor).write(line + [UInt8(ascii: "\n")]) else { return }
    if end >= 0 { ftruncate(descriptor, end) }
    throw Failure(name, code)
  }

  /// Deletes the file.
  func remove() { unlink(path) }

  /// Why the file cannot be created or written, and what to do.
  struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ name: String, _ code: Int32) {
      description =
        code == EEXIST
        ? "\(name) already exists. Choose another name"
        : "cannot write \(name): \(String(cString: strerror(code)))"
    }
  }
}

extension RequestOptions {
  /// The file of `--record`, created before anything is requested or drawn; nil if the session is not
  /// recorded.
  func recording(_ dependencies: Dependencies) throws(CommandError) -> RecordingFile? {
    guard let record else { return nil }
    do throws(RecordingFile.Failure) {
      return try RecordingFile(new: record, home: dependencies.environment["HOME"])
    } catch { throw CommandError("--record: \(error)", .output) }
  }
}

/// The first line of a recording: what was recorded, and its initial state.
struct RecordingHeader: Sendable {
  /// The kind of session and its initial state.
  enum InitialState: Sendable {
    case pager(PagerInitialState)
    case search(SearchInitialState)
  }

  /// The format version of the lines that follow.
  static let form = 2
  /// The prefix that identifies a recording of any format version.
  static let start = #"{"riffle_recording":"#

  /// The program's version.
  var version = Version.number
  /// The source's id.
  var source: String
  var initialState: InitialState
  /// The number of events before the first recorded one that were dropped.
  var lostEvents = 0
  /// The number of pages whose rows have lost their texts.
  var pagesWithoutTexts = 0
}

extension RecordingHeader: JSONCodable {
  func write(to json: inout JSONWriter) {
    json.object {
      $0.member("riffle_recording", Self.form)
      $0.member("riffle", version)
      $0.member("source", source)
      if lostEvents > 0 { $0.member("lost_events", lostEvents) }
      if pagesWithoutTexts > 0 { $0.member("bare_pages", pagesWithoutTexts) }
      switch initialState {
      case .pager(let initialState): $0.member("pager", initialState)
      case .search(let initialState): $0.member("search", initialState)
      }
    }
  }

  init(json: JSONValue) throws(JSONCodingError) {
    let form: Int = try json.member("riffle_recording")
    version = try json.member("riffle") ?? "?"
    guard form == Self.form else {
      throw JSONCodingError(
        "recorded by riffle \(version) in format \(form), but riffle \(Version.number) reads format \(Self.form). "
          + "Replay it with riffle \(version)")
    }
    source = try json.member("source")
    lostEvents = try json.amount("lost_events") ?? 0
    pagesWithoutTexts = try json.amount("bare_pages") ?? 0
    if let pager: PagerInitialState = try json.member("pager") {
      initialState = .pager(pager)
    } else {
      initialState = .search(try json.member("search"))
    }
  }
}

/// One line of a recording. The origin of an event is for readers of the file; a replay ignores it.
extension EventLog.Entry: JSONCodable where Event: JSONCodable {
  func write(to json: inout JSONWriter) {
    json.object {
      $0.member("seq", Int(truncatingIfNeeded: sequence))
      $0.member("time", time)
      $0.member("from", origin.feedback)
      $0.member("event", event)
    }
  }

  init(json: JSONValue) throws(JSONCodingError) {
    self.init(
      sequence: UInt64(try json.size("seq") as Int), time: try json.member("time"),
      event: try json.member("event"),
      origin: Origin(feedback: try json.member("from"), lifetime: nil, depth: 0))
  }
}
