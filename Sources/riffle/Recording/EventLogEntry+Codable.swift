import FeedbackLoop
import Search

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
