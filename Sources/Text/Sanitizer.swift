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
