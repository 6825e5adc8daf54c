/// One row as the detail popup shows it.
package struct RowDetail: Sendable {
  /// Which row was asked for.
  package struct Identity: Sendable, Hashable {
    let version: Int
    let row: Int
  }

  /// What was read of it; texts are not sanitised.
  package enum Content: Sendable {
    /// Fields by title, a longer text, and the row's JSON as indented lines.
    case read(fields: [Field], body: String?, json: [String])
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
  let content: Content
}

/// A row to be read for the detail popup.
package struct RowReadingRequest: Sendable, Equatable {
  package let identity: RowDetail.Identity
  package let row: RowReference

  package static func == (a: RowReadingRequest, b: RowReadingRequest) -> Bool { a.identity == b.identity }
}

extension PagerState {
  /// The row the detail popup shows; nil when it is closed.
  var readingIdentity: RowDetail.Identity? {
    guard hasPopup(.detail), let row = selectedRow else { return nil }
    return RowDetail.Identity(version: rowsVersion, row: row)
  }
}
