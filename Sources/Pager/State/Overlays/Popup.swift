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
  /// What was looked for in it.
  var sought = ""
}
