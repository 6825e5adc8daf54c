import Search
import Terminal
private import Text

/// The pane that shows the selected row in full, beside the table or below it.
package struct Preview: Sendable, Hashable {
  /// Whether the user opened or closed it; nil leaves that to the rules.
  var isOpen: Bool?
  /// Its share of the screen, in percent.
  private(set) var share = 40
  /// The number of lines of the row that are scrolled off the top.
  var scroll = 0
  var showsJSON = false
  /// The row that `scroll` is about.
  fileprivate var row: RowDetail.Identity?

  mutating func resize(by percent: Int) { share = max(20, min(share + percent, 80)) }

  /// The share of the screen by default, from this width on, if the rules say `auto`.
  static let automaticColumns = 160
}

extension PagerState {
  /// Whether the preview is open; it is not shown before there are rows and where the screen is too small for it.
  var isPreviewOpen: Bool {
    switch (preview.isOpen, rules.preview) {
    case (let isOpen?, _): isOpen
    case (nil, .always): true
    case (nil, .auto): screenWidth >= Preview.automaticColumns && !rules.isAccessible
    case (nil, .never): false
    }
  }

  /// Whether the preview may ask the service for the row: not if it is open only because the screen is wide, nor if
  /// the service's budget is nearly used up.
  var previewMayRequest: Bool {
    screen.preview != nil && (preview.isOpen ?? (rules.preview == .always)) && session.allowsPrefetch
  }

  mutating func togglePreview() {
    preview.isOpen = !isPreviewOpen
    guard isPreviewOpen, screen.preview == nil else { return }
    notify(list.rows.isEmpty ? "no rows yet" : "the screen is too small for the preview", .warning)
  }

  mutating func resizePreview(by percent: Int) {
    if !isPreviewOpen { return togglePreview() }
    preview.resize(by: percent)
  }

  mutating func scrollPreview(by lines: Int) {
    guard screen.preview != nil else {
      return notify("the preview is closed" + hint("toggle-preview", "open it"), .warning)
    }
    preview.scroll += lines
  }

  /// Limits the scroll position of the preview to its lines.
  mutating func settlePreview() {
    guard let region = screen.preview, let row = readingIdentity else { return }
    if preview.row != row { (preview.row, preview.scroll) = (row, 0) }
    let height = Self.previewHeight(in: region)
    preview.scroll = max(0, min(preview.scroll, DetailLines.maxLines))
    let (lines, isComplete) = previewLines(in: region)
    if isComplete { preview.scroll = min(preview.scroll, max(0, lines.count - height)) }
  }

  /// The lines of the preview up to the first one below the region, and whether they are all.
  func previewLines(in region: Region) -> (lines: [Line], isComplete: Bool) {
    let limit = preview.scroll + Self.previewHeight(in: region) + 1
    let lines = DetailLines(
      state: self, width: region.columns, height: region.rows, showsJSON: preview.showsJSON
    ).popupEntries.lines(from: 0, limit: limit)
    return (lines, lines.count < limit)
  }

  /// The lines of the preview below its title.
  static func previewHeight(in region: Region) -> Int { max(1, region.rows - 1) }
}
