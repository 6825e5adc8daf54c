private import Text

/// One row as the detail popup shows it.
package struct RowDetail: Sendable {
  /// Which row was asked for.
  package struct Identity: Sendable, Hashable {
    let version: Int
    let row: Int
  }

  /// What was read of it; texts are not sanitised.
  package enum Content: Sendable {
    /// The fields of the source by title, what else the row has by its path, a longer text, and the row's JSON as
    /// indented lines.
    case read(fields: [Field], others: [Field] = [], body: String?, json: [String])
    /// Why it could not be read, and what to do.
    case failed(String)
  }

  package struct Field: Sendable, Hashable {
    package let title: String
    package let text: String

    package init(title: String, text: String) {
      self.title = title
      self.text = text
    }
  }

  let identity: Identity
  /// The row as it came in its page.
  let row: Content
  /// The reply of the service that was asked for the row more fully.
  var reply: Content?
}

extension RowDetail {
  /// What is known of the row: what the reply says, and the row's own where it says nothing; nil when it could not
  /// be read.
  var content: Content? {
    switch (row, reply) {
    case (.failed, _): nil
    case (_, nil), (_, .failed?): row
    case (.read(let own, let ownOthers, let ownBody, _), .read(let fields, let others, let body, let json)?):
      .read(
        fields: Self.merged(fields, into: own), others: Self.merged(others, into: ownOthers),
        body: body.flatMap { $0.isEmpty ? nil : $0 } ?? ownBody, json: json)
    }
  }

  /// Why the row could not be read, or not more fully.
  var failure: String? {
    for case .failed(let why)? in [row, reply] { return why }
    return nil
  }

  /// Both keep their order.
  private static func merged(_ fields: [Field], into own: [Field]) -> [Field] {
    var merged = own
    var place = 0
    for field in fields {
      if let known = merged[place...].firstIndex(where: { $0.title == field.title }) {
        merged[known] = field
        place = known + 1
      } else {
        merged.insert(field, at: place)
        place += 1
      }
    }
    return merged
  }
}

/// A row to be read for the detail popup.
package struct RowReadingRequest: Sendable, Equatable {
  package enum Part: Sendable, Hashable {
    /// As it came in its page.
    case row
    /// As the service says when it is asked for this row.
    case reply
  }

  package let identity: RowDetail.Identity
  package let part: Part
  package let row: RowReference

  package static func == (a: RowReadingRequest, b: RowReadingRequest) -> Bool {
    a.identity == b.identity && a.part == b.part
  }
}

extension PagerState {
  /// The row the detail popup shows; nil when it is closed.
  var readingIdentity: RowDetail.Identity? {
    guard hasPopup(.detail), let row = selectedRow else { return nil }
    return RowDetail.Identity(version: rowsVersion, row: row)
  }

  /// What was read of that row.
  var readDetail: RowDetail? { detail.flatMap { $0.identity == readingIdentity ? $0 : nil } }

  /// The row itself comes first; what comes for it next is the reply.
  mutating func take(_ content: RowDetail.Content, for identity: RowDetail.Identity) {
    guard identity == readingIdentity else { return }
    if case .failed(let why) = content { messages.note(why, .error) }
    if readDetail == nil {
      detail = RowDetail(identity: identity, row: content)
    } else {
      detail?.reply = content
    }
  }
}
