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
    if leavesSourceList(key) {
      departure = .quit
      return
    }
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
        sayUnbound(keys)
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
    case .table, .popup: sayUnbound([key])
    }
  }

  private mutating func sayUnbound(_ keys: [Key]) {
    let label = keys.map { KeyMap.label($0.notation) }.joined(separator: " ")
    say("\(label) is not bound here" + hint("help", "help"), .warning)
  }

  /// The key that quits a table leaves the list of sources, too, as long as nothing is typed there.
  private func leavesSourceList(_ key: Key) -> Bool {
    guard let prompt, prompt.purpose == .source, prompt.line.isEmpty else { return false }
    return rules.keyMap.action(for: key, in: .table)?.name == "quit"
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
      say("cannot paste here" + hint("edit-query", "edit the query"), .warning)
    }
  }

  /// The query line changed.
  mutating func edited() {
    edits += 1
    history.forgetPlace()
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
