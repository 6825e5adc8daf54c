/// A terminal color.
package enum Color: Sendable, Hashable {
  /// 0 to 15: the sixteen colors of the user's color scheme; 16 to 255: the color cube and the grays of the
  /// 256-color palette.
  case indexed(UInt8)
  /// Red, green, and blue.
  case rgb(UInt8, UInt8, UInt8)
}
