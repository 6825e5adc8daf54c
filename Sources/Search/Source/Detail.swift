/// The details of a row in the pager (`[detail]`).
package struct Detail: Sendable {
  /// Shown below each other; if empty, the columns of the source.
  package var fields: [Column]
  /// A longer text of the row, below the fields.
  package var body: Column?
  package var request: DetailRequest?

  package init(fields: [Column] = [], body: Column? = nil, request: DetailRequest? = nil) {
    self.fields = fields
    self.body = body
    self.request = request
  }
}

/// A request for one row, whose reply is a more complete row (`[detail.request]`). It is sent only to the
/// origin of the source.
package struct DetailRequest: Sendable, Hashable {
  package struct Parameter: Sendable, Hashable {
    package var name: String
    package var value: ValueTemplate

    package init(name: String, value: ValueTemplate) {
      self.name = name
      self.value = value
    }
  }

  /// The URL: a value of the row, or composed from its values.
  package var url: ValueExpression
  /// Query parameters; they override those of the URL. A parameter without a value is left out.
  package var parameters: [Parameter]

  package init(url: ValueExpression, parameters: [Parameter] = []) {
    self.url = url
    self.parameters = parameters
  }
}

/// An action for one row with a key defined by the source (`[actions.NAME]`).
package struct RowAction: Sendable, Hashable {
  package enum Effect: Sendable, Hashable {
    /// Opens an http or https URL.
    case open(ValueExpression)
    /// Copies a text as one sanitized line.
    case copy(ValueExpression)
  }

  package var name: String
  /// Pressed after `,`.
  package var key: Character
  package var effect: Effect

  package init(name: String, key: Character, effect: Effect) {
    self.name = name
    self.key = key
    self.effect = effect
  }
}
