import Pager
import Search

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
