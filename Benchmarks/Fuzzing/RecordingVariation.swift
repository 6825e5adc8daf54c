/// Makes other recordings of a recording without breaking its JSON: bytes that are changed anywhere seldom stay one.
enum RecordingVariation {
  private static let lineFeed = UInt8(ascii: "\n")

  /// Numbers and texts at which something may end.
  private static let extremes = [
    "-1", "0", "1", "2", "63", "255", "1000000", "2147483646", "2147483647", "2147483648", "4294967296",
    "9007199254740991", "-9007199254740991", "9223372036854775807", "-9223372036854775808",
    "18446744073709551615", "0.5", "1e15", "-1e15", "1e308", "999999999999", "\"inf\"", "\"nan\"", "null",
    "\"\"",
    "[]", "{}", "true", "false", "\"end\"", "\"everything\"", "\"\\u0000\\ud800\"",
    "\"e\\u0301\\u200d\\ufe0f\"",
  ]

  static func vary(_ bytes: inout [UInt8], _ random: inout RandomNumbers) {
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1, 2, 3: replaceValue(in: &bytes, &random)
      case 4: copyValue(in: &bytes, &random)
      default: rearrangeLines(of: &bytes, &random)
      }
    }
  }

  /// Something in place of a number or a text.
  private static func replaceValue(in bytes: inout [UInt8], _ random: inout RandomNumbers) {
    guard let place = value(in: bytes, &random), let other = extremes.randomElement(using: &random) else {
      return
    }
    bytes.replaceSubrange(place, with: other.utf8)
  }

  /// A value in the place of another one: sizes that belong together, positions that are equal.
  private static func copyValue(in bytes: inout [UInt8], _ random: inout RandomNumbers) {
    guard let from = value(in: bytes, &random), let to = value(in: bytes, &random) else { return }
    bytes.replaceSubrange(to, with: Array(bytes[from]))
  }

  /// Where a number or a text stands, in any line but more often behind the first.
  private static func value(
    in bytes: [UInt8], _ random: inout RandomNumbers
  ) -> Range<Int>? {
    let second = bytes.firstIndex(of: lineFeed) ?? 0
    let start = Int.random(in: 0..<4, using: &random) == 0 ? 0 : second
    guard start < bytes.count else { return nil }
    var place = Int.random(in: start..<bytes.count, using: &random)
    while place < bytes.count, !isInNumber(bytes[place]), bytes[place] != UInt8(ascii: "\"") { place += 1 }
    guard place < bytes.count else { return nil }
    var end = place + 1
    if isInNumber(bytes[place]) {
      while place > 0, isInNumber(bytes[place - 1]) { place -= 1 }
      while end < bytes.count, isInNumber(bytes[end]) { end += 1 }
    } else {
      while end < bytes.count, bytes[end] != UInt8(ascii: "\""), bytes[end] != lineFeed { end += 1 }
      end = min(end + 1, bytes.count)
    }
    return place..<end
  }

  private static func isInNumber(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }

  /// A line twice, at another place, or not at all; the first one stays.
  private static func rearrangeLines(of bytes: inout [UInt8], _ random: inout RandomNumbers) {
    var lines = bytes.split(separator: lineFeed, omittingEmptySubsequences: false)
    guard lines.count > 2 else { return }
    let from = Int.random(in: 1..<lines.count, using: &random)
    let to = Int.random(in: 1..<lines.count, using: &random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0: lines.swapAt(from, to)
    case 1: lines.insert(lines[from], at: to)
    default: lines.remove(at: from)
    }
    bytes = Array(lines.joined(separator: CollectionOfOne(lineFeed)))
  }
}
