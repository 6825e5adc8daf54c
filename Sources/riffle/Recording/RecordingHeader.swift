import Pager
import Search

/// The first line of a recording: what was recorded, and its initial state.
struct RecordingHeader: Sendable {
  /// The kind of session and its initial state.
  enum Beginning: Sendable {
    case pager(PagerBeginning)
    case search(SearchBeginning)
  }

  /// The format version of the lines that follow.
  static let form = 2
  /// The prefix that identifies a recording of any format version.
  static let start = #"{"riffle_recording":"#

  /// The program's version.
  var version = Version.number
  /// The source's id.
  var source: String
  var beginning: Beginning
  /// The number of events before the first recorded one that were dropped.
  var lostEvents = 0
  /// The number of pages whose rows have lost their texts.
  var barePages = 0
}

extension RecordingHeader: JSONForm {
  func write(to json: inout JSONWriter) {
    json.object {
      $0.member("riffle_recording", Self.form)
      $0.member("riffle", version)
      $0.member("source", source)
      if lostEvents > 0 { $0.member("lost_events", lostEvents) }
      if barePages > 0 { $0.member("bare_pages", barePages) }
      switch beginning {
      case .pager(let beginning): $0.member("pager", beginning)
      case .search(let beginning): $0.member("search", beginning)
      }
    }
  }

  init(json: JSONValue) throws(JSONFormError) {
    let form: Int = try json.member("riffle_recording")
    version = try json.member("riffle") ?? "?"
    guard form == Self.form else {
      throw JSONFormError(
        "recorded by riffle \(version) in format \(form), but riffle \(Version.number) reads format \(Self.form). "
          + "Replay it with riffle \(version)")
    }
    source = try json.member("source")
    lostEvents = try json.amount("lost_events") ?? 0
    barePages = try json.amount("bare_pages") ?? 0
    if let pager: PagerBeginning = try json.member("pager") {
      beginning = .pager(pager)
    } else {
      beginning = .search(try json.member("search"))
    }
  }
}
