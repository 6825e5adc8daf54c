/// Whether the terminal draws on a dark or a light ground.
package enum Background: String, Hashable, Sendable {
  case dark, light

  /// By the colour's luma (ITU-R BT.709): from the middle on it is light.
  init(red: UInt8, green: UInt8, blue: UInt8) {
    let luma = 2_126 * Int(red) + 7_152 * Int(green) + 722 * Int(blue)
    self = luma < 128 * 10_000 ? .dark : .light
  }
}
