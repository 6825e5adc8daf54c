private import Search
import Terminal

/// The lines of a popup, cached for the state they depend on, so that a long log or a large row is not laid
/// out again for every key.
struct PopupContent: Sendable {
  private struct Key: Hashable {
    let kind: Popup.Kind
    let showsJSON: Bool
    let canvas: Canvas
    let background: Background?
    var requests: Int
    var messages: Int
    let row: RowDetail.Identity?
    let isRead: Bool
    let isReadMore: Bool
    let helped: Mode
    /// The filter of help; a search does not change the lines of other popups.
    let filter: String
  }

  private let key: Key
  let lines: [StyledText]

  init(_ state: PagerState, _ popup: Popup) {
    key = Self.key(state, popup)
    lines = PopupView.lines(state, popup)
  }

  func isCurrent(_ state: PagerState, _ popup: Popup) -> Bool { key == Self.key(state, popup) }

  private static func key(_ state: PagerState, _ popup: Popup) -> Key {
    Key(
      kind: popup.kind, showsJSON: popup.showsJSON, canvas: state.canvas, background: state.background,
      requests: state.session.log.last?.number ?? 0,
      messages: state.messages.count, row: state.readingIdentity,
      isRead: state.readDetail != nil, isReadMore: state.readDetail?.reply != nil, helped: state.helpedMode,
      filter: popup.kind == .help ? popup.searchText : "")
  }

  /// The number of lines inserted at the top since an earlier content.
  func newLineCount(since previous: PopupContent, _ state: PagerState) -> Int {
    var known = key
    (known.requests, known.messages) = (previous.key.requests, previous.key.messages)
    guard known == previous.key else { return 0 }
    switch key.kind {
    case .log:
      return LogView.lines(of: state.session.log.filter { $0.number > known.requests }, state).count
    case .messages:
      return MessagesView.lines(of: state.messages.all.suffix(key.messages - known.messages), state).count
    case .help, .detail: return 0
    }
  }
}

extension PagerState {
  /// The lines of a popup, laid out for the screen.
  func lines(of popup: Popup) -> [StyledText] {
    if let popupContent, popupContent.isCurrent(self, popup) { return popupContent.lines }
    return PopupView.lines(self, popup)
  }

  /// Lays out the topmost popup, and clamps its scroll position to its lines.
  mutating func fitPopup() {
    guard let popup = overlays.last(where: { $0.popup != nil })?.popup else {
      popupContent = nil
      return
    }
    if popupContent.map({ !$0.isCurrent(self, popup) }) ?? true {
      let content = PopupContent(self, popup)
      let newLines = popupContent.map { content.newLineCount(since: $0, self) } ?? 0
      popupContent = content
      // Keeps the visible lines in place, except at the top, where new lines should be seen.
      if popup.scroll > 0 { scrollPopup(by: newLines) }
    }
    let most = max(0, lines(of: popup).count - Screen(canvas).popupHeight)
    change { $0.scroll = max(0, min($0.scroll, most)) }
  }
}
