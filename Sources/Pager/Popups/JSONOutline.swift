import JSON
import Search
private import Text

/// The indented JSON of a row, whose objects and lists fold.
package struct JSONOutline: Sendable, ExpressibleByArrayLiteral {
  package let lines: [String]
  /// For the first line of an object or a list, the number of its last line; for any other line, its own number.
  private let ends: [Int]
  /// For the last line of an object or a list, the number of its first line; for any other line, that of the first line
  /// of the object or list around it, or its own number.
  private let starts: [Int]
  /// The number of items in each folded object or list, by its first line.
  private var folded: [Int: Int] = [:]
  /// The numbers of the lines that are not folded away.
  private(set) var shown: [Int]

  /// Whether the last lines are missing.
  let isCut: Bool

  /// Creates an outline from lines that are indented by two spaces per level. Long lists are folded.
  ///
  /// - Parameter isCut: Whether the last lines are missing.
  package init(_ lines: [String], isCut: Bool = false) {
    (self.lines, self.isCut) = (lines, isCut)
    var (ends, starts) = (Array(lines.indices), Array(lines.indices))
    var open: [Int] = []
    for (number, line) in lines.enumerated() {
      if let start = open.last { starts[number] = start }
      if Self.closes(line) {
        if let start = open.popLast() { ends[start] = number }
      } else if Self.opens(line) {
        open.append(number)
      }
    }
    for start in open { ends[start] = lines.count - 1 }
    (self.ends, self.starts) = (ends, starts)
    shown = []
    for number in lines.indices where lines[number].utf8.last == UInt8(ascii: "[") {
      let count = items(of: number).count
      if count > Self.maxItems { folded[number] = count }
    }
    show()
  }

  package init(arrayLiteral lines: String...) { self.init(lines) }

  /// The number of items up to which a list is unfolded at first.
  private static let maxItems = 20

  private static func opens(_ line: String) -> Bool {
    line.utf8.last == UInt8(ascii: "{") || line.utf8.last == UInt8(ascii: "[")
  }

  private static func closes(_ line: String) -> Bool {
    let first = line.utf8.first { $0 != UInt8(ascii: " ") }
    return first == UInt8(ascii: "}") || first == UInt8(ascii: "]")
  }

  private static func indent(_ line: String) -> Int { line.utf8.prefix { $0 == UInt8(ascii: " ") }.count }

  private mutating func show() {
    var shown: [Int] = []
    var number = 0
    for start in folded.keys.sorted() where start >= number {
      shown += number...start
      number = ends[start] + 1
    }
    self.shown = shown + (number..<lines.count)
  }

  /// The line on which the value begins that a line belongs to: for the last line of an object or list, its first.
  func start(of number: Int) -> Int {
    Self.closes(lines[number]) ? starts[number] : number
  }

  /// The line of the value at a path or, if it is folded away, or there is none, of the closest one around it.
  func shownLine(at path: JSONPath) -> Int {
    var line = 0
    for step in path.steps {
      guard !isFolded(line), let next = self.line(at: step, in: line) else { break }
      line = next
    }
    return line
  }

  /// The line on which the value at a path begins; nil if there is none.
  func line(at path: JSONPath) -> Int? {
    path.steps.reduce(lines.isEmpty ? nil : 0) { line, step in line.flatMap { self.line(at: step, in: $0) } }
  }

  private func line(at step: JSONPath.Step, in line: Int) -> Int? {
    items(of: line).first { self.step($0.line, $0.place) == step }?.line
  }

  /// The first lines of the members or elements of an object or list.
  private func items(of number: Int) -> [(line: Int, place: Int)] {
    var items: [(line: Int, place: Int)] = []
    var item = number + 1
    while item < ends[number] {
      items.append((item, items.count))
      item = ends[item] + 1
    }
    return items
  }

  private func step(_ line: Int, _ place: Int) -> JSONPath.Step {
    Self.name(lines[line]).map { .member(JSONKey($0)) } ?? .element(place)
  }

  func folds(_ number: Int) -> Bool { ends[number] > number }
  func isFolded(_ number: Int) -> Bool { folded[number] != nil }

  mutating func setFolded(_ isFolded: Bool, _ number: Int) {
    guard folds(number), isFolded != self.isFolded(number) else { return }
    folded[number] = isFolded ? items(of: number).count : nil
    show()
  }

  /// The first line of the object or list around the value that begins on a line; nil around the whole.
  func parent(of start: Int) -> Int? { starts[start] == start ? nil : starts[start] }

  /// The text of a line; of a folded object or list, how many items it has.
  func text(of number: Int) -> String {
    guard let count = folded[number] else { return lines[number] }
    let (open, close) = lines[number].hasSuffix("[") ? ("[", "]") : ("{", "}")
    let comma = lines[ends[number]].hasSuffix(",") ? "," : ""
    let items = Digits.counted(count, open == "[" ? "item" : "field")
    return lines[number].dropLast() + "\(open)\(items)\(close)\(comma)"
  }

  /// The path of the value that a line belongs to.
  func path(of number: Int) -> JSONPath {
    var steps: [JSONPath.Step] = []
    var number = start(of: number)
    while let parent = parent(of: number) {
      let place = items(of: parent).first { $0.line == number }?.place ?? 0
      steps.append(step(number, place))
      number = parent
    }
    return JSONPath(steps: steps.reversed())
  }

  /// The member name at the start of a line; nil for an element of a list.
  private static func name(_ line: String) -> String? {
    guard let end = nameEnd(line) else { return nil }
    let quoted = line[line.index(line.startIndex, offsetBy: indent(line))..<end]
    return (try? JSONDocument(Array(quoted.utf8))).flatMap { $0.text(of: $0.rootNode) }
  }

  /// The end of the member name, before its colon.
  private static func nameEnd(_ line: String) -> String.Index? {
    let bytes = line.utf8
    var index = bytes.index(bytes.startIndex, offsetBy: indent(line))
    guard index < bytes.endIndex, bytes[index] == UInt8(ascii: "\"") else { return nil }
    index = bytes.index(after: index)
    while index < bytes.endIndex, bytes[index] != UInt8(ascii: "\"") {
      index =
        bytes.index(index, offsetBy: bytes[index] == UInt8(ascii: "\\") ? 2 : 1, limitedBy: bytes.endIndex)
        ?? bytes.endIndex
    }
    guard index < bytes.endIndex else { return nil }
    let end = bytes.index(after: index)
    return end < bytes.endIndex && bytes[end] == UInt8(ascii: ":") ? end : nil
  }

  /// The value that a line belongs to: the text of a string, else JSON.
  func value(of number: Int) -> String {
    let value = json(of: number)
    guard value.hasPrefix("\""), let document = try? JSONDocument(Array(value.utf8)) else { return value }
    return document.text(of: document.rootNode) ?? value
  }

  /// The kind of the value that a line belongs to.
  func kind(of number: Int) -> FieldCensus.Kind {
    (try? JSONDocument(Array(json(of: number).utf8))).map { FieldCensus.Kind(of: $0.rootNode, in: $0) }
      ?? .mixed
  }

  private func json(of number: Int) -> String {
    let number = start(of: number)
    let line = lines[number]
    let start = Self.nameEnd(line).map { line.index($0, offsetBy: 2) } ?? line.startIndex
    let rest = ends[number] > number ? lines[(number + 1)...ends[number]].map { $0.drop { $0 == " " } } : []
    var value = ([line[start...].drop { $0 == " " }] + rest).joined(separator: rest.isEmpty ? "" : " ")
    if value.hasSuffix(",") { value.removeLast() }
    return value
  }
}
