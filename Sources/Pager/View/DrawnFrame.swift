import Terminal
import Text

/// The parts of the last frame, of which the next one takes those that are the same: most frames change one or two rows. It
/// only saves work: a frame without it is equal.
package struct DrawnFrame {
  var table = DrawnTable()
  var query = DrawnPart<TypedLine.QuerySource, TypedLine>()
  var status = DrawnStatus()
  var title = DrawnPart<TitleBar.Source, Line>()
  var windowTitle = DrawnPart<DrawingRules, Sanitized>()

  package init() {}
}

/// The parts of the status in the last frame.
struct DrawnStatus {
  var hints = DrawnPart<StatusBar.HintSource, [StatusBar.Hint]>()
  var line = DrawnPart<StatusBar.Source, Line>()
}

/// What was drawn last, and what it was drawn from.
struct DrawnPart<Source: Equatable, Part> {
  /// A class, as a structure would be copied to be compared.
  private final class Drawn {
    let source: Source
    let part: Part

    init(_ part: Part, from source: Source) {
      self.source = source
      self.part = part
    }
  }

  private var last: Drawn?

  /// - Parameter draw: Takes the state, as a closure that held it would copy it.
  mutating func part(from source: Source, of state: PagerState, _ draw: (PagerState) -> Part) -> Part {
    if let last, last.source == source { return last.part }
    let part = draw(state)
    last = Drawn(part, from: source)
    return part
  }
}

/// What most parts of a frame are drawn from: the canvas, and the rules, of which they have the glyphs, the keys and, by the
/// background, the theme.
struct DrawingRules: Equatable {
  let canvas: Canvas
  let background: Background?
  let rules: Shared<PagerRules>

  init(_ state: __shared PagerState) {
    canvas = state.canvas
    background = state.background
    rules = state.$rules
  }

  static func == (left: Self, right: Self) -> Bool {
    left.rules === right.rules && left.canvas == right.canvas && left.background == right.background
  }
}
