/// What the pager shows of one row (`[detail]`).
package struct Detail: Sendable {
  /// Shown one below the other; empty: the source's columns.
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

/// A request for one row, whose reply is the row more fully (`[detail.request]`). It is sent only to the origin
/// of the source.
package struct DetailRequest: Sendable, Hashable {
  package struct Parameter: Sendable, Hashable {
    package var name: String
    package var value: ValueTemplate

    package init(name: String, value: ValueTemplate) {
      self.name = name
      self.value = value
    }
  }

  /// Where to ask: a value of the row, or an address made of its values.
  package var url: ValueExpression
  /// Put into the query of the address, over those it has; one without a value is left out.
  package var parameters: [Parameter]

  package init(url: ValueExpression, parameters: [Parameter] = []) {
    self.url = url
    self.parameters = parameters
  }
}

/// Something to do with one row, on a key of the source's own (`[actions.NAME]`).
package struct RowAction: Sendable, Hashable {
  package enum Effect: Sendable, Hashable {
    /// Opens an http or https address.
    case open(ValueExpression)
    /// Copies a text, as one sanitised line.
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
