/// The choices of a prompt: the entries that contain every word of its line.
struct PromptList {
  struct Item: Hashable {
    /// The value of the entry: the name of an action, or a query.
    let text: String
    let note: String
  }

  let items: [Item]
  let selection: Int

  init(_ state: PagerState, _ prompt: Prompt) {
    let words = prompt.line.text.lowercased().split(separator: " ")
    items = Self.all(state, prompt.purpose).filter { item in
      let text = "\(item.text) \(item.note)".lowercased()
      return words.allSatisfy { text.contains($0) }
    }
    selection = max(0, min(prompt.selection, items.count - 1))
  }

  var chosen: Item? { items.indices.contains(selection) ? items[selection] : nil }

  private static func all(_ state: PagerState, _ purpose: Prompt.Purpose) -> [Item] {
    switch purpose {
    case .palette:
      state.rules.keyMap.actions.filter { $0.keys[state.baseMode] != nil }.map { action in
        let key = state.keyLabel(action.name, in: state.baseMode).map { " (\($0))" } ?? ""
        return Item(text: action.name, note: action.summary + key)
      }
    case .history: state.history.entries.reversed().map { Item(text: $0, note: "") }
    case .source: state.rules.sources.map { Item(text: $0.id, note: $0.title) }
    case .search, .filter, .file, .recording: []
    }
  }
}

extension Prompt.Purpose {
  /// Whether the prompt offers a list of choices.
  var hasList: Bool {
    switch self {
    case .history, .palette, .source: true
    case .search, .filter, .file, .recording: false
    }
  }
}

extension PagerState {
  /// The mode of keys when no overlay is open.
  var baseMode: Mode { focus == .table ? .table : .query }
}
