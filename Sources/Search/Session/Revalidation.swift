package import HTTPValues
import Text

/// The version of a response (RFC 9110, section 8.8). A refresh sends it as a condition, so that the service need not
/// send an unchanged page again.
package struct Validators: Sendable, Hashable {
  /// The value of `ETag`, unmodified.
  package let entityTag: String?
  /// The value of `Last-Modified`, unmodified.
  package let lastModified: String?

  /// Reads the validators; nil if the response has none that can be sent back.
  ///
  /// - Parameter now: Seconds since 1970.
  package init?(_ headers: HTTPFields, now: Double) {
    entityTag = headers.first("ETag").flatMap { Self.isSendable($0, as: "If-None-Match") ? $0 : nil }
    lastModified = headers.first("Last-Modified").flatMap { text in
      Self.isSendable(text, as: "If-Modified-Since") && Self.isSettled(text, headers, now: now) ? text : nil
    }
    if entityTag == nil, lastModified == nil { return nil }
  }

  /// The request field: the entity tag, because times are less exact, or else the time.
  var condition: RequestDraft.Item? {
    entityTag.map { RequestDraft.Item(name: "If-None-Match", value: $0) }
      ?? lastModified.map { RequestDraft.Item(name: "If-Modified-Since", value: $0) }
  }

  private static func isSendable(_ value: String, as name: String) -> Bool {
    !value.isEmpty && value.utf8.count <= 1_024 && (try? HTTPField(name: name, value: value)) != nil
  }

  /// Whether the second of the modification had passed when the response was sent. Otherwise a second modification
  /// may have the same time.
  private static func isSettled(_ modified: String, _ headers: HTTPFields, now: Double) -> Bool {
    guard let now = Timestamp(epoch: now), let time = Timestamp(httpDate: modified, now: now) else {
      return false
    }
    guard let sent = headers.first("Date").flatMap({ Timestamp(httpDate: $0, now: now) }) else { return true }
    return sent.epoch > time.epoch
  }
}

/// The pages with validators that a session has received, one for each ordinal.
struct ReceivedPages: Sendable {
  private var entries: [Int: (position: Position, page: Page)] = [:]
  /// Whether a page that follows one of these pages could not be loaded, because its position may have expired.
  var leadNowhere = false

  /// The page that was received at exactly this position.
  subscript(position: Position) -> Page? {
    entries[position.ordinal].flatMap { $0.position == position ? $0.page : nil }
  }

  mutating func note(_ page: Page, at position: Position) {
    entries[position.ordinal] = page.validators == nil ? nil : (position, page)
  }

  /// Removes the last page of the list.
  mutating func removeLast() { entries.keys.max().map { entries[$0] = nil } }

  /// These pages, with those replaced for which there are later ones.
  func updated(with later: ReceivedPages) -> ReceivedPages {
    var result = self
    result.entries.merge(later.entries) { $1 }
    return result
  }
}

extension Page {
  /// The response to a request with a condition that holds.
  package static let notModified: Page = {
    var page = Page(content: .cells(.empty), continuation: .end(.last))
    page.isNotModified = true
    return page
  }()

  /// This page, confirmed by a response without a body.
  func confirmed(by response: Page) -> Page {
    var page = self
    page.exchange = response.exchange
    page.budget = response.budget
    page.backoff = nil
    page.total = response.total ?? total
    page.validators = response.validators ?? validators
    page.mayBeKept = mayBeKept && response.mayBeKept
    if response.bucket?.name != nil || response.bucket?.origin != bucket?.origin {
      page.bucket = response.bucket
    }
    return page
  }
}
