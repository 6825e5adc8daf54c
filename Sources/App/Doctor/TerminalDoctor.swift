import Config
import Glibc
import Terminal
import Text

/// Reports how the terminal answers queries about itself.
struct TerminalDoctor {
  let dependencies: Dependencies
  let settings: Settings

  func results() -> [DoctorCheck] {
    guard dependencies.output.isTerminal else {
      return [.note("stdout is not a terminal: checks skipped (riffle search needs no terminal)")]
    }
    guard let options = TerminalOptions(environment: dependencies.environment) else {
      let term = dependencies.environment["TERM"] ?? ""
      return [
        .problem(
          "TERM is \(term.isEmpty ? "not set" : term): the pager cannot draw",
          remedy: "set TERM to your terminal's name, such as xterm-256color, or use riffle search")
      ]
    }
    do throws(SystemError) {
      let probe = try TerminalProbe(of: TTY(), options, measuring: WidthDoctor.texts)
      return [canvas(probe, options)] + answers(probe)
        + WidthDoctor(probe: probe, ambiguousWidth: settings.pager.ambiguousWidth).results()
    } catch {
      return [.note("cannot query the terminal: \(error)")]
    }
  }

  private func canvas(_ probe: TerminalProbe, _ options: TerminalOptions) -> DoctorCheck {
    let size = "\(probe.size.columns) × \(probe.size.rows)"
    if probe.size.columns < 20 || probe.size.rows < 4 {
      return .problem("the terminal is too small: \(size)", remedy: "enlarge it to at least 20 × 4")
    }
    return .fine("TERM=\(dependencies.environment["TERM"] ?? ""), \(size), \(options.colors.words)")
  }

  private func answers(_ probe: TerminalProbe) -> [DoctorCheck] {
    guard !probe.answers.isEmpty else {
      let reason =
        probe.wasQueried ? "the terminal does not answer queries" : "this kind of terminal is not queried"
      return [.note("\(reason): using defaults")]
    }
    let ground = probe.traits.background.map { $0 == .dark ? "dark background" : "light background" }
    let told = probe.answers.compactMap(\.words) + [ground].compactMap(\.self)
    let modes = probe.answers.compactMap(\.modeWords)
    return [
      .fine("terminal: \(told.isEmpty ? "unidentified" : told.joined(separator: ", "))"),
      .fine("extra modes: \(modes.isEmpty ? "none" : modes.joined(separator: ", "))"),
      probe.traits.takesCopies ? .fine("copying by OSC 52: supported") : .note("copying by OSC 52: unknown"),
    ]
  }
}

extension ColorDepth {
  fileprivate var words: String {
    switch self {
    case .monochrome: "no colors"
    case .sixteen: "16 colors"
    case .indexed: "256 colors"
    case .direct: "24-bit color"
    }
  }
}

extension Answer {
  /// The terminal's name and version, as it reports them.
  fileprivate var words: String? {
    switch self {
    case .version(let text): text
    case .cellSize(let width, let height): "cells of \(width) × \(height) pixels"
    case .deviceAttributes, .mode, .keyboardFlags, .background, .prefersDark, .cursor: nil
    }
  }

  fileprivate var modeWords: String? {
    switch self {
    case .keyboardFlags: "kitty keys"
    case .mode(let number, let state) where state.isAvailable: Self.modes[number]
    case .mode, .version, .background, .cellSize, .deviceAttributes, .prefersDark, .cursor: nil
    }
  }

  private static let modes = [
    2004: "bracketed paste", 2026: "synchronized output (2026)", 2027: "grapheme clusters (2027)",
    2031: "light and dark reports (2031)",
  ]
}

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
    return [ambiguity(width), measure()].compactMap(\.self)
  }

  /// Nil if it is as the pager counts.
  private func ambiguity(_ width: Int) -> DoctorCheck? {
    if width == ambiguousWidth { return nil }
    return .problem(
      "\(Self.ambiguous) is \(Digits.counted(width, "column")) wide, but the pager counts \(ambiguousWidth)",
      remedy: "set pager.ambiguous_width = \(width == 2 ? 2 : 1) in config.toml")
  }

  private func measure() -> DoctorCheck {
    let measured = zip(Self.clusters, probe.widths.dropFirst())
    let table = measured.map { "\($0) \($1.map(String.init) ?? "?")" }.joined(separator: ", ")
    func isMeasure(_ model: WidthModel) -> Bool {
      measured.allSatisfy { Sanitized($0).width(model) == $1 }
    }
    let counted =
      isMeasure(.clusters)
      ? "graphemes" : isMeasure(.codePoints) ? "code points" : "neither graphemes nor code points"
    if isMeasure(probe.widthModel) {
      return .fine("emoji widths match the pager's (\(counted): \(table))")
    }
    let assumed = probe.widthModel.measure == .clusters ? "graphemes" : "code points"
    return .note(
      "this terminal measures emoji by \(counted), the pager by \(assumed) (mode 2027): the rest of a row may shift (\(table))"
    )
  }
}
