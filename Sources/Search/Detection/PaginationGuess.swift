/// One way the service may page, as keys of `[pagination]`, with its confidence and reason.
package struct PaginationGuess: Sendable, Hashable {
  package enum Style: String, Sendable {
    case page, offset, cursor, link, merge, none
  }

  /// The value for the first page.
  package enum First: Sendable, Hashable {
    case number(Int)
    case text(String)
  }

  package let style: Style
  /// The query parameter for the number or cursor.
  package var parameter: String?
  package var first: First?
  // Value expressions.
  package var next: String?
  package var more: String?
  package var done: String?
  package var pages: String?
  /// From 0 to 1. At `certain` or above, no second page is needed to confirm it.
  package let confidence: Double
  /// What was found, as a sentence without the final period.
  package let reason: String
  /// Worth trying before the next guess, but wrong unless its second page has new rows.
  package private(set) var isTentative = false

  package static let certain = 0.9

  package var isCertain: Bool { confidence >= Self.certain }

  init(
    _ style: Style, parameter: String? = nil, first: First? = nil, next: String? = nil, more: String? = nil,
    done: String? = nil, pages: String? = nil, _ confidence: Double, _ reason: String
  ) {
    self.style = style
    self.parameter = parameter
    self.first = first
    self.next = next
    self.more = more
    self.done = done
    self.pages = pages
    self.confidence = confidence
    self.reason = reason
  }

  /// Whether both guesses produce the same requests.
  func isSame(as other: PaginationGuess) -> Bool {
    style == other.style && parameter == other.parameter && first == other.first && next == other.next
      && more == other.more && done == other.done && pages == other.pages
  }

  /// The same guess with pages numbered from 0, which only the pages themselves can show.
  var countingFromZero: PaginationGuess {
    var guess = self
    guess.first = .number(0)
    guess.isTentative = true
    return guess
  }

  static let onePage = PaginationGuess(.none, 0.5, "the reply does not mention another page")
}

extension PaginationGuess: CustomStringConvertible {
  /// `offset by from`
  package var description: String { [style.rawValue, parameter].compactMap { $0 }.joined(separator: " by ") }
}
