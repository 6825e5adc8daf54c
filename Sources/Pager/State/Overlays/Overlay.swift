/// What covers the table and the query line; the topmost overlay receives the keys.
package enum Overlay: Sendable, Hashable {
  case popup(Popup)
  case prompt(Prompt)
  case question(Question)
}

/// A question confirmed by y or Enter; any other key cancels.
package enum Question: Sendable, Hashable {
  /// Reset although rows are marked.
  case reset
  /// In `pick`, accept although marked rows of other queries are not loaded and would be left out.
  case accept
}

extension Overlay {
  var popup: Popup? { if case .popup(let popup) = self { popup } else { nil } }
}
