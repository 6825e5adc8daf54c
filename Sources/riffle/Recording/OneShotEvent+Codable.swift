import Search

extension OneShotEvent: JSONCodable {
  func write(to json: inout JSONWriter) {
    switch self {
    case .session(let event): json.choice("session", event)
    case .ended(let ending): json.choice("ended", ending)
    case .recordFailed(let problem): json.choice("record-failed", problem)
    case .progressErased: json.text("progress-erased")
    case .reported(let number): json.choice("told", number)
    case .ticked(let now): json.choice("ticked", now)
    }
  }

  init(json: JSONValue) throws(JSONCodingError) {
    self = try json.choose { (name, value) throws(JSONCodingError) in
      switch name {
      case "session": .session(try SessionEvent(json: value))
      case "ended": .ended(try OneShotState.Ending(json: value))
      case "record-failed": .recordFailed(try String(json: value))
      case "progress-erased": .progressErased
      case "told": .reported(try value.amount())
      case "ticked": .ticked(try value.seconds())
      default: nil
      }
    }
  }
}

extension OneShotState.Ending: JSONCodable {
  func write(to json: inout JSONWriter) {
    switch self {
    case .outputClosed: json.text("output-closed")
    case .outputFailed(let reason): json.choice("output-failed", reason)
    case .columnRefused(let problem): json.choice("column-refused", problem)
    case .interrupted(let signal): json.choice("interrupted", Int(signal))
    case .tripped(let report): json.choice("tripped", report)
    }
  }

  init(json: JSONValue) throws(JSONCodingError) {
    self = try json.choose { (name, value) throws(JSONCodingError) in
      switch name {
      case "output-closed": .outputClosed
      case "output-failed": .outputFailed(try String(json: value))
      case "column-refused": .columnRefused(try String(json: value))
      case "interrupted": .interrupted(signal: Int32(try value.amount()))
      case "tripped": .tripped(try String(json: value))
      default: nil
      }
    }
  }
}
