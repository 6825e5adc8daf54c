private import Search
import Terminal

/// The lines of a popup, made once for what they depend on: a long log or a large row is not laid out anew with
/// every key.
struct PopupContent: Sendable {
  private struct Key: Hashable {
    let kind: Popup.Kind
    let showsJSON: Bool
    let canvas: Canvas
    let background: Background?
    let requests: Int
    let messages: Int
    let row: RowDetail.Identity?
    let isRead: Bool
    let isReadMore: Bool
    let helped: Mode
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
      isRead: state.readDetail != nil, isReadMore: state.readDetail?.reply != nil, helped: state.helpedMode)
  }
}

extension PagerState {
  /// What a popup shows, laid out for the screen.
  func lines(of popup: Popup) -> [StyledText] {
    if let popupContent, popupContent.isCurrent(self, popup) { return popupContent.lines }
    return PopupView.lines(self, popup)
  }

  /// Lays the popup on top out, and keeps it within its lines.
  mutating func fitPopup() {
    guard let popup = overlays.last(where: { $0.popup != nil })?.popup else {
      popupContent = nil
      return
    }
    if popupContent.map({ !$0.isCurrent(self, popup) }) ?? true { popupContent = PopupContent(self, popup) }
    let most = max(0, lines(of: popup).count - Screen(canvas).popupHeight)
    change { $0.scroll = max(0, min($0.scroll, most)) }
  }
}
