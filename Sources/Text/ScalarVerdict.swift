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
