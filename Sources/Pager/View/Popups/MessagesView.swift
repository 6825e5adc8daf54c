private import Text

/// What was said, the latest first.
enum MessagesView {
  static func lines(_ state: PagerState) -> [StyledText] {
    let messages = state.messages.all.reversed()
    if messages.isEmpty { return [StyledText(Sanitized(" nothing was said yet"), state.rules.theme[.dim])] }
    return messages.flatMap { state.paragraph($0.text, indent: 1, state.rules.theme[$0.role]) }
  }
}
