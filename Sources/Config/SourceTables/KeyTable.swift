import JSON
import Search

/// A table of a source's document. It decodes and validates the table, and is its description in the manual.
struct KeyTable<Model: Sendable>: Sendable {
  private let title: String
  private let meaning: String
  /// The model of an empty table.
  let standard: Model
  let keys: [SourceKey<Model>]
  private let check: @Sendable (inout TableReader, inout Model) -> Void

  /// - Parameters:
  ///   - title: As in the manual: `[input]`.
  ///   - check: Checks the keys together, and sets what depends on several of them.
  init(
    _ title: String, _ meaning: String, _ standard: Model, _ keys: [SourceKey<Model>],
    check: @escaping @Sendable (inout TableReader, inout Model) -> Void = { _, _ in }
  ) {
    self.title = title
    self.meaning = meaning
    self.standard = standard
    self.keys = keys
    self.check = check
  }

  var manual: TableManual {
    TableManual(title: title, meaning: meaning, keys: keys.map(\.manual))
  }

  /// Reads all keys in order. A key that is missing or invalid leaves the model as it is.
  func read(_ reader: inout TableReader, into model: inout Model) {
    for key in keys { key.read(&reader, &model) }
    check(&reader, &model)
  }

  /// - Returns: A model that is only meaningful if no problem was reported.
  func value(_ reader: inout TableReader) -> Model {
    var model = standard
    read(&reader, into: &model)
    return model
  }
}

/// A key of a table: how it is read, and its description in the manual.
struct SourceKey<Model: Sendable>: Sendable {
  let name: String
  let manual: KeyManual
  let read: @Sendable (inout TableReader, inout Model) -> Void

  typealias Place<Value> = WritableKeyPath<Model, Value> & Sendable

  /// - Parameters:
  ///   - place: The property with the value.
  ///   - purpose: What is missing without this key, if it is required.
  init<Value>(
    _ name: String, _ kind: KeyKind<Value>, _ place: any Place<Value>, required purpose: String? = nil,
    _ meaning: String
  ) {
    self.init(name, kind, required: purpose, meaning) { $0[keyPath: place] = $1 }
  }

  init<Value>(
    _ name: String, _ kind: KeyKind<Value>, _ place: any Place<Value?>, required purpose: String? = nil,
    _ meaning: String
  ) {
    self.init(name, kind, required: purpose, meaning) { $0[keyPath: place] = $1 }
  }

  init<Value>(
    _ name: String, _ kind: KeyKind<Value>, required purpose: String? = nil, _ meaning: String,
    put: @escaping @Sendable (inout Model, Value) -> Void
  ) {
    self.name = name
    manual = KeyManual(
      name, purpose == nil ? kind.words : "\(kind.words), required", meaning, tables: kind.tables)
    read = { reader, model in
      if let purpose { reader.require(name, purpose) }
      if let value = kind.read(&reader, name) { put(&model, value) }
    }
  }

  /// A table whose keys set properties of the same model.
  init(_ name: String, into table: KeyTable<Model>, _ meaning: String) {
    self.init(name, "a table", meaning, tables: [table.manual]) { reader, model in
      _ = reader.table(name) { table.read(&$0, into: &model) }
    }
  }

  private init(
    _ name: String, _ manual: KeyManual,
    read: @escaping @Sendable (inout TableReader, inout Model) -> Void
  ) {
    self.name = name
    self.manual = manual
    self.read = read
  }

  /// The same key of a model that contains this one.
  func inside<Outer>(_ place: any WritableKeyPath<Outer, Model> & Sendable) -> SourceKey<Outer> {
    SourceKey<Outer>(name, manual) { [read] in read(&$0, &$1[keyPath: place]) }
  }

  /// A key that is read together with others; `kind` is what it may contain, for the manual.
  init(
    _ name: String, _ kind: String, _ meaning: String, tables: [TableManual] = [],
    read: @escaping @Sendable (inout TableReader, inout Model) -> Void
  ) {
    self.name = name
    manual = KeyManual(name, kind, meaning, tables: tables)
    self.read = read
  }
}

/// What a key may contain: how a value of this kind is read, and its name in the manual.
struct KeyKind<Value>: Sendable {
  let words: String
  let tables: [TableManual]
  /// Reports an invalid value and returns nil.
  let read: @Sendable (inout TableReader, String) -> Value?

  init(
    words: String, tables: [TableManual] = [],
    read: @escaping @Sendable (inout TableReader, String) -> Value?
  ) {
    self.words = words
    self.tables = tables
    self.read = read
  }

  func map<New>(_ convert: @escaping @Sendable (Value) -> New?) -> KeyKind<New> {
    KeyKind<New>(words: words, tables: tables) { read(&$0, $1).flatMap(convert) }
  }
}

extension KeyKind {
  /// A text that `parse` checks and converts.
  static func parsed(_ words: String, _ parse: @escaping @Sendable (String) throws -> Value) -> KeyKind {
    KeyKind(words: words) { $0.parsed($1, parse) }
  }

  static func word(_ words: [(String, Value)]) -> KeyKind where Value: Sendable {
    let names = words.map(\.0)
    return KeyKind(
      words: names.map { "`\"\($0)\"`" }.joined(separator: names.count == 2 ? " or " : ", ")
    ) {
      let name = $0.choice($1, among: names)
      return words.first { $0.0 == name }?.1
    }
  }

  func named(_ words: String) -> KeyKind { KeyKind(words: words, tables: tables, read: read) }

  static func table(_ table: KeyTable<Value>) -> KeyKind where Value: Sendable {
    KeyKind(words: "a table", tables: [table.manual]) { $0.table($1) { table.value(&$0) } }
  }

  static func tables<Element: Sendable>(_ table: KeyTable<Element>) -> KeyKind where Value == [Element] {
    KeyKind(words: "an array of tables", tables: [table.manual]) { $0.tables($1) { table.value(&$0) } }
  }
}

extension KeyKind where Value: RawRepresentable<String> & CaseIterable & Sendable {
  static var choice: KeyKind { .word(Value.allCases.map { ($0.rawValue, $0) }) }
}

extension KeyKind<Bool> {
  static var bool: KeyKind { KeyKind(words: "`true` or `false`") { $0.bool($1) } }
}

extension KeyKind<Int> {
  static func integer(_ range: ClosedRange<Int>) -> KeyKind {
    KeyKind(words: "\(range.lowerBound) to \(range.upperBound)") { $0.integer($1, in: range) }
  }
}

extension KeyKind<[Int]> {
  static func integers(_ range: ClosedRange<Int>) -> KeyKind {
    KeyKind(words: "a list of numbers") { $0.integers($1, in: range) }
  }
}

extension KeyKind<Duration> {
  static func duration(_ range: ClosedRange<Duration>) -> KeyKind {
    KeyKind(words: "a duration") { $0.duration($1, in: range) }
  }
}

extension KeyKind<String> {
  static var text: KeyKind { KeyKind(words: "a string") { $0.string($1) } }
  static var name: KeyKind { KeyKind(words: "a name") { $0.string($1) } }
}

extension KeyKind<[String]> {
  static var texts: KeyKind { KeyKind(words: "a list of strings") { $0.strings($1).map(\.text) } }
  static var hosts: KeyKind { KeyKind(words: "a list of hosts") { $0.hosts($1) } }
}

extension KeyKind<JSONPath> {
  static var path: KeyKind { KeyKind.parsed("a path") { try JSONPath($0) } }
}

extension KeyKind<ValueExpression> {
  /// A value of a response.
  static var response: KeyKind { KeyKind(words: "an expression") { $0.expression($1) } }
  /// A value of a row, whose templates may refer to options.
  static var row: KeyKind { KeyKind(words: "an expression") { $0.expression($1, placing: $0.scope.options) } }
}

extension ValueExpression {
  /// For a required expression that is missing.
  static let none = ValueExpression([])
}

/// The description of a table for the manual.
struct TableManual: Sendable {
  /// `[input]`, `[[columns]]`.
  let title: String
  let meaning: String
  let keys: [KeyManual]

  /// This table and all tables in it.
  var all: [TableManual] { [self] + keys.flatMap { $0.tables.flatMap(\.all) } }
}

/// The description of a key for the manual.
struct KeyManual: Sendable {
  let name: String
  /// What it may contain.
  let kind: String
  let meaning: String
  /// The tables it contains.
  var tables: [TableManual] = []
  /// The keys it is listed with, after the title of the table; nil for those that apply to the whole table.
  var group: String?

  init(
    _ name: String, _ kind: String, _ meaning: String, tables: [TableManual] = [], group: String? = nil
  ) {
    self.name = name
    self.kind = kind
    self.meaning = meaning
    self.tables = tables
    self.group = group
  }
}
