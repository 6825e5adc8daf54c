package import Search
import Text

/// The actions that a source adds, bound to `,` and a key: options that cycle through their values, and row
/// actions.
package enum SourceActions {
  package static func actions(options: [SourceOption], rowActions: [RowAction]) -> [Action] {
    options.compactMap(action) + rowActions.map(action)
  }

  static let rowPrefix = "action-"

  private static func action(_ option: SourceOption) -> Action? {
    guard let key = option.key else { return nil }
    let values = option.values.map { $0.isEmpty ? "any" : $0 }.joined(separator: ", ")
    return Action(
      "option-\(option.name)", "\(option.title ?? option.name): \(values)", table: [", \(notation(key))"]
    ) { $0.cycle(option) }
  }

  private static func action(_ row: RowAction) -> Action {
    let keys = [", \(notation(row.key))"]
    return Action("\(rowPrefix)\(row.name)", row.name, table: keys, popup: keys) { state in
      guard state.takesRow, let reference = state.selectedRow.flatMap({ state.rowReference($0) }) else {
        return state.notify(state.missingRowReason ?? "no rows yet", .warning)
      }
      state.effectQueue.append(.perform(row, reference))
    }
  }

  private static func notation(_ key: Character) -> String { key == " " ? "space" : String(key) }
}

extension PagerState {
  /// Selects the next value of an option, and searches again.
  fileprivate mutating func cycle(_ option: SourceOption) {
    guard !option.values.isEmpty else {
      return notify(
        "option \(option.name) has no list of values: set it with --set \(option.name)=TEXT", .warning)
    }
    let now = options[option.name] ?? option.defaultValue
    let place = option.values.firstIndex { $0 == now }.map { ($0 + 1) % option.values.count } ?? 0
    options[option.name] = option.values[place]
    notify("\(option.title ?? option.name): \(option.values[place].isEmpty ? "any" : option.values[place])")
    if session.generation > 0 || !line.isEmpty { submit() }
  }
}
