import Text

extension ThemePalette {
  /// For dark backgrounds.
  package static let dark = ThemePalette(
    name: "dark",
    styles: [
      .accent: DepthStyle(14, 80, .rgb(95, 215, 215)), .header: DepthStyle([.bold]),
      .selected: DepthStyle(on: Shade(nil, 238, .rgb(58, 68, 96))),
      .dim: DepthStyle(8, 247, .rgb(158, 158, 158)),
      .error: DepthStyle(9, 210, .rgb(255, 135, 135)), .warning: DepthStyle(11, 221, .rgb(255, 215, 95)),
      .success: DepthStyle(10, 114, .rgb(135, 215, 135)),
      .match: DepthStyle(11, 221, .rgb(255, 215, 95), [.reverse]),
    ])

  /// For light backgrounds.
  package static let light = ThemePalette(
    name: "light",
    styles: [
      .accent: DepthStyle(6, 24, .rgb(0, 100, 115)), .header: DepthStyle([.bold]),
      .selected: DepthStyle(on: Shade(nil, 252, .rgb(200, 214, 236))),
      .dim: DepthStyle(8, 241, .rgb(98, 98, 98)),
      .error: DepthStyle(1, 124, .rgb(175, 0, 0)), .warning: DepthStyle(3, 94, .rgb(140, 80, 0)),
      .success: DepthStyle(2, 22, .rgb(0, 100, 0)), .match: DepthStyle(3, 94, .rgb(140, 80, 0), [.reverse]),
    ])

  /// For any background: the terminal's sixteen colors, without white or black text.
  package static let plain = ThemePalette(
    name: "plain",
    styles: [
      .accent: DepthStyle(6), .header: DepthStyle([.bold]), .selected: DepthStyle([.reverse]),
      .dim: DepthStyle([.dim]),
      .error: DepthStyle(1), .warning: DepthStyle(3), .success: DepthStyle(2), .match: DepthStyle([.reverse]),
    ])
}

extension ThemePalette.DepthStyle {
  fileprivate init(_ attributes: Style.Attributes) { self.init(.none, attributes) }
}
