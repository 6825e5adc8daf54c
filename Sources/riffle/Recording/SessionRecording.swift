import FeedbackLoop
import Glibc
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
    recorder = isOurs ? file.map { Recorder(to: $0, header, redacting: redacted) } : nil
    refusal = isOurs ? nil : file.map { "this session is not recorded: \($0.name) contains the previous one" }
  }

  /// A hook for the system to be recorded.
  var hook: @Sendable (Transition<PagerState, PagerEvent>) -> Void {
    EventLog<PagerEvent>.recorder { [recorder, recent] entry in
      recorder?.note(
        Recorder.Entry(
          sequence: entry.sequence, time: entry.time, event: entry.event.outline, origin: entry.origin))
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
    var json = JSONWriter(redacting: redacted)
    for position in secretPositions { json.hide(position) }
    var file: RecordingFile?
    do throws(RecordingFile.Failure) {
      file = try RecordingFile(new: name, home: home)
      header.write(to: &json)
      try file?.append(line: json.take())
      for entry in entries {
        entry.write(to: &json)
        try file?.append(line: json.take())
      }
      return .done("saved this session, including everything typed, to \(name). Replay it with riffle replay")
    } catch {
      file?.remove()
      return .failed("cannot save the session: \(error)")
    }
  }
}
