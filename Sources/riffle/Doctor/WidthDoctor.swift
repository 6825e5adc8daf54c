import Terminal
import Text

/// Checks whether texts occupy as many columns on the terminal as the pager computes.
struct WidthDoctor {
  let probe: TerminalProbe
  /// The value of the setting.
  let ambiguousWidth: Int

  /// A character of ambiguous width, followed by clusters of several code points.
  static let texts = [ambiguous] + clusters
  private static let ambiguous = "±"
  private static let clusters = ["❤️", "👨‍👩‍👧", "🇯🇵", "1️⃣"]

  func results() -> [DoctorCheck] {
    guard probe.wasQueried else { return [] }
    guard let first = probe.widths.first, let width = first else {
      return [.note("the terminal does not report its cursor position: widths are not measured")]
    }
    return [ambiguity(width), measure()]
  }

  private func ambiguity(_ width: Int) -> DoctorCheck {
    if width == ambiguousWidth {
      return .fine("\(Self.ambiguous) is \(Digits.counted(width, "column")) wide")
    }
    return .problem(
      "\(Self.ambiguous) is \(Digits.counted(width, "column")) wide, but the pager counts \(ambiguousWidth)",
      remedy: "set pager.ambiguous_width = \(width == 2 ? 2 : 1) in config.toml")
  }

  private func measure() -> DoctorCheck {
    let measured = Array(probe.widths.dropFirst())
    let table = zip(Self.clusters, measured).map { "\($0) \($1.map(String.init) ?? "?")" }
      .joined(separator: ", ")
    func isMeasure(_ model: WidthModel) -> Bool {
      zip(Self.clusters, measured).allSatisfy { Sanitized($0).width(model) == $1 }
    }
    let counted =
      isMeasure(.clusters)
      ? "graphemes" : isMeasure(.codePoints) ? "code points" : "neither graphemes nor code points"
    if isMeasure(probe.widthModel) {
      return .fine("emoji widths match those of the pager (\(counted): \(table))")
    }
    let assumed = probe.widthModel.measure == .clusters ? "graphemes" : "code points"
    return .note(
      "this terminal measures emoji by \(counted), the pager by \(assumed) (mode 2027): the rest of a row may shift (\(table))"
    )
  }
}
