private import Text

/// The content of the detail popup: one row.
package struct RowDetail: Sendable {
  package struct Identity: Sendable, Hashable, Codable {
    let version: Int
    let row: Int
  }

  /// What was read of the row; texts are not sanitized.
  package enum Content: Sendable, Codable {
    /// The source's fields by title, the row's other fields by path, a longer text, and the row's JSON as
    /// indented lines.
    case read(fields: [Field], others: [Field] = [], body: String?, json: [String])
    /// Why it could not be read, and what to do.
    case failed(String)
  }

  package struct Field: Sendable, Hashable, Codable {
    package let title: String
    package let text: String

    package init(title: String, text: String) {
      self.title = title
      self.text = text
    }
  }

  let identity: Identity
  /// The row as loaded with its page.
  let row: Content
  /// The service's reply to the detail request.
  var reply: Content?

  /// What is known of the row: the reply, completed with fields of the row itself; nil if it could not be
  /// read.
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

  var failure: String? {
    for case .failed(let why)? in [row, reply] { return why }
    return nil
  }

  /// Merges the fields of the reply into the row's own; both keep their order.
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

/// A request to read a row for the detail popup.
package struct RowReadingRequest: Sendable, Equatable {
  package enum Part: Sendable, Hashable {
    /// The row from its page.
    case row
    /// The service's reply to the detail request.
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
  /// The row shown in the detail popup; nil if it is closed.
  var readingIdentity: RowDetail.Identity? {
    guard hasPopup(.detail), let row = selectedRow else { return nil }
    return RowDetail.Identity(version: rowsVersion, row: row)
  }

  /// What was read of that row.
  var readDetail: RowDetail? { detail.flatMap { $0.identity == readingIdentity ? $0 : nil } }

  /// Stores what was read: first the row itself, then the reply.
  mutating func take(_ content: RowDetail.Content, for identity: RowDetail.Identity) {
    guard identity == readingIdentity else { return }
    if case .failed(let why) = content { messages.note(why, .error) }
    if readDetail == nil {
      detail = RowDetail(identity: identity, row: content)
    } else {
      detail?.reply = content
    }
  }

  mutating func showRow(by places: Int) {
    guard popup?.kind == .detail else { return }
    viewport.select(viewport.selection + places, of: listCount)
    moveAnchor()
    change { $0.scroll = 0 }
  }
}
