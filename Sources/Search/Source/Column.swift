package import Text

/// One column of a source (`[[columns]]`).
package struct Column: Sendable {
  /// `[a-z0-9_]+`, unique in its source; what `--columns` and machine formats call it.
  package var name: String
  /// The heading on a screen; only display.
  package var title: String
  package var value: ValueExpression
  package var format: ColumnFormat
  /// What becomes of markup in the value's texts.
  package var markup: Markup
  /// The value counts as missing in rows where this does not hold.
  package var condition: Condition?
  /// Where the clock of times without a zone stands, in seconds east of UTC.
  package var zone: Int
  package var alignment: Alignment
  package var width: ColumnWidth
  /// Whether the pager begins with long cells on several lines.
  package var isWrapped: Bool
  /// Columns with a larger number are dropped first on a narrow screen.
  package var priority: Int
  package var color: ColumnColor?
  /// Between the elements of a list.
  package var separator: String
  /// Shown for null, missing and "".
  package var empty: String
  /// Whether a table begins without it; filter, sort, `--columns` and machine formats have it all the same.
  package var isHidden: Bool

  package init(
    name: String, title: String? = nil, value: ValueExpression, format: ColumnFormat = .text,
    markup: Markup = .kept, condition: Condition? = nil, zone: Int = 0, alignment: Alignment? = nil,
    width: ColumnWidth = .natural, isWrapped: Bool = false, priority: Int = 0, color: ColumnColor? = nil,
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

  /// Whether a cell cut short still says something true: text does, a number or a time reads as another one.
  package var canBeCut: Bool { alignment != .trailing && format.isExact }

  /// The role in which a cell with this text is shown.
  package func role(for text: String) -> Role? { color?.role(for: text) }

  /// Where the value stands whose own text is the exact text of the cell; nil when the value is chosen, made
  /// or rewritten.
  package var verbatimPath: JSONPath? {
    guard format.isExact, markup == .kept, condition == nil, zone == 0, value.alternatives.count == 1,
      case .path(let path)? = value.alternatives.first, !path.isPlural
    else { return nil }
    return path
  }

  /// What becomes of HTML in the texts of a column (`html`).
  package enum Markup: String, Sendable, CaseIterable {
    /// Nothing: the text is no HTML.
    case kept = "none"
    /// Tags go, entities become characters.
    case stripped = "strip"
    /// Entities become characters; there are no tags.
    case decoded = "entities"

    /// The text without it. O(bytes).
    package func plain(_ text: String) -> String {
      switch self {
      case .kept: text
      case .stripped: HTMLText.stripped(text)
      case .decoded: HTMLText.decoded(text)
      }
    }
  }
}

/// Which role of the theme a column's cells have (`color`).
package enum ColumnColor: Sendable, Hashable {
  case always(Role)
  /// By the text of the cell, in lower case.
  case byText([String: Role])

  package func role(for text: String) -> Role? {
    switch self {
    case .always(let role): role
    case .byText(let roles): roles[text.lowercased()]
    }
  }
}
