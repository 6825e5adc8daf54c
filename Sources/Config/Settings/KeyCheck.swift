/// Finds all problems with the keys of a file. The key map reports one problem at a time, so the offending
/// entry is removed and the rest is checked again.
struct KeyCheck {
  /// An entry of the file: `ACTION = "key"` or `ACTION = ["key", …]`.
  struct Entry {
    let mode: String
    let action: String
    let keys: [String]
    let value: TOMLValue
  }

  private let schema: KeySchema
  private let entries: [Entry]
  private var bindings: BoundKeys = [:]

  init(_ entries: [Entry], _ schema: KeySchema) {
    self.schema = schema
    self.entries = entries
    for entry in entries { bindings[entry.mode, default: [:]][entry.action] = entry.keys }
  }

  mutating func problems() -> [ConfigProblem] {
    var problems: [ConfigProblem] = []
    while problems.count < ConfigError.mostProblems, let problem = schema.problem(bindings) {
      guard let entry = offendingEntry(of: problem) else {
        let file = entries.first?.value.position.file ?? ""
        return problems + [ConfigProblem(at: .named(file), table: "[keys]", problem.message)]
      }
      problems.append(configProblem(problem, about: entry))
      take(problem.key, from: entry)
    }
    return problems
  }

  /// The last entry involved in the problem; one with exactly the reported key is preferred.
  private func offendingEntry(of problem: KeyProblem) -> Entry? {
    let involved = entries.filter { entry in
      problem.actions.contains(entry.action) && problem.mode ?? entry.mode == entry.mode
        && bindings[entry.mode]?[entry.action]?.isEmpty == false
    }
    return involved.last { entry in
      problem.key.map { bindings[entry.mode]?[entry.action]?.contains($0) == true } ?? true
    } ?? involved.last
  }

  private func configProblem(_ problem: KeyProblem, about entry: Entry) -> ConfigProblem {
    let others = problem.actions.filter { $0 != entry.action }.compactMap { action in
      entries.last { $0.action == action && $0.mode == entry.mode }.map {
        " (\(action) is bound at \(position(of: problem.key, in: $0)))"
      }
    }
    return ConfigProblem(
      at: .position(position(of: problem.key, in: entry)), table: "[keys.\(entry.mode)]", key: entry.action,
      problem.message + others.joined())
  }

  private func position(of key: String?, in entry: Entry) -> FilePosition {
    guard let key, case .array(let elements) = entry.value.content else { return entry.value.position }
    return elements.first { $0.string == key }?.position ?? entry.value.position
  }

  private mutating func take(_ key: String?, from entry: Entry) {
    let keys = bindings[entry.mode]?[entry.action] ?? []
    let rest = keys.filter { $0 != key }
    bindings[entry.mode]?[entry.action] = rest.count < keys.count ? rest : []
  }
}
