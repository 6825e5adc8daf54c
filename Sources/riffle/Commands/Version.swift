import Text

enum Version {
  static let number = "0.1.0"

  /// With the version of the Unicode data that widths are made from.
  static let text = "riffle \(number) (Unicode \(CellWidth.unicodeVersion))"
}
