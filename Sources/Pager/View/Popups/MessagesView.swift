private import Text

/// What was said, the latest first.
enum MessagesView {
  static func lines(_ state: PagerState) -> [StyledText] {
    let messages = state.messages.all.reversed()
    if messages.isEmpty { return state.paragraph("nothing was said yet", state.theme[.dim]) }
    return messages.flatMap { state.paragraph($0.text, state.theme[$0.role]) }
  }
}
