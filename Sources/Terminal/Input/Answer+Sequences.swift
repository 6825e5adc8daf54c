extension Answer {
  init?(_ csi: CSISequence) {
    if csi.is("c", prefix: "?") {
      self = .deviceAttributes(csi.parameters.compactMap { $0.first ?? nil })
    } else if csi.is("u", prefix: "?"), let flags = csi.number(0) {
      self = .keyboardFlags(flags)
    } else if csi.is("y", prefix: "?", intermediates: "$"), let mode = csi.number(0),
      let state = csi.number(1).flatMap(ModeState.init(rawValue:))
    {
      self = .mode(mode, state)
    } else if csi.is("t"), csi.number(0) == 6, let height = csi.number(1), let width = csi.number(2) {
      self = .cellSize(width: width, height: height)
    } else if csi.is("R"), let row = csi.number(0), row > 1, let column = csi.number(1), column > 0 {
      self = .cursor(column: column - 1, row: row - 1)
    } else if csi.is("n", prefix: "?"), csi.number(0) == 997, let preference = csi.number(1) {
      self = .prefersDark(preference == 1)
    } else {
      return nil
    }
  }

  /// - Parameter introducer: The byte after Esc: `]` for an operating system command, `P` for a device
  ///   control string.
  init?(string: [UInt8], introducer: UInt8) {
    let text = Substring(decoding: string, as: UTF8.self)
    if introducer == UInt8(ascii: "P"), text.hasPrefix(">|") {
      self = .version(String(text.dropFirst(2)))
    } else if introducer == UInt8(ascii: "]"), text.hasPrefix("11;"),
      let (r, g, b) = Answer.color(text.dropFirst(3))
    {
      self = .background(r, g, b)
    } else {
      return nil
    }
  }

  /// `rgb:R/G/B` or `rgba:R/G/B/A`, each of one to four hexadecimal digits (XParseColor).
  private static func color(_ text: Substring) -> (UInt8, UInt8, UInt8)? {
    guard let colon = text.firstIndex(of: ":"), ["rgb", "rgba"].contains(text[..<colon]) else { return nil }
    let parts = text[text.index(after: colon)...].split(separator: "/", omittingEmptySubsequences: false)
    let values = parts.compactMap { digits -> UInt8? in
      guard (1...4).contains(digits.utf8.count), let value = UInt32(digits, radix: 16) else { return nil }
      let largest: UInt32 = (1 << (4 * UInt32(digits.utf8.count))) - 1
      return UInt8(value * 255 / largest)
    }
    guard values.count == parts.count, values.count >= 3 else { return nil }
    return (values[0], values[1], values[2])
  }
}
