package import Search
import Text

/// A named command that a key can be bound to. Help, palette, key map, manual and tests are generated from
/// these values.
package struct Action: Sendable {
  /// The stable name used in configuration and documentation.
  package let name: String
  package let summary: String
  /// The default keys per mode, in key notation; the keys of a sequence are separated by spaces.
  package let keys: [Mode: [String]]
  /// The state transition. The second argument is the count typed before the key, if any.
  package let perform: @Sendable (inout PagerState, Int?) -> Void

  /// - Parameter reason: Why the action is unavailable, shown instead of performing it; nil if it is
  ///   available.
  init(
    _ name: String, _ summary: String, table: [String] = [], query: [String] = [], popup: [String] = [],
    prompt: [String] = [], disabledReason reason: @escaping @Sendable (PagerState) -> String? = { _ in nil },
    perform: @escaping @Sendable (inout PagerState, Int?) -> Void
  ) {
    self.name = name
    self.summary = summary
    self.keys = [.table: table, .query: query, .popup: popup, .prompt: prompt].filter { !$0.value.isEmpty }
    self.perform = { state, count in
      if let reason = reason(state) { state.notify(reason, .warning) } else { perform(&state, count) }
    }
  }

  /// Creates an action that takes no count.
  init(
    _ name: String, _ summary: String, table: [String] = [], query: [String] = [], popup: [String] = [],
    prompt: [String] = [], disabledReason reason: @escaping @Sendable (PagerState) -> String? = { _ in nil },
    perform: @escaping @Sendable (inout PagerState) -> Void
  ) {
    self.init(
      name, summary, table: table, query: query, popup: popup, prompt: prompt, disabledReason: reason
    ) { state, _ in perform(&state) }
  }
}

/// All actions, in the order of help, palette and manual.
package enum Actions {
  /// Actions that help lists under one heading.
  struct Group: Sendable {
    let title: String
    let actions: [Action]
  }

  static let groups = [
    Group(title: "Navigation", actions: moving), Group(title: "Query", actions: querying),
    Group(title: "Loading", actions: loading), Group(title: "Find, filter, sort", actions: filtering),
    Group(title: "Columns", actions: arranging), Group(title: "Views", actions: showing),
    Group(title: "Marks", actions: marking), Group(title: "Open, copy, write", actions: taking),
    Group(title: "Quit", actions: leaving),
  ]

  /// All actions, in the order help lists them.
  package static let all: [Action] = groups.flatMap(\.actions)
}

/// The actions that a source adds, bound to `,` and a key: options that cycle through their values, and row
/// actions.
package enum SourceActions {
  package static func actions(options: [SourceOption], rowActions: [RowAction]) -> [Action] {
    options.compactMap(action) + rowActions.map(action)
  }

  static let rowPrefix = "action-"

  private static func action(_ option: SourceOption) -> Action? {
    guard let key = option.key else { return nil }
    let values = option.values.map(SourceOption.label).joined(separator: ", ")
    return Action(
      "option-\(option.name)", "\(option.title ?? option.name): \(values)", table: [", \(notation(key))"]
    ) { $0.cycle(option) }
  }

  private static func action(_ row: RowAction) -> Action {
    let keys = [", \(notation(row.key))"]
    return Action("\(rowPrefix)\(row.name)", row.name, table: keys, popup: keys) { state in
      guard state.takesRow, let reference = state.selectedRow.flatMap({ state.rowReference($0) }) else {
        return state.notifyNoRow()
      }
      state.effectQueue.append(.perform(row, reference))
    }
  }

  private static func notation(_ key: Character) -> String { key == " " ? "space" : String(key) }
}

extension Actions {
  /// The names that actions had in the previous version, with those they have now: settings files and recordings of
  /// that version still work. The next version drops the table.
  package static let oldNames = [
    "choose": "accept",
    "column-fit": "fit-column",
    "column-hide": "hide-column",
    "column-left": "previous-column",
    "column-move-left": "move-column-left",
    "column-move-right": "move-column-right",
    "column-narrower": "narrow-column",
    "column-right": "next-column",
    "column-wider": "widen-column",
    "columns-show-all": "show-all-columns",
    "detail": "details",
    "history-next": "next-history",
    "history-previous": "previous-history",
    "history-search": "search-history",
    "log": "request-log",
    "mark": "toggle-mark",
    "mark-invert": "invert-marks",
    "mark-up": "toggle-mark-up",
    "mouse": "toggle-mouse",
    "palette": "command-palette",
    "raw-json": "toggle-json",
    "search": "find",
    "sort-clear": "clear-sort",
    "wrap": "toggle-wrap",
  ]
}
