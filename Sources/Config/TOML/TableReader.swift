import HTTPValues
import Search
import Text

/// Reads one table of a document and collects its problems. Every key that has been read is allowed; `finish`
/// reports all others.
struct TableReader {
  private let table: TOMLTable
  /// The position of the table.
  let position: FilePosition
  private let path: [String]
  private let isElement: Bool
  /// Whether the document is merged with another one that is not available, so that no key is reported as
  /// missing.
  let isFragment: Bool
  /// The names that the tables of a source may refer to.
  var scope = SourceScope()
  private var requested: [String] = []
  private var refused: Set<String> = []
  private(set) var problems: [ConfigDiagnostic] = []

  /// The table's header: `[rows]`, `[[columns]]`.
  var title: String { path.isEmpty ? "" : isElement ? "[[\(Self.name(path))]]" : "[\(Self.name(path))]" }

  /// A dotted key in TOML notation: quoted where necessary, and truncated to the length of a line.
  static func name(_ keys: [String]) -> String {
    keys.map { key in
      TOMLText.isBareKey(key) && key.utf8.count <= 60 ? key : Wording.quoted(key)
    }.joined(separator: ".")
  }

  func contains(_ key: String) -> Bool { table[key] != nil }

  /// The value of an allowed key.
  mutating func value(_ key: String) -> TOMLValue? {
    if refused.contains(key) { return nil }
    if !requested.contains(key) { requested.append(key) }
    return table[key]
  }

  /// Reports a problem with a key: at the position, else at the key's value, else at the table.
  mutating func report(_ message: String, for key: String?, at position: FilePosition? = nil) {
    let place = position ?? key.flatMap { table[$0]?.position } ?? self.position
    add(ConfigDiagnostic(at: .position(place), table: title, key: key.map { Self.name([$0]) }, message))
  }

  private mutating func add(_ problem: ConfigDiagnostic) {
    if problems.count < ConfigError.maxProblems { problems.append(problem) }
  }

  /// Reports keys that are not allowed here, with the reason, and then treats them as absent.
  mutating func refuse(_ keys: [String], _ reason: String) {
    for key in keys where refused.insert(key).inserted {
      if let entry = table.entry(key) { report(reason, for: key, at: entry.position) }
    }
  }

  /// Reports a required key that is missing.
  mutating func require(_ key: String, _ purpose: String) {
    if !contains(key), !isFragment { report("missing (\(purpose))", for: key) }
  }

  /// Reports keys of which only one may be present; `missing` is the problem if there is none, nil if that is
  /// allowed.
  mutating func checkOnlyOne(of keys: [String], missing: String? = nil) {
    let present = keys.filter { contains($0) && !refused.contains($0) }
    if present.count > 1 {
      report("\(present.joined(separator: " and ")) cannot be used together", for: present[1])
    } else if present.isEmpty, let missing {
      report(missing, for: nil)
    }
  }

  /// What an entry of a table is called.
  private func noun(of entry: TOMLTable.Entry) -> String {
    if path.first == "keys" { return path.count == 1 ? "mode" : "action" }
    return entry.value.table != nil ? "table" : "setting"
  }

  /// Reports all keys that were not read.
  mutating func finish() {
    for entry in table.entries where !requested.contains(entry.key) && !refused.contains(entry.key) {
      guard problems.count < ConfigError.maxProblems else { return }
      report(
        "unknown \(noun(of: entry)). \(Wording.suggestion(for: entry.key, among: requested))", for: entry.key,
        at: entry.position)
    }
  }
}

extension TableReader {
  init(document: TOMLTable, file: String, isFragment: Bool = false) {
    self.init(
      table: document, position: FilePosition(file: file, line: 1, column: 1), path: [], isElement: false,
      isFragment: isFragment)
  }

  // MARK: Nested tables

  /// A nested table, read by `read` and finished; nil if there is none.
  mutating func table<Value>(_ key: String, _ read: (inout TableReader) -> Value?) -> Value? {
    guard let value = value(key) else { return nil }
    return self.read(value, path + [key], isElement: false, read)
  }

  /// The tables of `[[key]]`, without those that cannot be read.
  mutating func tables<Value>(_ key: String, _ read: (inout TableReader) -> Value?) -> [Value] {
    let path = path + [key]
    let elements = value(key, expecting: "tables [[\(Self.name(path))]]") {
      if case .array(let elements) = $0.content { elements } else { nil }
    }
    return (elements ?? []).compactMap { self.read($0, path, isElement: true, read) }
  }

  /// The tables `[key.NAME]` with their names, in document order.
  mutating func namedTables<Value>(
    _ key: String, _ read: (TOMLTable.Entry, inout TableReader) -> Value?
  ) -> [Value] {
    members(key).compactMap { entry in
      self.read(entry.value, path + [key, entry.key], isElement: false) { read(entry, &$0) }
    }
  }

  /// The entries of a table whose keys are user-defined.
  mutating func members(_ key: String) -> [TOMLTable.Entry] {
    value(key, expecting: "a table", \.table)?.entries ?? []
  }

  /// The string entries of a table whose keys are user-defined; any other entry is reported.
  mutating func textMembers(_ key: String) -> [(entry: TOMLTable.Entry, text: String)] {
    members(key).compactMap { entry in
      if let text = entry.value.string { return (entry, text) }
      report("expected a string, found \(entry.value.kindName)", forMember: entry, of: key)
      return nil
    }
  }

  /// Whether a user-defined name can be written in a placeholder; reports one that cannot.
  mutating func hasName(_ entry: TOMLTable.Entry) -> Bool {
    if TOMLText.isBareKey(entry.key) { return true }
    report("expected a name of letters, digits, - and _", for: nil, at: entry.position)
    return false
  }

  /// Reports a problem with an entry of a table whose keys are user-defined.
  mutating func report(_ message: String, forMember entry: TOMLTable.Entry, of key: String) {
    report(message, inside: [key, entry.key], at: entry.value.position)
  }

  /// Reports a problem deep inside a table whose keys are user-defined; `keys` is the path from this table.
  mutating func report(_ message: String, inside keys: [String], at position: FilePosition) {
    add(
      ConfigDiagnostic(
        at: .position(position), table: "[\(Self.name(path + keys.dropLast()))]",
        key: keys.last.map { Self.name([$0]) }, message))
  }

  private mutating func read<Value>(
    _ value: TOMLValue, _ path: [String], isElement: Bool, _ read: (inout TableReader) -> Value?
  ) -> Value? {
    guard let table = value.table else {
      add(
        ConfigDiagnostic(
          at: .position(value.position), table: title, key: Self.name(Array(path.dropFirst(self.path.count))),
          "expected a table, found \(value.kindName)"))
      return nil
    }
    var reader = TableReader(
      table: table, position: value.position, path: path, isElement: isElement, isFragment: isFragment,
      scope: scope)
    let result = read(&reader)
    reader.finish()
    for problem in reader.problems { add(problem) }
    return result
  }
}

extension TableReader {
  /// A string and its position.
  struct PlacedText {
    let text: String
    let position: FilePosition
  }

  /// The converted value of an allowed key. An unexpected value is reported.
  mutating func value<Value>(
    _ key: String, expecting expected: String, _ convert: (TOMLValue) -> Value?
  ) -> Value? {
    guard let value = value(key) else { return nil }
    if let result = convert(value) { return result }
    report("expected \(expected), found \(value.kindName)", for: key)
    return nil
  }

  mutating func string(_ key: String) -> String? { value(key, expecting: "a string", \.string) }

  mutating func bool(_ key: String) -> Bool? {
    value(key, expecting: "true or false") { if case .bool(let flag) = $0.content { flag } else { nil } }
  }

  mutating func integer(_ key: String, in range: ClosedRange<Int>) -> Int? {
    guard let value = value(key) else { return nil }
    return integer(value, in: range, for: key)
  }

  private mutating func integer(_ value: TOMLValue, in range: ClosedRange<Int>, for key: String) -> Int? {
    let expected = "expected an integer from \(range.lowerBound) to \(range.upperBound)"
    guard case .integer(let number) = value.content else {
      report("\(expected), found \(value.kindName)", for: key, at: value.position)
      return nil
    }
    if range.contains(number) { return number }
    report("\(expected), found \(number)", for: key, at: value.position)
    return nil
  }

  /// One integer or an array of integers.
  mutating func integers(_ key: String, in range: ClosedRange<Int>) -> [Int] {
    value(key)?.elements.compactMap { integer($0, in: range, for: key) } ?? []
  }

  /// One string or an array of strings, with their positions.
  mutating func strings(_ key: String) -> [PlacedText] {
    elements(key) { element in element.string.map { PlacedText(text: $0, position: element.position) } }
  }

  /// One value or an array of values. `read` returns nil for one that is not accepted as a string.
  mutating func elements<Value>(_ key: String, _ read: (TOMLValue) -> Value?) -> [Value] {
    guard let value = value(key) else { return [] }
    return value.elements.compactMap { element in
      if let result = read(element) { return result }
      let isListed = if case .array = value.content { true } else { false }
      let expected = isListed ? "a string" : "a string or a list of strings"
      report("expected \(expected), found \(element.kindName)", for: key, at: element.position)
      return nil
    }
  }

  /// A duration as a string, `"400ms"`.
  mutating func duration(_ key: String, in range: ClosedRange<Duration>) -> Duration? {
    parsed(key, expecting: "a duration like \"400ms\" or \"5m\"", range.duration)
  }

  mutating func choice(_ key: String, among words: [String]) -> String? {
    guard let word = string(key) else { return nil }
    if words.contains(word) { return word }
    report(Wording.badChoice(word, among: words), for: key)
    return nil
  }

  /// A string parsed by `parse`; an error is reported as a problem.
  mutating func parsed<Value>(
    _ key: String, expecting kind: String = "a string", _ parse: (String) throws -> Value
  ) -> Value? {
    guard let text = value(key, expecting: kind, \.string) else { return nil }
    do { return try parse(text) } catch {
      report("\(error)", for: key)
      return nil
    }
  }

  /// An expression for a value in a response, or a list of alternatives. The first alternative that yields a value is
  /// used. Its templates may refer to these options, in addition to values of the response.
  mutating func expression(_ key: String, placing options: [SourceOption] = []) -> ValueExpression? {
    if case .array([])? = value(key)?.content {
      report("expected at least one expression, found none", for: key)
    }
    let alternatives = strings(key).flatMap { expression($0, for: key, placing: options)?.alternatives ?? [] }
    return alternatives.isEmpty ? nil : ValueExpression(alternatives)
  }

  mutating func expression(
    _ text: PlacedText, for key: String, placing options: [SourceOption]
  ) -> ValueExpression? {
    do {
      let expression = try ValueExpression(parsing: text.text, options: Set(options.map(\.name)))
      for name in expression.templates.flatMap(\.optionsInHost) {
        if let problem = SourceOption.hostProblem(name, options.first { $0.name == name }) {
          report(problem, for: key, at: text.position)
        }
      }
      if let problem = scope.enclosingProblem(of: expression) { report(problem, for: key, at: text.position) }
      return expression
    } catch {
      report(error.problem, for: key, at: text.position)
      return nil
    }
  }
}

extension TableReader {
  /// Hosts in lowercase, `cdn.example.org` or `cdn.example.org:8080`.
  mutating func hosts(_ key: String) -> [String] {
    strings(key).map { host in
      let url = try? WebURL("https://\(host.text)/")
      if url?.hasUserinfo ?? true || url?.path != "/" || url?.query != nil {
        report(
          "expected a host like \"cdn.example.org\" or \"cdn.example.org:8080\", found \(Wording.quoted(host.text))",
          for: key, at: host.position)
      }
      return host.text.lowercased()
    }
  }
}
