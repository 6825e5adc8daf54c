/// What lies over table and query line; the last one takes the keys.
package enum Overlay: Sendable, Hashable {
  case popup(Popup)
  case prompt(Prompt)
  case question(Question)
}

/// Something to be confirmed by y or Enter; any other key keeps everything.
package enum Question: Sendable, Hashable {
  /// Rows are marked.
  case reset
  /// `pick`: rows that other queries brought are marked too, and are not there to be taken.
  case accept
}

extension Overlay {
  var popup: Popup? { if case .popup(let popup) = self { popup } else { nil } }
}
