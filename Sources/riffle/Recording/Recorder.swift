import FeedbackLoop
import Search

/// Writes what happens in a session to a file while it happens, beside the session: whoever sends an event waits for
/// nothing. What goes wrong ends the recording, never the session.
struct Recorder<Event: JSONForm & Sendable>: Sendable {
  typealias Entry = EventLog<Event>.Entry

  private let entries: AsyncStream<Entry>.Continuation
  private let writing: Task<RecordingFile.Failure?, Never>

  /// - Parameter redacted: a text without the secrets known by then.
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

  /// For the system that is recorded.
  func hook<State: Sendable>() -> @Sendable (Transition<State, Event>) -> Void {
    EventLog<Event>.recorder { [entries] in entries.yield($0) }
  }

  func note(_ entry: Entry) { entries.yield(entry) }

  /// When the recording has ended: why, or nil when that was by `finish`.
  var failure: RecordingFile.Failure? { get async { await writing.value } }

  /// Ends when all that was noted is written; gives the reason when it could not be.
  func finish() async -> RecordingFile.Failure? {
    entries.finish()
    return await failure
  }
}
