/// Lines over the table that scroll.
package struct Popup: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    case help, detail, log, messages
  }

  package let kind: Kind
  /// Lines above the screen.
  var scroll = 0
  /// Of a row its JSON, not its fields.
  var showsJSON = false
  /// What is searched for in it; in the help, what its actions are filtered by.
  var searchText = ""
  /// The line a search led to, among those that match.
  var match: Match?

  struct Match: Sendable, Hashable {
    /// From 1.
    let number: Int
    let count: Int
  }
}
