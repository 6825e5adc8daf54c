import Text

/// The version of the program.
enum Version {
  static let number = "0.1.0"

  /// The program's version and the Unicode version of its width data.
  static let text = "riffle \(number) (Unicode \(CellWidth.unicodeVersion))"
}
