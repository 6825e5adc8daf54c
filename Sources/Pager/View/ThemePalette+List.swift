import Text

extension ThemePalette {
  /// For dark grounds.
  package static let dark = ThemePalette(
    name: "dark",
    looks: [
      .accent: Look(14, 80, .rgb(95, 215, 215)), .header: Look(nil, nil, nil, [.bold]),
      .selected: Look(14, 80, .rgb(95, 215, 215), [.bold]), .dim: Look(8, 245, .rgb(138, 138, 138)),
      .error: Look(9, 203, .rgb(255, 95, 95)), .warning: Look(11, 221, .rgb(255, 215, 95)),
      .success: Look(10, 114, .rgb(135, 215, 135)), .match: Look(11, 221, .rgb(255, 215, 95), [.reverse]),
    ])

  /// For light grounds.
  package static let light = ThemePalette(
    name: "light",
    looks: [
      .accent: Look(6, 30, .rgb(0, 120, 130)), .header: Look(nil, nil, nil, [.bold]),
      .selected: Look(6, 30, .rgb(0, 120, 130), [.bold]), .dim: Look(8, 243, .rgb(110, 110, 110)),
      .error: Look(1, 124, .rgb(175, 0, 0)), .warning: Look(3, 130, .rgb(160, 90, 0)),
      .success: Look(2, 28, .rgb(0, 120, 0)), .match: Look(3, 130, .rgb(160, 90, 0), [.reverse]),
    ])

  /// For any ground: the terminal's own sixteen colours, nothing set in white or black.
  package static let plain = ThemePalette(
    name: "plain",
    looks: [
      .accent: Look(6), .header: Look(nil, nil, nil, [.bold]), .selected: Look(6, nil, nil, [.bold]),
      .dim: Look(nil, nil, nil, [.dim]), .error: Look(1), .warning: Look(3), .success: Look(2),
      .match: Look(nil, nil, nil, [.reverse]),
    ])
}
