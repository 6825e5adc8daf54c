internal import Text

/// The number of colors the terminal supports.
package enum ColorDepth: Hashable, Sendable {
  /// Colors are omitted, other attributes remain (no-color.org).
  case monochrome
  case sixteen
  case indexed
  case direct

  /// The SGR parameters of a style, joined by `;`, or empty for a plain one. Colors are reduced to this
  /// depth.
  func parameters(of style: Style) -> String {
    let attributes = ColorDepth.attributeCodes.filter { style.attributes.contains($0.0) }.map(\.1)
    let foreground = style.foreground.flatMap { code(of: $0, isBackground: false) }
    let background = style.background.flatMap { code(of: $0, isBackground: true) }
    return (attributes + [foreground, background].compactMap(\.self)).joined(separator: ";")
  }

  private static let attributeCodes: [(Style.Attributes, String)] = [
    (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7"),
  ]

  private func code(of color: Color, isBackground: Bool) -> String? {
    switch (self, color) {
    case (.monochrome, _): nil
    case (.direct, .rgb(let red, let green, let blue)): "\(isBackground ? 48 : 38);2;\(red);\(green);\(blue)"
    case (.sixteen, _): ColorDepth.code(Palette.sixteen(color), isBackground)
    case (.indexed, _), (.direct, .indexed): ColorDepth.code(Palette.indexed(color), isBackground)
    }
  }

  private static func code(_ index: UInt8, _ isBackground: Bool) -> String {
    if index >= 16 { return "\(isBackground ? 48 : 38);5;\(index)" }
    return String(Int(index) + (index < 8 ? 30 : 82) + (isBackground ? 10 : 0))
  }
}

/// xterm's colors: 16 named ones (whose values the user configures), a 6×6×6 cube, and 24 grays.
enum Palette {
  private typealias RGB = (red: Int, green: Int, blue: Int)

  /// The nearest of the 256 colors.
  static func indexed(_ color: Color) -> UInt8 {
    switch color {
    case .indexed(let index): return index
    case .rgb(let red, let green, let blue):
      let rgb = (Int(red), Int(green), Int(blue))
      let cube = 16 + 36 * cubeLevel(rgb.0) + 6 * cubeLevel(rgb.1) + cubeLevel(rgb.2)
      let gray = 232 + min(23, max(0, ((rgb.0 + rgb.1 + rgb.2) / 3 - 3) / 10))
      return UInt8(distance(rgb, values(gray)) < distance(rgb, values(cube)) ? gray : cube)
    }
  }

  /// The nearest of the 16 colors.
  static func sixteen(_ color: Color) -> UInt8 {
    let index = indexed(color)
    if index < 16 { return index }
    let rgb =
      switch color {
      case .indexed(let index): values(Int(index))
      case .rgb(let red, let green, let blue): (red: Int(red), green: Int(green), blue: Int(blue))
      }
    return UInt8((0..<16).min { distance(rgb, values($0)) < distance(rgb, values($1)) } ?? 7)
  }

  private static let cubeLevels = [0, 95, 135, 175, 215, 255]

  private static func cubeLevel(_ value: Int) -> Int { value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40 }

  private static func values(_ index: Int) -> RGB {
    switch index {
    case 7: return (229, 229, 229)
    case 8: return (127, 127, 127)
    case 0..<16:
      let level = index < 8 ? 205 : 255
      return (index & 1 == 0 ? 0 : level, index & 2 == 0 ? 0 : level, index & 4 == 0 ? 0 : level)
    case 232...:
      let level = 8 + (index - 232) * 10
      return (level, level, level)
    default:
      let cube = index - 16
      return (cubeLevels[cube / 36], cubeLevels[cube / 6 % 6], cubeLevels[cube % 6])
    }
  }

  private static func distance(_ a: RGB, _ b: RGB) -> Int {
    let (red, green, blue) = (a.red - b.red, a.green - b.green, a.blue - b.blue)
    return red * red + green * green + blue * blue
  }
}
