/// Rewrites UTF-8 so that no scalar can control a terminal or be invisible to a reader.
///
/// In addition to the verdict on each scalar, limits the scalars without a column to eight per base, and
/// keeps joiners and variation selectors only inside an emoji. One pass, O(n).
struct Sanitizer {
  /// The replacement for a scalar that is not kept.
  enum Substitution {
    /// A space, a control picture, U+FFFD, or nothing.
    case marks
    /// A `\u` escape, for JSON text. Between tokens, a line feed is kept; tab and carriage return become
    /// spaces.
    case jsonEscapes
  }

  private static let mostMarks = 8

  private let substitution: Substitution
  private(set) var output: [UInt8] = []
  private var previous: UInt32 = 0
  private var marks = 0
  private var emojiIsOpen = false
  private var joinerIsPending = false

  init(_ substitution: Substitution, capacity: Int) {
    self.substitution = substitution
    output.reserveCapacity(capacity)
  }

  /// Processes the whole input, which must be valid UTF-8.
  mutating func consume(_ input: Span<UInt8>) {
    var offset = 0
    while offset < input.count {
      let plain = input.printableASCII(from: offset)
      if plain.isEmpty {
        let (scalar, length) = input.scalar(at: offset)
        consume(scalar)
        offset += length
      } else {
        keepASCII(input.extracting(plain))
        offset = plain.upperBound
      }
    }
    settleJoiner(before: nil)
  }

  private mutating func keepASCII(_ run: Span<UInt8>) {
    settleJoiner(before: nil)
    run.withUnsafeBufferPointer { output.append(contentsOf: $0) }
    previous = UInt32(run[run.count - 1])
    marks = 0
    emojiIsOpen = false
  }

  private mutating func consume(_ scalar: UInt32) {
    switch ScalarVerdict(scalar) {
    case .kept: keep(scalar)
    case .emojiJoiner where emojiIsOpen && !joinerIsPending: joinerIsPending = true
    case .emojiVariation where emojiCanVary: keep(scalar)
    case .space: substitute(scalar, by: 0x20)
    case .picture(let picture): substitute(scalar, by: picture)
    case .replacement: substitute(scalar, by: 0xFFFD)
    case .dropped, .emojiJoiner, .emojiVariation: substitute(scalar, by: nil)
    }
  }

  private var emojiCanVary: Bool {
    let base = CellWidth[previous]
    return base.clusterBreak == .pictograph || base.isWidenedByVariation
  }

  private mutating func keep(_ scalar: UInt32) {
    let traits = CellWidth[scalar]
    settleJoiner(before: traits.clusterBreak)
    marks = traits.isZeroWidth ? marks + 1 : 0
    guard marks <= Self.mostMarks else { return substitute(scalar, by: nil) }
    if output.isEmpty && traits.joinsAnyBase { output.append(scalar: 0x25CC) }  // its base: ◌
    output.append(scalar: scalar)
    previous = scalar
    switch traits.clusterBreak {
    case .pictograph: emojiIsOpen = true
    case .extend, .linker, .skinTone, .nonJoiner: break
    default: emojiIsOpen = false
    }
  }

  /// Keeps a joiner if the scalar after it is an emoji too.
  private mutating func settleJoiner(before next: ClusterBreak?) {
    guard joinerIsPending else { return }
    joinerIsPending = false
    if next == .pictograph { output.append(scalar: 0x200D) } else { substitute(0x200D, by: nil) }
  }

  private mutating func substitute(_ scalar: UInt32, by mark: UInt32?) {
    switch substitution {
    case .jsonEscapes: appendEscape(of: scalar)
    case .marks: if let mark { append(mark: mark, for: scalar) }
    }
  }

  private mutating func append(mark: UInt32, for scalar: UInt32) {
    settleJoiner(before: nil)
    let endsReturn = scalar == 0x0A && previous == 0x0D
    if !endsReturn { output.append(scalar: mark) }
    (previous, marks, emojiIsOpen) = (scalar, 0, false)
  }

  private mutating func appendEscape(of scalar: UInt32) {
    settleJoiner(before: nil)
    switch scalar {
    case 0x0A: output.append(0x0A)
    case 0x09, 0x0D: output.append(0x20)
    default: output.append(jsonEscapeOf: scalar)
    }
    (previous, emojiIsOpen) = (scalar, false)
  }
}

extension Span<UInt8> {
  /// The longest range of bytes in 0x20...0x7E that begins at an offset.
  fileprivate func printableASCII(from start: Int) -> Range<Int> {
    var end = start
    while end < count && self[end] &- 0x20 <= 0x5E { end += 1 }
    return start..<end
  }
}

/// How the sanitizer treats a scalar, regardless of its context.
enum ScalarVerdict {
  case kept
  /// Layout: becomes a space.
  case space
  /// A control character: becomes a control picture, U+2400 ff.
  case picture(UInt32)
  /// Cannot be displayed: becomes U+FFFD.
  case replacement
  /// Invisible: removed.
  case dropped
  /// Kept inside an emoji, otherwise removed: U+200D, and the variation selectors U+FE0E and U+FE0F.
  case emojiJoiner
  case emojiVariation

  init(_ scalar: UInt32) {
    switch scalar {
    case 0x20..<0x7F: self = .kept
    case 0x09, 0x0A, 0x0D: self = .space
    case 0x00..<0x20: self = .picture(0x2400 + scalar)
    case 0x7F: self = .picture(0x2421)
    case 0x80..<0xA0: self = .replacement
    case 0x200D: self = .emojiJoiner
    case 0xFE0E, 0xFE0F: self = .emojiVariation
    case 0x2028, 0x2029: self = .space
    case _ where Self.isIgnorable(scalar): self = .dropped
    // Interlinear annotations.
    case 0xFFF9...0xFFFB: self = .dropped
    case 0xFDD0...0xFDEF: self = .replacement
    // Noncharacters: these and the last two of each plane.
    case _ where scalar & 0xFFFE == 0xFFFE: self = .replacement
    default: self = .kept
    }
  }

  /// Default_Ignorable_Code_Point of Unicode 17 (DerivedCoreProperties.txt): soft hyphen, fillers, joiners,
  /// format controls, variation selectors, bidirectional controls, tags, and the code points reserved for
  /// such characters.
  private static func isIgnorable(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0xAD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F: true
    case 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0x3164: true
    case 0xFE00...0xFE0F, 0xFEFF, 0xFFA0, 0xFFF0...0xFFF8: true
    case 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF: true
    default: false
    }
  }
}

extension Sanitized {
  /// JSON text that is safe to show on a terminal and still valid JSON: scalars that a `Sanitized` would not
  /// contain (control characters, U+007F to U+009F, bidirectional and invisible characters, the ninth
  /// combining mark) are written as `\u` escapes.
  ///
  /// - Parameter json: Valid JSON in UTF-8; bytes that are not UTF-8 become U+FFFD. Line feeds between tokens
  ///   are unchanged, tabs and carriage returns there become spaces.
  /// - Complexity: O(n).
  @inlinable
  package static func escapedJSON(_ json: some Sequence<UInt8>) -> [UInt8] {
    escapedJSON(text: String(decodingUTF8: json))
  }

  @usableFromInline
  static func escapedJSON(text: String) -> [UInt8] {
    var sanitizer = Sanitizer(.jsonEscapes, capacity: text.utf8.count)
    sanitizer.consume(text.utf8Span.span)
    return sanitizer.output
  }
}
