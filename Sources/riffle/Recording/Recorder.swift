import FeedbackLoop
import Search

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
