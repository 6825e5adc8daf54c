package import Text

/// A column of a source (`[[columns]]`).
package struct Column: Sendable {
  /// `[a-z0-9_]+`, unique in its source. The name in `--columns` and machine formats.
  package var name: String
  /// The heading on the screen; for display only.
  package var title: String
  package var value: ValueExpression
  package var format: ColumnFormat
  /// How markup in the value's texts is handled.
  package var markup: Markup
  /// The value is missing in rows where this condition does not hold.
  package var condition: Condition?
  /// The offset of times without a zone, in seconds east of UTC.
  package var zone: Int
  package var alignment: Alignment
  package var width: ColumnWidth
  /// Whether the pager initially wraps long cells.
  package var isWrapped: Bool
  /// On a narrow screen, columns with a larger number are dropped first.
  package var priority: Int
  package var color: ColumnColor?
  /// The separator of list elements.
  package var separator: String
  /// Shown for null, missing, and "".
  package var empty: String
  /// Whether a table initially hides the column; filter, sort, `--columns`, and machine formats include it.
  package var isHidden: Bool

  package init(
    name: String, title: String? = nil, value: ValueExpression, format: ColumnFormat = .text,
    markup: Markup = .kept, condition: Condition? = nil, zone: Int = 0, alignment: Alignment? = nil,
    width: ColumnWidth = .preferred, isWrapped: Bool = false, priority: Int = 0, color: ColumnColor? = nil,
    separator: String = ", ", empty: String = "", isHidden: Bool = false
  ) {
    self.name = name
    self.title = title ?? name
    self.value = value
    self.format = format
    self.markup = markup
    self.condition = condition
    self.zone = zone
    self.alignment = alignment ?? format.alignment
    self.width = width
    self.isWrapped = isWrapped
    self.priority = priority
    self.color = color
    self.separator = separator
    self.empty = empty
    self.isHidden = isHidden
  }

  /// Whether a truncated cell is still correct: a text is, but a number or a time would read as a different
  /// one.
  package var canBeCut: Bool { alignment != .trailing && format.isExact }

  /// The role that a cell with this text is displayed in.
  package func role(for text: String) -> Role? { color?.role(for: text) }

  /// The path of the value whose own text is the exact text of the cell; nil if the value is selected,
  /// composed, or transformed.
  package var verbatimPath: JSONPath? {
    guard format.isExact, markup == .kept, condition == nil, zone == 0, value.alternatives.count == 1,
      case .path(let path)? = value.alternatives.first, !path.isPlural
    else { return nil }
    return path
  }

  /// How HTML in the texts of a column is handled (`html`).
  package enum Markup: String, Sendable, CaseIterable {
    /// Unchanged: the text is not HTML.
    case kept = "none"
    /// Tags are removed, entities decoded.
    case stripped = "strip"
    /// Entities are decoded; there are no tags.
    case decoded = "entities"

    /// The text without markup. O(bytes).
    package func plain(_ text: String) -> String {
      switch self {
      case .kept: text
      case .stripped: HTMLText.stripped(text)
      case .decoded: HTMLText.decoded(text)
      }
    }
  }
}

/// The theme role of a column's cells (`color`).
package enum ColumnColor: Sendable, Hashable {
  case always(Role)
  /// By the text of the cell in lower case.
  case byText([String: Role])

  package func role(for text: String) -> Role? {
    switch self {
    case .always(let role): role
    case .byText(let roles): roles[text.lowercased()]
    }
  }
}
