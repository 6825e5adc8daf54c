/// Scrollable lines over the table.
package struct Popup: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    case help, detail, log, messages
  }

  package let kind: Kind
  /// The number of lines scrolled off the top.
  var scroll = 0
  /// Whether the detail popup shows the row's JSON instead of its fields.
  var showsJSON = false
  /// The search text; in help, the filter for its actions.
  var searchText = ""
  /// The matching line that a search led to.
  var match: Match?

  struct Match: Sendable, Hashable {
    /// From 1.
    let number: Int
    let count: Int
  }
}
