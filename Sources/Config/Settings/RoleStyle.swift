package import Text

/// The notation of a style in settings: `cyan 80 #5fd7d7 bold`, `white on 238 #3a4460`.
extension RoleStyle {
  static let expectation = #"words like "cyan 80 #5fd7d7 bold", or "plain""#
  private static let plain = "plain"
  private static let on = "on"

  /// Parses words in any order; those after `on` are for the background. Each kind of color may occur at most
  /// once for the foreground and once for the background. `plain`, for no color or attribute, must be the
  /// only word.
  init(_ text: String) throws(ValueFormatError) {
    let words = text.split(separator: " ").map(String.init)
    guard !words.isEmpty else {
      throw ValueFormatError("expected \(Self.expectation), found an empty string")
    }
    self.init()
    if words == [Self.plain] { return }
    let parts = words.split(separator: Self.on, maxSplits: 1, omittingEmptySubsequences: false)
    for word in parts[0] { try Self.add(word, to: &foreground, &attributes) }
    guard parts.count == 2 else { return }
    guard !parts[1].isEmpty else { throw ValueFormatError("expected a color after \"on\", found nothing") }
    for word in parts[1] { try Self.add(word, to: &background, &attributes) }
  }

  /// The style as words, ordered by color depth.
  package var words: String {
    let marks = Self.attributeNames.filter { attributes.contains($0.value) }.map(\.name)
    let fill = Self.words(background)
    let words = Self.words(foreground) + marks + (fill.isEmpty ? [] : [Self.on] + fill)
    return words.isEmpty ? Self.plain : words.joined(separator: " ")
  }

  private static func words(_ shade: Shade) -> [String] {
    var words = [shade.sixteen.map { names[Int($0)] }, shade.indexed.map(String.init)].compactMap(\.self)
    if case .rgb(let red, let green, let blue)? = shade.direct {
      words.append("#" + [red, green, blue].map { String(Int($0) + 256, radix: 16).dropFirst() }.joined())
    }
    return words
  }

  private static func add(
    _ word: String, to shade: inout Shade, _ attributes: inout Style.Attributes
  ) throws(ValueFormatError) {
    if let attribute = attributeNames.first(where: { $0.name == word }) {
      attributes.insert(attribute.value)
    } else if let index = names.firstIndex(of: word) {
      try put(UInt8(index), in: &shade.sixteen, "a name", word)
    } else if word.hasPrefix("#") {
      try put(direct(word), in: &shade.direct, "#rrggbb", word)
    } else if let number = Int(word) {
      try put(indexed(number), in: &shade.indexed, "a number", word)
    } else {
      throw unknown(word)
    }
  }

  private static func put<Value>(
    _ value: Value, in place: inout Value?, _ kind: String, _ word: String
  ) throws(ValueFormatError) {
    if place != nil {
      throw ValueFormatError("expected one color given by \(kind), found a second: \(Wording.quoted(word))")
    }
    place = value
  }

  private static func direct(_ word: String) throws(ValueFormatError) -> Color {
    let digits = word.utf8.dropFirst().compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == 6, word.utf8.count == 7 else {
      throw ValueFormatError("expected a color like \"#5fd7d7\", found \(Wording.quoted(word))")
    }
    let bytes = [0, 2, 4].map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    return .rgb(bytes[0], bytes[1], bytes[2])
  }

  private static func indexed(_ number: Int) throws(ValueFormatError) -> UInt8 {
    if let index = UInt8(exactly: number), index >= 16 { return index }
    let advice = names.indices.contains(number) ? ". Use its name, \"\(names[number])\"" : ""
    throw ValueFormatError("expected a color number from 16 to 255, found \(number)\(advice)")
  }

  private static func unknown(_ word: String) -> ValueFormatError {
    if word == plain { return ValueFormatError("expected \"plain\" alone, found other words with it") }
    let words = names + attributeNames.map(\.name) + [plain, on]
    let advice = Wording.nearestName(to: word, among: words) ?? "Colors are \(names.joined(separator: ", "))"
    return ValueFormatError("expected \(expectation), found \(Wording.quoted(word)). \(advice)")
  }

  private static let names = basicNames + basicNames.map { "bright-\($0)" }
  private static let basicNames = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]

  private static let attributeNames: [(name: String, value: Style.Attributes)] = [
    ("bold", .bold), ("dim", .dim), ("italic", .italic), ("underline", .underline), ("reverse", .reverse),
  ]
}
