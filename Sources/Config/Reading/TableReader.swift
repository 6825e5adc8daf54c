/// Reads one table of a document and collects everything that is wrong with it. What a table may hold is
/// what has been asked for by the time it is finished: any other key is a problem.
struct TableReader {
  private let table: TOMLTable
  /// Where the table begins.
  let position: FilePosition
  private let path: [String]
  private let isElement: Bool
  /// Another document, which is not there, may say the rest: nothing counts as missing.
  let isPartial: Bool
  private var asked: [String] = []
  private var refused: Set<String> = []
  private(set) var problems: [ConfigProblem] = []

  /// A reader of a whole document.
  init(document: TOMLTable, file: String, isPartial: Bool = false) {
    self.init(
      document, at: FilePosition(file: file, line: 1, column: 1), path: [], isElement: false,
      isPartial: isPartial)
  }

  private init(
    _ table: TOMLTable, at position: FilePosition, path: [String], isElement: Bool, isPartial: Bool
  ) {
    self.table = table
    self.position = position
    self.path = path
    self.isElement = isElement
    self.isPartial = isPartial
  }

  /// As a header is written: `[rows]`, `[[columns]]`.
  var title: String {
    path.isEmpty ? "" : isElement ? "[[\(Self.name(path))]]" : "[\(Self.name(path))]"
  }

  /// Keys as one writes them: quoted where they have to be, and not longer than a line.
  static func name(_ keys: [String]) -> String {
    keys.map { key in
      !key.isEmpty && key.utf8.allSatisfy(\.isBareKeyByte) && key.utf8.count <= 60 ? key : Wording.quoted(key)
    }.joined(separator: ".")
  }

  func contains(_ key: String) -> Bool { table[key] != nil }

  /// The value of a key this table may hold.
  mutating func value(_ key: String) -> TOMLValue? {
    if refused.contains(key) { return nil }
    if !asked.contains(key) { asked.append(key) }
    return table[key]
  }

  /// Notes that something is wrong with a key.
  ///
  /// - Parameter position: where; the value of the key when nil, or the table when there is none.
  mutating func report(_ message: String, for key: String?, at position: FilePosition? = nil) {
    let place = position ?? key.flatMap { table[$0]?.position } ?? self.position
    add(ConfigProblem(at: .position(place), table: title, key: key.map { Self.name([$0]) }, message))
  }

  private mutating func add(_ problem: ConfigProblem) {
    if problems.count < ConfigError.mostProblems { problems.append(problem) }
  }

  /// Refuses keys that have no place here, with the reason; from then on they count as absent.
  mutating func refuse(_ keys: [String], _ reason: String) {
    for key in keys where refused.insert(key).inserted {
      if let entry = table.entry(key) { report(reason, for: key, at: entry.position) }
    }
  }

  /// Reports a key that must be there and is not.
  mutating func require(_ key: String, _ purpose: String) {
    if !contains(key), !isPartial { report("missing; \(purpose)", for: key) }
  }

  /// Reports the keys nobody has asked for.
  mutating func finish() {
    for entry in table.entries where !asked.contains(entry.key) && !refused.contains(entry.key) {
      guard problems.count < ConfigError.mostProblems else { return }
      report(
        "unknown key; \(Wording.suggestion(for: entry.key, among: asked))", for: entry.key, at: entry.position
      )
    }
  }
}

// MARK: Tables inside

extension TableReader {
  /// A table inside this one, read by `read` and finished; nil when there is none.
  mutating func table<Value>(_ key: String, _ read: (inout TableReader) -> Value?) -> Value? {
    guard let value = value(key) else { return nil }
    return self.read(value, path + [key], isElement: false, read)
  }

  /// The tables of `[[key]]`; those that cannot be read are left out.
  mutating func tables<Value>(_ key: String, _ read: (inout TableReader) -> Value?) -> [Value] {
    guard let value = value(key) else { return [] }
    guard case .array(let elements) = value.content else {
      report(
        "expected tables [[\(Self.name(path + [key]))]], found \(value.kindName)", for: key)
      return []
    }
    return elements.compactMap { self.read($0, path + [key], isElement: true, read) }
  }

  /// The tables `[key.NAME]` with their names, in the order written.
  mutating func namedTables<Value>(
    _ key: String, _ read: (TOMLTable.Entry, inout TableReader) -> Value?
  ) -> [Value] {
    members(key).compactMap { entry in
      self.read(entry.value, path + [key, entry.key], isElement: false) { read(entry, &$0) }
    }
  }

  /// What a table with keys of the user's own holds.
  mutating func members(_ key: String) -> [TOMLTable.Entry] {
    guard let value = value(key) else { return [] }
    if let table = value.table { return table.entries }
    report("expected a table, found \(value.kindName)", for: key)
    return []
  }

  /// Notes that something is wrong with a member of such a table.
  mutating func report(_ message: String, forMember entry: TOMLTable.Entry, of key: String) {
    report(message, inside: [key, entry.key], at: entry.value.position)
  }

  /// Notes that something is wrong deep inside a table with keys of the user's own.
  ///
  /// - Parameter keys: those that lead there from this table on.
  mutating func report(_ message: String, inside keys: [String], at position: FilePosition) {
    add(
      ConfigProblem(
        at: .position(position), table: "[\(Self.name(path + keys.dropLast()))]",
        key: keys.last.map { Self.name([$0]) }, message))
  }

  private mutating func read<Value>(
    _ value: TOMLValue, _ path: [String], isElement: Bool, _ read: (inout TableReader) -> Value?
  ) -> Value? {
    guard let table = value.table else {
      add(
        ConfigProblem(
          at: .position(value.position), table: title, key: Self.name(Array(path.dropFirst(self.path.count))),
          "expected a table, found \(value.kindName)"))
      return nil
    }
    var reader = TableReader(
      table, at: value.position, path: path, isElement: isElement, isPartial: isPartial)
    let result = read(&reader)
    reader.finish()
    for problem in reader.problems { add(problem) }
    return result
  }
}
