import Config
import Glibc
import Terminal
import Text

/// Reports how the terminal answers queries about itself.
struct TerminalDoctor {
  let world: World
  let settings: Settings

  func findings() -> [Finding] {
    guard world.isOutputTerminal else {
      return [.note("stdout is no terminal, so none is asked; riffle search needs none")]
    }
    guard let options = TerminalOptions(environment: world.environment) else {
      let term = world.environment["TERM"] ?? ""
      return [
        .problem(
          "TERM is \(term.isEmpty ? "not set" : term): the pager cannot draw",
          remedy: "set TERM to the terminal's own name, like xterm-256color; riffle search needs none")
      ]
    }
    do throws(SystemError) {
      let survey = try TerminalSurvey(of: TTY(), options, measuring: WidthDoctor.texts)
      return [canvas(survey, options)] + answers(survey)
        + WidthDoctor(survey: survey, ambiguousWidth: settings.pager.ambiguousWidth).findings()
    } catch {
      return [.note("the terminal cannot be asked: \(error)")]
    }
  }

  private func canvas(_ survey: TerminalSurvey, _ options: TerminalOptions) -> Finding {
    let size = "\(survey.size.columns) × \(survey.size.rows)"
    if survey.size.columns < 20 || survey.size.rows < 4 {
      return .problem("the terminal is \(size)", remedy: "make it 20 × 4 or larger")
    }
    return .fine("TERM=\(world.environment["TERM"] ?? ""), \(size), \(options.colors.words)")
  }

  private func answers(_ survey: TerminalSurvey) -> [Finding] {
    guard !survey.answers.isEmpty else {
      let reason = survey.wasAsked ? "it answers no queries" : "a terminal of its kind is not asked"
      return [.note("\(reason); the pager does without")]
    }
    let ground = survey.traits.background.map { $0 == .dark ? "a dark ground" : "a light ground" }
    let told = survey.answers.compactMap(\.words) + [ground].compactMap(\.self)
    let modes = survey.answers.compactMap(\.modeWords)
    return [
      .fine("it tells: \(told.isEmpty ? "nothing of itself" : told.joined(separator: ", "))"),
      .fine("it can: \(modes.isEmpty ? "none of the modes asked for" : modes.joined(separator: ", "))"),
      survey.traits.takesCopies
        ? .fine("it is known to take copies (OSC 52)")
        : .note("whether it takes copies (OSC 52) is not known"),
    ]
  }
}

extension ColorDepth {
  fileprivate var words: String {
    switch self {
    case .monochrome: "no colors"
    case .sixteen: "16 colors"
    case .indexed: "256 colors"
    case .direct: "24-bit colors"
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

  /// The modes the terminal supports.
  fileprivate var modeWords: String? {
    switch self {
    case .keyboardFlags: "kitty keys"
    case .mode(let number, let state) where state.isAvailable: Self.modes[number]
    case .mode, .version, .background, .cellSize, .deviceAttributes, .prefersDark, .cursor: nil
    }
  }

  private static let modes = [
    2004: "bracketed paste", 2026: "synchronized output (2026)", 2027: "grapheme clusters (2027)",
    2031: "telling dark from light (2031)", 2048: "telling its size (2048)",
  ]
}
