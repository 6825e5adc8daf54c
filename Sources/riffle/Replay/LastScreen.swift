import FeedbackLoop
import Pager
import Search
import Terminal
import Text

/// What a recording ends with, as text.
enum LastScreen {
  /// - Returns: the text, and what is missing behind it because the recording is cut off.
  static func text(of recording: consuming RecordingReader) throws(RecordingFault) -> (
    String, RecordingFault?
  ) {
    switch recording.header.beginning {
    case .pager(let beginning):
      var state = beginning.state
      let cut = try recording.forEachEvent { (event: PagerEvent) in state.reduce(event) }
      return (PagerView.frame(state).text + "\n", cut)
    case .search(let beginning):
      var state = beginning.state
      let source = recording.header.source
      let cut = try recording.forEachEvent { (event: OneShotEvent) in state.reduce(event) }
      return (state.summary(source: source), cut)
    }
  }
}

extension RecordingReader {
  /// - Returns: the fault of a recording that is cut off.
  mutating func forEachEvent<Event: JSONForm & Sendable>(
    _ body: (Event) -> Void
  ) throws(RecordingFault) -> RecordingFault? {
    do throws(RecordingFault) {
      while let entry = try next(Event.self) { body(entry.event) }
      return nil
    } catch {
      if error.isCut { return error }
      throw error
    }
  }
}

extension OneShotState {
  /// The report of a run, a fact a line.
  fileprivate func summary(source: String) -> String {
    let report = report
    var lines = ["source: \(source)", "query: \(session.query.text)"]
    let statistics = try? JSONDocument(Array(RunStatistics(state: self, cap: nil).json.utf8)).root.members
    for (name, value) in statistics ?? [] where isFinished || !["ended_by", "status"].contains(name) {
      if let text = value.text { lines.append("\(name): \(text)") }
    }
    if !isFinished { lines.append("the run had not ended yet") }
    lines += report.notes.map { "note: \($0)" } + [report.failure, report.advice].compactMap(\.self)
    return lines.map { "\(Sanitized($0).string)\n" }.joined()
  }
}
