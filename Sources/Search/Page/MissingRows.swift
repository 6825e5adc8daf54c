import HTTPValues
import JSON
private import Text

/// Decides whether a response without rows is an empty page or a refusal (rule 30).
struct MissingRows {
  /// The value at the path of the rows: null, or none.
  enum Absence { case null, nothing }

  /// The kind of absence; nil if there is an empty list.
  let absence: Absence?
  /// Whether the response is for the first page of the list.
  let isFirst: Bool

  /// The error that the response represents; nil if it is an empty page.
  func refusal(_ response: ErrorResponse, path: JSONPath?) -> PageError? {
    let document = response.values.document
    let places = [document.root] + (path.flatMap { Self.parent(of: $0, in: document) }.map { [$0] } ?? [])
    if places.contains(where: isRefusal) { return response.refusal() }
    return absence == .nothing ? response.withoutRows(at: path) : nil
  }

  private func isRefusal(_ object: JSONValue) -> Bool {
    if ["ok", "success"].contains(where: { object[$0].map(Self.isNo) ?? false }) { return true }
    if object["status"].map(Self.isBadStatus) ?? false { return true }
    // A message next to an empty list may only say that there are no rows. A message in place of a list that earlier
    // pages had is the reason for its absence.
    let names = absence == nil || isFirst ? Self.errors : Self.errors + Self.words
    return names.contains { object[$0].map(Self.saysSomething) ?? false }
  }

  private static let errors = ["error", "errors", "fault"]
  private static let words = ["message", "detail"]

  private static func isNo(_ value: JSONValue) -> Bool {
    value.bool == false || ["false", "no", "0"].contains(value.text?.lowercased())
  }

  private static func isBadStatus(_ value: JSONValue) -> Bool {
    if let words = value.string?.lowercased() {
      return ["error", "fail", "failed", "failure", "ko", "nok"].contains(words)
    }
    return value.bool == false || value.text.flatMap { Int($0) }.map { 400..<600 ~= $0 } ?? false
  }

  /// Whether it is neither null, false, 0, "" nor empty.
  private static func saysSomething(_ value: JSONValue) -> Bool {
    !value.isNull && !isNo(value) && value.text != "" && !(value.text == nil && value.count == 0)
  }

  /// The object that would contain the rows; nil if there is none, or it is the root.
  private static func parent(of path: JSONPath, in document: JSONDocument) -> JSONValue? {
    let steps = path.singularPrefix.steps.dropLast()
    guard !steps.isEmpty else { return nil }
    return JSONPath(steps: Array(steps)).firstNode(in: document, from: document.rootNode)
      .map { JSONValue(document: document, node: $0) }
  }
}

extension ErrorResponse {
  /// The error for a response that says why it has no rows.
  func refusal() -> PageError {
    var error = error(.rejected, .never, nil)
    let words = values.errorMessage(of: source)
    if error.serviceMessage == nil, let words {
      error.message += ": \(words)"
      error.serviceMessage = words
    }
    if words.map(CommonErrorFields.mentionsRateLimit) ?? false { error.kind = .rateLimited }
    return error
  }

  /// The error for a response that lacks the path of the rows.
  func withoutRows(at path: JSONPath?) -> PageError {
    if let words = values.errorMessage(of: source), !words.isEmpty { return refusal() }
    let names = values.document.root.members.map(\.name)
    let shown = names.isEmpty ? "nothing" : names.prefix(12).joined(separator: ", ")
    let sought = path?.memberNames?.first { !names.contains($0) }
    return PageError(
      .unreadable, status: response.status,
      message: "no rows at \"\(path.map { "\($0)" } ?? "$")\". The response has: \(shown)",
      remedy: Sentences.joined([
        sought.flatMap { NearestName.question($0, among: names) },
        """
        correct rows.path in source \(source.id). If a response without it means no rows, set rows.missing = "empty"
        """,
      ]), needsRestart: true)
  }
}
