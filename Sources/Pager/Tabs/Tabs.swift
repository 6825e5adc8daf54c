import Search
private import Text

/// The tabs of the program as the title shows them. Each is a pager of its own, with its own state.
package struct TabList: Sendable, Hashable {
  package struct Tab: Sendable, Hashable {
    package let title: String
    /// See `PagerState.tabStatus`.
    package let status: String

    package init(title: String, status: String) {
      self.title = title
      self.status = status
    }
  }

  /// Empty if there is only one.
  package var tabs: [Tab]
  /// The index of the tab that is shown.
  package var current: Int

  package init(_ tabs: [Tab] = [], current: Int = 0) {
    self.tabs = tabs
    self.current = current
  }
}

extension PagerState {
  /// How many rows there are, or what happens to the first page: `17`, `1,000+`, `loading`, `rate limited`, `failed`.
  package var tabStatus: String {
    if session.phase.isFailed || session.phase.isWaiting || list.rows.isEmpty, let word = phaseText.word {
      return word
    }
    if !list.filter.isEmpty { return Digits.grouped(list.count) }
    if let total = session.total { return Digits.grouped(total.count) }
    guard session.hasQuery else { return "" }
    return Digits.grouped(list.rows.count) + (session.hasMore ? "+" : "")
  }

  /// - Parameter number: From 1.
  mutating func goToTab(_ number: Int) {
    guard !tabs.tabs.isEmpty else { return notifyOnlyTab() }
    guard tabs.tabs.indices.contains(number - 1) else {
      return notify("no tab \(number): there are \(tabs.tabs.count)", .warning)
    }
    if number - 1 != tabs.current { exitReason = .tab(number - 1) }
  }

  /// Goes to the tab so many places to the right, around the ends.
  mutating func goToTab(by places: Int) {
    let count = tabs.tabs.count
    guard count > 0 else { return notifyOnlyTab() }
    goToTab((tabs.current + places % count + count) % count + 1)
  }

  private mutating func notifyOnlyTab() {
    notify("this is the only tab" + hint("new-tab", "new tab"), .warning)
  }

  /// Why no other source can be shown; nil if it can.
  var missingTabsReason: String? {
    switch rules.purpose {
    case .browse: rules.opensSources ? nil : "other sources cannot be opened here"
    case .pick: "pick shows one list. To open more, use riffle browse"
    }
  }
}
