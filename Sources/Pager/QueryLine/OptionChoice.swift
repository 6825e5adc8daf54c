import Search
import Text

/// The options of the source, chosen on the screen. A change is a new query, in which the selection stays at its row if
/// that is on the first page.
extension PagerState {
  func option(named name: String) -> SourceOption? { rules.options.first { $0.name == name } }

  /// The chosen value or the default; nil if there is none.
  func value(of option: SourceOption) -> String? { query.options[option.name] ?? option.defaultValue }

  /// Chooses the next of the values.
  mutating func cycle(_ option: SourceOption) {
    guard !option.values.isEmpty else { return ask(.optionValue, about: option.name) }
    let now = value(of: option)
    let place = option.values.firstIndex { $0 == now }.map { ($0 + 1) % option.values.count } ?? 0
    set(option, to: option.values[place])
  }

  mutating func set(_ option: SourceOption, to value: String) {
    let name = option.title ?? option.name
    if let refusal = option.refusal(of: value) {
      return notify("\(name) \(refusal.problem): \(refusal.remedy)", .warning)
    }
    query.options[option.name] = value
    notify("\(name): \(SourceOption.label(of: value))")
    guard session.generation > 0 || !query.editor.isEmpty else { return }
    let place = list.selectedPlace
    submit()
    list.anchor = place.flatMap { $0.key == nil ? nil : $0 }
  }
}

extension PromptList {
  static func options(of state: PagerState) -> [Item] {
    state.rules.options.map { option in
      let value = state.value(of: option).map(SourceOption.label) ?? "not set"
      let others = option.values.filter { $0 != state.value(of: option) }.map(SourceOption.label)
      let title = option.title.map { "  \($0)" } ?? ""
      return Item(
        text: option.name,
        note: value + (others.isEmpty ? "" : "  (\(others.joined(separator: ", ")))") + title)
    }
  }

  /// The values of an option; one that takes other text offers what is typed.
  static func values(of option: SourceOption, typed: String, _ state: PagerState) -> [Item] {
    let now = state.value(of: option)
    let known = option.values.map { value in
      let notes = [value == now ? "current" : nil, value == option.defaultValue ? "default" : nil]
      return Item(text: SourceOption.label(of: value), note: notes.compactMap(\.self).joined(separator: ", "))
    }
    let isKnown = option.values.contains(typed) || typed.isEmpty
    return (option.isClosed || isKnown ? [] : [Item(text: typed, note: "as typed")]) + known
  }
}
