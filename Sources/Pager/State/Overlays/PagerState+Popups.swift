import Terminal
import Text

extension PagerState {
  var popup: Popup? { overlays.last?.popup }

  func hasPopup(_ kind: Popup.Kind) -> Bool {
    overlays.contains { $0.popup?.kind == kind }
  }

  /// Opens a popup, or closes it if it is on top.
  mutating func toggle(_ kind: Popup.Kind, showsJSON: Bool = false) {
    if popup?.kind == kind { return close() }
    overlays.removeAll { $0.popup?.kind == kind }
    overlays.append(.popup(Popup(kind: kind, showsJSON: showsJSON)))
  }

  mutating func close() {
    if !overlays.isEmpty { overlays.removeLast() }
  }

  mutating func change(popup change: (inout Popup) -> Void) {
    guard case .popup(var popup)? = overlays.last else { return }
    change(&popup)
    overlays[overlays.count - 1] = .popup(popup)
  }

  mutating func scrollPopup(by lines: Int) {
    change {
      let (sum, overflows) = $0.scroll.addingReportingOverflow(lines)
      $0.scroll = overflows ? .max / 2 : sum
    }
  }

  /// Moves to the next line of the popup that matches its search; wraps at the ends.
  mutating func findInPopup(forward: Bool, inclusive: Bool = false) {
    guard let popup, !popup.searchText.isEmpty else { return }
    let highlight = MatchHighlight("\"\(popup.searchText)\"")
    let lines = lines(of: popup)
    let found = lines.indices.filter { highlight.finds(lines[$0].plainText) }
    let start = popup.scroll
    let next =
      forward
      ? found.first { inclusive ? $0 >= start : $0 > start } ?? found.first
      : found.last { $0 < start } ?? found.last
    guard let next, let index = found.firstIndex(of: next) else {
      change { $0.match = nil }
      return notify("no line matches \"\(popup.searchText)\"", .warning)
    }
    change {
      $0.scroll = next
      $0.match = Popup.Match(number: index + 1, count: found.count)
    }
  }

  // MARK: Questions

  mutating func answer(_ question: Question, _ key: Key) {
    close()
    guard key == Key("y") || key == Key(.enter) else { return }
    switch question {
    case .reset: resetNow()
    case .accept: exitReason = .accept
    }
  }
}
