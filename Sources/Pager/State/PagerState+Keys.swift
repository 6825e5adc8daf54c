import Terminal
import Text

extension PagerState {
  mutating func press(_ key: Key) {
    messages.hide()
    allowance = rules.pagesPerKey
    if case .question(let question)? = overlays.last { return answer(question, key) }
    if mode == .table, pendingKeys.isEmpty, let digit = key.countDigit(continuing: count) {
      count = min((count ?? 0) * 10 + digit, 999_999)
      return
    }
    if !pendingKeys.isEmpty, key == Key(.escape) { return dropKeys() }
    pendingKeys.append(key)
    switch rules.keyMap.meaning(of: pendingKeys, in: mode) {
    case .action(let action):
      let count = count
      dropKeys()
      action.perform(&self, count)
    case .beginning: break
    case nil:
      let keys = pendingKeys
      dropKeys()
      if keys.count > 1 {
        say("\(keys.map(\.notation).joined(separator: " ")) means nothing here", .warning)
      } else {
        type(key)
      }
    }
  }

  private mutating func dropKeys() {
    pendingKeys = []
    count = nil
  }

  private mutating func type(_ key: Key) {
    switch mode {
    case .query:
      if line.handle(key) { edited() }
    case .prompt: changePrompt { $0.handle(key) }
    case .table, .popup:
      let way = keyLabel("help", in: mode).map { "; \($0) shows all keys" } ?? ""
      say("key \(KeyMap.label(key.notation)) means nothing here\(way)", .warning)
    }
  }

  mutating func paste(_ text: String) {
    messages.hide()
    allowance = rules.pagesPerKey
    switch mode {
    case .query:
      line.insert(text)
      edited()
    case .prompt:
      changePrompt {
        $0.insert(text)
        return true
      }
    case .table, .popup:
      let way = keyLabel("edit-query", in: .table).map { ": press \($0) first" } ?? ""
      say("paste goes into the query line\(way)", .warning)
    }
  }

  /// The query line changed.
  mutating func edited() {
    edits += 1
    history.forgetPlace()
    // Nothing to wait for when the line is emptied: the rows go at once.
    if line.isEmpty { submit() }
  }

  /// The key an action has in a mode, as it is shown; nil without one.
  func keyLabel(_ action: String, in mode: Mode) -> String? {
    rules.keyMap.keys(of: action, in: mode).first.map(KeyMap.label)
  }
}

extension Key {
  /// The digit this key adds to a count: 1–9 open one, 0 only continues it.
  fileprivate func countDigit(continuing count: Int?) -> Int? {
    guard let text, let digit = text.wholeNumberValue, text.isASCII else { return nil }
    return digit == 0 && count == nil ? nil : digit
  }
}
