/// Whether the terminal's background is dark or light.
package enum Background: String, Hashable, Sendable {
  case dark, light

  /// Light from half of the maximum luma on (ITU-R BT.709).
  init(red: UInt8, green: UInt8, blue: UInt8) {
    let luma = 2_126 * Int(red) + 7_152 * Int(green) + 722 * Int(blue)
    self = luma < 128 * 10_000 ? .dark : .light
  }
}
