package import Text

/// How a role is drawn, on each kind of terminal: `cyan 80 #5fd7d7 bold`.
package struct RoleLook: Sendable, Hashable {
  /// 0…15 of the terminal's own scheme; nil is the terminal's colour.
  package private(set) var sixteen: UInt8?
  /// 16…255 of the 256.
  package private(set) var indexed: UInt8?
  /// Red, green and blue.
  package private(set) var direct: Color?
  package private(set) var attributes: Style.Attributes = []

  static let expectation = #"words like "cyan 80 #5fd7d7 bold", or "plain""#
  private static let plain = "plain"

  /// Words in any order, each kind of colour at most once; `plain` stands alone, for neither colour nor
  /// attribute.
  init(_ text: String) throws(ValueProblem) {
    let words = text.split(separator: " ").map(String.init)
    guard !words.isEmpty else { throw ValueProblem("expected \(Self.expectation), found no word") }
    if words == [Self.plain] { return }
    for word in words { try add(word) }
  }

  /// The same as words, in the order of the terminals' abilities.
  package var words: String {
    var words = [sixteen.map { Self.names[Int($0)] }, indexed.map(String.init)].compactMap(\.self)
    if case .rgb(let red, let green, let blue)? = direct {
      words.append("#" + [red, green, blue].map { String(Int($0) + 256, radix: 16).dropFirst() }.joined())
    }
    words += Self.attributes.filter { attributes.contains($0.value) }.map(\.name)
    return words.isEmpty ? Self.plain : words.joined(separator: " ")
  }

  private mutating func add(_ word: String) throws(ValueProblem) {
    if let attribute = Self.attributes.first(where: { $0.name == word }) {
      attributes.insert(attribute.value)
    } else if let index = Self.names.firstIndex(of: word) {
      try Self.put(UInt8(index), in: &sixteen, "a name", word)
    } else if word.hasPrefix("#") {
      try Self.put(Self.direct(word), in: &direct, "#rrggbb", word)
    } else if let number = Int(word) {
      try Self.put(Self.indexed(number), in: &indexed, "a number", word)
    } else {
      throw Self.unknown(word)
    }
  }

  private static func put<Value>(
    _ value: Value, in place: inout Value?, _ kind: String, _ word: String
  ) throws(ValueProblem) {
    if place != nil {
      throw ValueProblem("expected one color by \(kind), found a second: \(Wording.quoted(word))")
    }
    place = value
  }

  private static func direct(_ word: String) throws(ValueProblem) -> Color {
    let digits = word.utf8.dropFirst().compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == 6, word.utf8.count == 7 else {
      throw ValueProblem("expected a color like \"#5fd7d7\", found \(Wording.quoted(word))")
    }
    let bytes = [0, 2, 4].map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    return .rgb(bytes[0], bytes[1], bytes[2])
  }

  private static func indexed(_ number: Int) throws(ValueProblem) -> UInt8 {
    if let index = UInt8(exactly: number), index >= 16 { return index }
    let advice = names.indices.contains(number) ? "; its name is \"\(names[number])\"" : ""
    throw ValueProblem("expected the number of a color from 16 to 255, found \(number)\(advice)")
  }

  private static func unknown(_ word: String) -> ValueProblem {
    if word == plain { return ValueProblem("expected \"plain\" to stand alone, found other words beside it") }
    let near = NearestName.nearest(to: word, among: names + attributes.map(\.name) + [plain]).first
    let advice = near.map { "did you mean \"\($0)\"?" } ?? "colors are \(names.joined(separator: ", "))"
    return ValueProblem("expected \(expectation), found \(Wording.quoted(word)); \(advice)")
  }

  private static let names = basicNames + basicNames.map { "bright-\($0)" }
  private static let basicNames = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]

  private static let attributes: [(name: String, value: Style.Attributes)] = [
    ("bold", .bold), ("dim", .dim), ("italic", .italic), ("underline", .underline), ("reverse", .reverse),
  ]
}
