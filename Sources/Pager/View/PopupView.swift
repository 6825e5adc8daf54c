import Terminal
import Text

/// A popup over the table: a title and lines that scroll.
enum PopupView {
  static func frame(_ state: PagerState, _ popup: Popup, _ screen: Screen) -> [Line] {
    let lines = state.lines(of: popup)
    let top = max(0, min(popup.scroll, lines.count - screen.popupHeight))
    let highlight = MatchHighlight(popup.searchText.isEmpty ? "" : "\"\(popup.searchText)\"")
    let title = screen.hasPopupTitle ? [title(state, popup, count: lines.count, top: top, screen)] : []
    return title
      + lines.dropFirst(top).prefix(screen.popupHeight).map { line($0, highlight, state) }
  }

  private static func title(
    _ state: PagerState, _ popup: Popup, count: Int, top: Int, _ screen: Screen
  ) -> Line {
    let last = min(top + screen.popupHeight, count)
    let place =
      count > screen.popupHeight ? "\(top + 1)\(state.glyphs.dash)\(last) of \(count) lines" : ""
    return Line(
      left: [(Sanitized(" \(name(state, popup))"), state.theme[.header])],
      right: [(Sanitized(place), state.theme[.dim])], state)
  }

  private static func name(_ state: PagerState, _ popup: Popup) -> String {
    switch popup.kind {
    case .help: "help: \(HelpLines.place(state))"
    case .log: "request log"
    case .messages: "messages"
    case .detail:
      "row \(Digits.grouped(state.viewport.selection + 1)) of \(Digits.grouped(state.listCount))"
        + (popup.showsJSON ? ", JSON" : "")
    }
  }

  private static func line(_ line: Line, _ highlight: MatchHighlight, _ state: PagerState) -> Line {
    if highlight.isEmpty { return line }
    return line.split { text, style in
      highlight.parts(of: text).map { ($0, $1 ? state.theme[.match] : style) }
    }
  }
}

/// The choices of a prompt, with the selected one highlighted.
enum PromptListView {
  static func lines(_ state: PagerState, _ prompt: Prompt, _ screen: Screen) -> [Line] {
    let list = PromptList(state, prompt)
    let height = screen.popupHeight + 1
    guard !list.items.isEmpty else {
      let which = !prompt.line.isEmpty ? "matching " : prompt.purpose == .history ? "earlier " : ""
      let text = Sanitized("  No \(which)\(prompt.purpose.words.choices ?? "")")
      return [Line(text, style: state.theme[.dim])]
    }
    var viewport = Viewport(top: list.selection - height / 2, selection: list.selection)
    viewport.fit(count: list.items.count, height: height)
    let widest = list.items.map { Sanitized($0.text).width(state.widthModel) }.max() ?? 0
    return (viewport.top..<min(viewport.top + height, list.items.count)).map { index in
      line(list.items[index], isChosen: index == list.selection, noteColumn: widest + 3, state)
    }
  }

  private static func line(
    _ item: PromptList.Item, isChosen: Bool, noteColumn: Int, _ state: PagerState
  ) -> Line {
    let columns = state.screenWidth
    let background = isChosen ? state.theme[.selected] : .plain
    var line = Line()
    if isChosen {
      line.append(state.glyphs.selection, style: state.theme[.accent].laid(over: background))
    }
    line.advance(to: 1, style: background)
    line.append(
      Sanitized(item.text).truncated(to: columns - 2, ellipsis: state.glyphs.ellipsis, state.widthModel),
      style: background)
    if !item.note.isEmpty, noteColumn < columns - 4 {
      line.advance(to: noteColumn, style: background)
      let note = Sanitized(item.note).truncated(
        to: columns - noteColumn - 1, ellipsis: state.glyphs.ellipsis, state.widthModel)
      line.append(note, style: state.theme[.dim].laid(over: background))
    }
    if isChosen { line.advance(to: columns, style: background) }
    return line
  }
}
