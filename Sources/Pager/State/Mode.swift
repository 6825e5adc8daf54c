/// Where a key is pressed, and so what it means.
package enum Mode: String, Sendable, Hashable, CaseIterable {
  case table
  case query
  /// Over the table: detail, log, messages, help.
  case popup
  /// One line of text: search, filter, file name, history, palette, source.
  case prompt
}

/// What lies over table and query line; the last one takes the keys.
package enum Overlay: Sendable, Hashable {
  case popup(Popup)
  case prompt(Prompt)
  case question(Question)
}

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

package struct Prompt: Sendable, Hashable {
  package enum Purpose: String, Sendable, Hashable {
    case search, filter, file, history, palette
    /// Before there is a session: which source to ask.
    case source
  }

  package let purpose: Purpose
  package var line: LineEditor
  /// The chosen entry of its list.
  var selection = 0
  /// What Esc goes back to.
  let former: String
  /// The row a search begins at.
  var origin = 0
  /// How far back in what was typed here before; 0 is the line itself.
  var recall = 0
}

/// Something to be confirmed by y or Enter; any other key keeps everything.
package enum Question: Sendable, Hashable {
  /// Rows are marked.
  case reset
}
