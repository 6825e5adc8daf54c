import Text

extension Target {
  static let sanitizer = Target(
    name: "sanitizer", summary: "text for a screen: no control in it, and never wider than it says"
  ) { bytes in
    let text = Sanitized(utf8: bytes)
    for scalar in text.string.unicodeScalars {
      let isControl = scalar.value < 0x20 || 0x7F..<0xA0 ~= scalar.value
      let isBidi = 0x202A...0x202E ~= scalar.value || 0x2066...0x2069 ~= scalar.value
      hold(!isControl && !isBidi, "no control is left: U+\(String(scalar.value, radix: 16))")
    }
    for model in [WidthModel.clusters, .codePoints] {
      let width = text.width(model)
      for columns in [0, 1, 2, 7, 80] {
        let fitted = text.fitted(to: columns, .leading, model)
        hold(fitted.width(model) == columns, "a fitted text takes \(columns)")
        hold(text.prefix(columns: columns, model).width(model) <= columns, "a prefix fits \(columns)")
        if columns >= width {
          hold(fitted.string.utf8.starts(with: text.string.utf8), "a text that fits stays")
        }
      }
      for line in text.wrapped(to: 9, model) {
        hold(
          line.width(model) <= 9 || line.clusters(model).filter { $0.width > 0 }.count == 1,
          "a wrapped line fits: \(line.string.debugDescription) takes \(line.width(model)) in \(model)")
      }
    }
  }
}
