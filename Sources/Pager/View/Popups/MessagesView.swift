private import Search
private import Text

/// Messages, the latest first; after a failure also how to save a recording of the session for a bug report.
enum MessagesView {
  static func lines(_ state: PagerState) -> [StyledText] {
    let messages = state.messages.all
    let said =
      messages.isEmpty
      ? state.paragraph("No messages yet", state.theme[.dim]) : lines(of: messages[...], state)
    return offer(state) + said
  }

  static func lines(of messages: ArraySlice<Messages.Message>, _ state: PagerState) -> [StyledText] {
    messages.reversed().flatMap { state.paragraph($0.text, state.theme[$0.role]) }
  }

  private static func offer(_ state: PagerState) -> [StyledText] {
    let hasFailed =
      state.session.log.contains { $0.failure != nil } || state.messages.all.contains { $0.role == .error }
    guard hasFailed, let key = state.keyLabel("save-recording", in: .popup) else { return [] }
    return state.paragraph(
      "\(key): save a recording of this session for riffle replay", state.theme[.accent])
  }
}
