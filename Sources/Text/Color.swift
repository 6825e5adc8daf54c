/// A colour of a terminal.
package enum Color: Sendable, Hashable {
  /// 0 to 15: the sixteen colours of the user's own scheme; 16 to 255: the cube and the greys of the
  /// 256-colour palette.
  case indexed(UInt8)
  /// Red, green and blue.
  case rgb(UInt8, UInt8, UInt8)
}
