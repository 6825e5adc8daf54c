package import JSON
private import Search
import Terminal
private import Text

/// The content of the detail popup: one row.
package struct RowDetail: Sendable {
  package struct Identity: Sendable, Hashable {
    let version: Int
    let row: Int
  }

  /// What was read of the row; texts are not sanitized.
  package enum Content: Sendable {
    /// The source's fields by title, the others by path, a longer text, and the row's JSON.
    case read(fields: [Field], others: [Field] = [], body: String?, json: JSONOutline)
    /// Why it could not be read, and what to do.
    case failed(String)
  }

  package struct Field: Sendable, Hashable {
    package let title: String
    package let text: String
    /// Where the value is in the row; nil if it is composed, or of several fields.
    let path: JSONPath?

    package init(title: String, text: String, path: JSONPath? = nil) {
      (self.title, self.text, self.path) = (title, text, path)
    }
  }

  let identity: Identity
  /// The row as loaded with its page.
  let row: Content
  /// The service's response to the detail request.
  var response: Content? { didSet { outline = Self.outline(content) } }
  /// The JSON of the row, as folded by the user.
  var outline: JSONOutline

  init(identity: Identity, row: Content) {
    (self.identity, self.row, outline) = (identity, row, Self.outline(row))
  }

  private static func outline(_ content: Content?) -> JSONOutline {
    if case .read(_, _, _, let json)? = content { json } else { [] }
  }

  /// The fields of the row: those of the response, completed with the row's own fields; nil if it could not be read.
  var content: Content? {
    switch (row, response) {
    case (.failed, _): nil
    case (_, nil), (_, .failed?): row
    case (
      .read(let own, let otherOwnSettings, let ownBody, _), .read(let fields, let others, let body, let json)?
    ):
      .read(
        fields: Self.merged(fields, into: own), others: Self.merged(others, into: otherOwnSettings),
        body: body.flatMap { $0.isEmpty ? nil : $0 } ?? ownBody, json: json)
    }
  }

  var failure: String? {
    for case .failed(let why)? in [row, response] { return why }
    return nil
  }

  /// Merges the fields of the response into the row's own; both keep their order.
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

package struct RowReadingRequest: Sendable, Equatable {
  /// The row from its page, or the service's response to the detail request.
  package enum Part: Sendable, Hashable { case row, response }

  package let identity: RowDetail.Identity
  package let part: Part
  package let row: RowReference
  /// How long to wait first: the preview asks the service only for a row that stays selected.
  package let delay: Duration

  /// Whether the row is read faster than a frame is drawn. Then it is read before the frame, which is drawn once.
  package var isQuick: Bool {
    guard part == .row, case .cells(let cells) = row.content else { return false }
    return cells.archived?.size(of: row.row).map { $0 <= Self.maxQuickBytes } ?? true
  }

  private static let maxQuickBytes = 16_384

  package static func == (a: RowReadingRequest, b: RowReadingRequest) -> Bool {
    a.identity == b.identity && a.part == b.part
  }
}

extension PagerState {
  /// The row shown in the detail popup or the preview; nil if both are closed.
  var readingIdentity: RowDetail.Identity? {
    guard overlays.isDetailOpen || screen.preview != nil, let row = list.selectedRow else { return nil }
    return RowDetail.Identity(version: list.version, row: row)
  }

  /// What was read of that row.
  var readDetail: RowDetail? { detail.flatMap { $0.identity == readingIdentity ? $0 : nil } }

  /// Stores what was read: first the row itself, then the response.
  mutating func take(_ content: RowDetail.Content, for identity: RowDetail.Identity) {
    guard identity == readingIdentity else { return }
    if case .failed(let why) = content { messages.note(why, .error) }
    if readDetail == nil {
      detail = RowDetail(identity: identity, row: content)
    } else {
      detail?.response = content
    }
  }

  mutating func showRow(by places: Int) {
    guard overlays.popup?.kind == .detail else { return }
    list.viewport.select(list.viewport.selection + places, of: list.count)
    moveAnchor()
    overlays.change { ($0.scroll, $0.selection) = (0, 0) }
  }
}
