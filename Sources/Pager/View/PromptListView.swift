import Terminal
private import Text

/// The choices of a prompt, with the selected one highlighted.
enum PromptListView {
  static func lines(_ state: PagerState, _ prompt: Prompt, _ screen: Screen) -> [Line] {
    let list = PromptList(state, prompt)
    let height = screen.popupHeight + 1
    guard !list.items.isEmpty else {
      let isEmpty = prompt.line.isEmpty
      let what =
        switch prompt.purpose {
        case .history: isEmpty ? "No earlier queries" : "No matching queries"
        case .source: isEmpty ? "No sources" : "No matching sources"
        case .palette, .search, .filter, .file, .recording: "No matching actions"
        }
      return [Line(Sanitized("  \(what)"), style: state.theme[.dim])]
    }
    var viewport = Viewport(top: list.selection - height / 2, selection: list.selection)
    viewport.fit(count: list.items.count, height: height)
    let widest = list.items.map { Sanitized($0.text).width(state.canvas.widthModel) }.max() ?? 0
    return (viewport.top..<min(viewport.top + height, list.items.count)).map { index in
      line(list.items[index], isChosen: index == list.selection, noteColumn: widest + 3, state)
    }
  }

  private static func line(
    _ item: PromptList.Item, isChosen: Bool, noteColumn: Int, _ state: PagerState
  ) -> Line {
    let model = state.canvas.widthModel
    let columns = state.canvas.size.columns
    let background = isChosen ? state.theme[.selected] : .plain
    var line = Line()
    if isChosen {
      line.append(state.rules.glyphs.selection, style: state.theme[.accent].laid(over: background))
    }
    line.advance(to: 1, style: background)
    let text = Sanitized(item.text)
    line.append(
      text.width(model) < columns - 1
        ? text : text.fitted(to: max(1, columns - 2), ellipsis: state.rules.glyphs.ellipsis, model),
      style: background)
    if !item.note.isEmpty, noteColumn < columns - 4 {
      line.advance(to: noteColumn, style: background)
      let room = columns - noteColumn - 1
      let whole = Sanitized(item.note)
      let note =
        whole.width(model) <= room
        ? whole : whole.fitted(to: room, ellipsis: state.rules.glyphs.ellipsis, model)
      line.append(note, style: state.theme[.dim].laid(over: background))
    }
    if isChosen { line.advance(to: columns, style: background) }
    return line
  }
}
