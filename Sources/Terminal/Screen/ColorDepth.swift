internal import Text

/// The number of colors the terminal supports.
package enum ColorDepth: Hashable, Sendable {
  /// Colors are omitted, other attributes are kept (no-color.org).
  case monochrome
  case sixteen
  case indexed
  case direct
}

extension ColorDepth {
  /// The SGR parameters of a style, joined by `;`, or empty for a plain one. Colors are reduced to this
  /// depth.
  func parameters(of style: Style) -> String {
    var parameters: [String] = []
    for (attribute, code) in ColorDepth.attributeCodes where style.attributes.contains(attribute) {
      parameters.append(code)
    }
    if let color = style.foreground, let code = code(of: color, isBackground: false) {
      parameters.append(code)
    }
    if let color = style.background, let code = code(of: color, isBackground: true) {
      parameters.append(code)
    }
    return parameters.joined(separator: ";")
  }

  private static let attributeCodes: [(Style.Attributes, String)] = [
    (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7"), (.strikethrough, "9"),
  ]

  private func code(of color: Color, isBackground: Bool) -> String? {
    switch self {
    case .monochrome: nil
    case .sixteen: ColorDepth.sixteenCode(Palette.sixteen(color), isBackground)
    case .indexed: ColorDepth.indexedCode(Palette.indexed(color), isBackground)
    case .direct:
      switch color {
      case .indexed(let index): ColorDepth.indexedCode(index, isBackground)
      case .rgb(let red, let green, let blue): "\(isBackground ? 48 : 38);2;\(red);\(green);\(blue)"
      }
    }
  }

  private static func indexedCode(_ index: UInt8, _ isBackground: Bool) -> String {
    index < 16 ? sixteenCode(index, isBackground) : "\(isBackground ? 48 : 38);5;\(index)"
  }

  private static func sixteenCode(_ index: UInt8, _ isBackground: Bool) -> String {
    String(Int(index) + (index < 8 ? 30 : 82) + (isBackground ? 10 : 0))
  }
}
