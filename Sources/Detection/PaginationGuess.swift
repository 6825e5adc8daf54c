/// A possible pagination of the service, as keys of `[pagination]`, with its confidence and reason.
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
  /// The finding, as a sentence without the final period.
  package let reason: String
  /// Whether the guess is to be tried before the next one, but wrong unless its second page has new rows.
  package internal(set) var isTentative = false
  /// Whether its parameter is one of the usual ones, without evidence in the response.
  package internal(set) var isBlind = false
  /// The strings of the request with the position, if that is a part of them.
  package internal(set) var inner: InnerPosition?
  /// Whether only the query of the next URL counts, because its path lacks a part.
  package internal(set) var usesRequestPath = false
  /// The status of a page after the last one, if that is an error.
  package var endStatus: Int?

  /// The findings of its trial about the rows.
  package var trial = Trial()

  package struct Trial: Sendable, Hashable {
    /// Whether more rows arrived than the total counts.
    package var isTotalWrong = false
    /// Whether different rows had the same key.
    package var isKeyAmbiguous = false
    /// Whether page 2 begins with the last row of page 1.
    package var hasOverlap = false
    /// Whether a page without rows lacks the path of the rows.
    package var mayRowsBeMissing = false

    package init() {}
  }

  package static let certain = 0.9

  /// The guess without evidence for its parameter: it is right only if its second page has new rows.
  var asAttempt: PaginationGuess {
    var attempt = self
    attempt.isBlind = true
    attempt.isTentative = true
    return attempt
  }

  /// Whether the key of the last row is sent, which even the last page has.
  package var isKeyOfLastRow: Bool { style == .cursor && next?.contains("[-1]") ?? false }

  package var isCertain: Bool { confidence >= Self.certain }

  /// Everything on which its requests depend.
  struct Requests: Hashable {
    let style: Style
    let first: First?
    let expressions: [String?]
    let inner: InnerPosition?
    let usesRequestPath: Bool
  }

  var requests: Requests {
    Requests(
      style: style, first: first, expressions: [parameter, next, more, done, pages], inner: inner,
      usesRequestPath: usesRequestPath)
  }

  static let oneObject = PaginationGuess(style: .none, confidence: 1, reason: "the response is one object")
  package static let onePage = PaginationGuess(
    style: .none, confidence: 0.5, reason: "the response does not mention another page")
}

extension PaginationGuess: CustomStringConvertible {
  /// `offset with parameter from`
  package var description: String {
    [style.rawValue, parameter].compactMap { $0 }.joined(separator: " with parameter ")
  }

  /// `numbered, with the parameter "page"`
  package var words: String {
    guard let parameter else { return style.rawValue }
    if inner?.url != nil { return "\(style == .page ? "numbered" : "by offset"), in the path of the URL" }
    let style =
      switch self.style {
      case .page: "numbered"
      case .offset: "by offset"
      case .cursor: "by cursor"
      case .link, .merge, .none: self.style.rawValue
      }
    return "\(style), with the parameter \"\(parameter)\""
  }
}
