/// A complete control sequence, `CSI prefix parameters intermediates final` (ECMA-48 5.4).
struct CSISequence {
  /// One of `<=>?`, or nil.
  let prefix: UInt8?
  /// Parameters, each with its sub-parameters; an empty one is nil.
  let parameters: [[Int?]]
  let intermediates: [UInt8]
  let final: UInt8

  /// - Parameter body: The bytes between CSI and `final`, each 0x20…0x3F.
  /// - Returns: Nil if a number has more than seven digits.
  init?(_ body: [UInt8], final: UInt8) {
    let prefix = body.first.flatMap { (UInt8(ascii: "<")...UInt8(ascii: "?")).contains($0) ? $0 : nil }
    let rest = body.dropFirst(prefix == nil ? 0 : 1)
    let numbers = rest.prefix { $0 >= UInt8(ascii: "0") }
    guard let parameters = CSISequence.parameters(numbers) else { return nil }
    self.prefix = prefix
    self.parameters = parameters
    self.intermediates = Array(rest.dropFirst(numbers.count))
    self.final = final
  }

  /// A sub-parameter of a parameter; nil if it is missing or empty.
  func number(_ index: Int, sub: Int = 0) -> Int? {
    guard index < parameters.count, sub < parameters[index].count else { return nil }
    return parameters[index][sub]
  }

  func `is`(_ final: Character, prefix: Character? = nil, intermediates: String = "") -> Bool {
    self.final == final.asciiValue && self.prefix == prefix?.asciiValue
      && self.intermediates.elementsEqual(intermediates.utf8)
  }

  var beginsPaste: Bool { self.is("~") && number(0) == 200 }

  var input: Input? {
    if let answer = Answer(self) { return .answer(answer) }
    if let mouse = Mouse(self) { return .mouse(mouse) }
    if self.is("I"), parameters.isEmpty { return .focus(true) }
    if self.is("O"), parameters.isEmpty { return .focus(false) }
    return Key(self).map(Input.key)
  }

  private static func parameters(_ bytes: ArraySlice<UInt8>) -> [[Int?]]? {
    if bytes.isEmpty { return [] }
    var parameters: [[Int?]] = []
    for parameter in bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false) {
      var subs: [Int?] = []
      for digits in parameter.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false) {
        guard digits.count <= 7, digits.allSatisfy({ $0 <= UInt8(ascii: "9") }) else { return nil }
        subs.append(digits.isEmpty ? nil : digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
      }
      parameters.append(subs)
    }
    return parameters
  }
}
