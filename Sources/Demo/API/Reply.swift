/// A reply as a value: status, header fields (without the framing, which the connection adds), and body.
struct Reply: Sendable, Equatable {
  var status = 200
  var fields: [Field] = []
  var body: [UInt8] = []

  struct Field: Sendable, Equatable {
    var name: String
    var value: String
  }

  init(status: Int = 200, json: JSONValue) {
    self.status = status
    fields = [Field(name: "Content-Type", value: "application/json; charset=utf-8")]
    body = json.bytes
  }

  /// A page of HTML.
  init(html: String) {
    fields = [Field(name: "Content-Type", value: "text/html; charset=utf-8")]
    body = Array(html.utf8)
  }

  /// The first value of this field, ignoring case.
  subscript(field: String) -> String? {
    fields.first { $0.name.lowercased() == field.lowercased() }?.value
  }

  mutating func add(_ name: String, _ value: String) { fields.append(Field(name: name, value: value)) }
}
