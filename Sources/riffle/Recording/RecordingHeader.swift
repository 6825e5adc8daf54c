import Pager
import Search

/// The first line of a recording: what was recorded, and all that the session began with.
struct RecordingHeader: Sendable {
  /// What the session was, and what it began with.
  enum Beginning: Sendable {
    case pager(PagerBeginning)
    case search(SearchBeginning)
  }

  /// Of the lines that follow.
  static let form = 2
  /// By which a recording of any form is known.
  static let start = #"{"riffle_recording":"#

  /// The program's version.
  var version = Version.number
  /// The id of the source.
  var source: String
  var beginning: Beginning
  /// Events that came before the first one that follows, and are not kept.
  var lostEvents = 0
  /// Pages whose rows have no texts any more.
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
        "it was made by riffle \(version) in form \(form), and this is riffle \(Version.number), which reads form "
          + "\(Self.form); replay it with that version")
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
