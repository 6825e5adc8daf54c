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
  /// The row that `scroll` is about.
  fileprivate var row: RowDetail.Identity?

  mutating func resize(by percent: Int) { share = max(20, min(share + percent, 80)) }

  /// The share of the screen by default, from this width on, if the rules say `auto`.
  static let automaticColumns = 160
}

/// The lines of the preview, as far as they are needed, cached, so that they are not laid out again for every frame.
struct PreviewContent: Sendable {
  private struct Key: Hashable {
    let row: RowDetail.Identity?
    let isRead: Bool
    let isReadMore: Bool
    let region: Region
    let canvas: Canvas
    let background: Background?
  }

  private let key: Key
  /// Complete if there are fewer than `limit`.
  let lines: [Line]
  private let limit: Int

  init(_ state: PagerState, in region: Region, limit: Int) {
    key = Self.key(state, region)
    lines = DetailLines(state: state, width: region.columns, limit: limit).lines(showsJSON: false)
    self.limit = limit
  }

  var isComplete: Bool { lines.count < limit }

  /// Whether these are at least `limit` lines, or all, of what the state shows.
  func isCurrent(_ state: PagerState, in region: Region, limit: Int) -> Bool {
    (self.limit >= limit || isComplete) && key == Self.key(state, region)
  }

  private static func key(_ state: PagerState, _ region: Region) -> Key {
    Key(
      row: state.readingIdentity, isRead: state.readDetail != nil, isReadMore: state.readDetail?.reply != nil,
      region: region, canvas: state.canvas, background: state.background)
  }
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
    notify(rows.isEmpty ? "no rows yet" : "the screen is too small for the preview", .warning)
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

  /// Lays out the preview as far as it is seen, and limits its scroll position to its lines.
  mutating func fitPreview() {
    guard let region = screen.preview, let row = readingIdentity else {
      if previewContent != nil { previewContent = nil }
      return
    }
    if preview.row != row { (preview.row, preview.scroll) = (row, 0) }
    let height = Self.previewHeight(in: region)
    preview.scroll = max(0, min(preview.scroll, DetailLines.maxLines))
    let limit = preview.scroll + height + 1
    if previewContent?.isCurrent(self, in: region, limit: limit) != true {
      previewContent = PreviewContent(self, in: region, limit: limit)
    }
    guard let content = previewContent, content.isComplete else { return }
    preview.scroll = min(preview.scroll, max(0, content.lines.count - height))
  }

  /// The lines of the preview below its title.
  static func previewHeight(in region: Region) -> Int { max(1, region.rows - 1) }
}
