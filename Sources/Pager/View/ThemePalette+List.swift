import Text

extension ThemePalette {
  /// For dark backgrounds.
  package static let dark = ThemePalette(
    name: "dark",
    looks: [
      .accent: Look(14, 80, .rgb(95, 215, 215)), .header: Look([.bold]),
      .selected: Look(on: Shade(nil, 238, .rgb(58, 68, 96))), .dim: Look(8, 247, .rgb(158, 158, 158)),
      .error: Look(9, 210, .rgb(255, 135, 135)), .warning: Look(11, 221, .rgb(255, 215, 95)),
      .success: Look(10, 114, .rgb(135, 215, 135)), .match: Look(11, 221, .rgb(255, 215, 95), [.reverse]),
    ])

  /// For light backgrounds.
  package static let light = ThemePalette(
    name: "light",
    looks: [
      .accent: Look(6, 24, .rgb(0, 100, 115)), .header: Look([.bold]),
      .selected: Look(on: Shade(nil, 252, .rgb(200, 214, 236))), .dim: Look(8, 241, .rgb(98, 98, 98)),
      .error: Look(1, 124, .rgb(175, 0, 0)), .warning: Look(3, 94, .rgb(140, 80, 0)),
      .success: Look(2, 22, .rgb(0, 100, 0)), .match: Look(3, 94, .rgb(140, 80, 0), [.reverse]),
    ])

  /// For any background: the terminal's sixteen colors, without white or black text.
  package static let plain = ThemePalette(
    name: "plain",
    looks: [
      .accent: Look(6), .header: Look([.bold]), .selected: Look([.reverse]), .dim: Look([.dim]),
      .error: Look(1), .warning: Look(3), .success: Look(2), .match: Look([.reverse]),
    ])
}

extension ThemePalette.Look {
  fileprivate init(_ attributes: Style.Attributes) { self.init(.none, attributes) }
}
