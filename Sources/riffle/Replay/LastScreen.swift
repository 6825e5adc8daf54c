import FeedbackLoop
import Pager
import Search
import Terminal
import Text

/// The final screen or report of a recording, as text.
enum LastScreen {
  /// - Returns: The text, and why the rest of the recording was not replayed, if it was not.
  static func text(of recording: consuming RecordingReader) -> (String, RecordingFault?) {
    switch recording.header.initialState {
    case .pager(let initialState):
      var state = initialState.state
      let fault = recording.forEachEvent { (event: PagerEvent) in state.reduce(event) }
      return (PagerView.frame(state).text + "\n", fault)
    case .search(let initialState):
      var state = initialState.state
      let source = recording.header.source
      let fault = recording.forEachEvent { (event: OneShotEvent) in state.reduce(event) }
      return (state.summary(source: source), fault)
    }
  }
}

extension RecordingReader {
  /// - Returns: The fault that ended the recording early; nil if there was none.
  mutating func forEachEvent<Event: JSONCodable & Sendable>(_ body: (Event) -> Void) -> RecordingFault? {
    do throws(RecordingFault) {
      while let entry = try next(Event.self) { body(entry.event) }
      return nil
    } catch { return error }
  }
}

extension OneShotState {
  /// The report of a run, one fact per line.
  fileprivate func summary(source: String) -> String {
    let report = report
    var lines = ["source: \(source)", "query: \(session.query.text)"]
    let statistics = try? JSONDocument(Array(RunStatistics(state: self, cap: nil).json.utf8)).root.members
    for (name, value) in statistics ?? [] where isFinished || !["ended_by", "status"].contains(name) {
      if let text = value.text { lines.append("\(name): \(text)") }
    }
    if !isFinished { lines.append("the run was not finished") }
    lines += report.notes.map { "note: \($0)" } + [report.failure, report.advice].compactMap(\.self)
    return lines.map { "\(Sanitized($0).string)\n" }.joined()
  }
}
