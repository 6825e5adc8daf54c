import JSON
import Search

extension Split {
  static let table = KeyTable<Split>(
    "[split]",
    "How riffle divides a list that the service cuts short (`pagination.cap`) into parts: ranges of one field, each requested as a list of its own. `--split` requests all parts and combines them, and the pager continues with them. riffle recognizes rows by `rows.id`, which is required.",
    .standard,
    [
      SourceKey(
        "by", .text, \.field, required: "the name of the field, like \"created\"",
        "The name of the field, for messages."),
      SourceKey(
        "unit", .choice, \.unit,
        "The smallest range: one second, one day or one integer. Default: `\"second\"`."),
      SourceKey(
        "begin", "a time, a date or an integer, required",
        "The smallest value of the field in the service's rows."
      ) { reader, split in
        reader.require("begin", "the smallest value of the field, like \"2008-01-01\"")
        if let limit = limit("begin", of: split, &reader) { split.begin = limit }
      },
      SourceKey(
        "end", "a time, a date, an integer or `\"now\"`",
        "The largest value. Default: `\"now\"`, the time at which riffle requests the first part. Required with integers."
      ) { reader, split in
        if reader.value("end")?.string != "now" { split.end = limit("end", of: split, &reader) }
      },
      SourceKey(
        "bounds", .choice, \.bounds,
        "Whether `{to}` belongs to a range (`\"[]\"`, the default) or is the first value after it (`\"[)\"`)."
      ),
      SourceKey(
        "order", .choice, \.order,
        "How the service sorts the list by the field: largest first (`\"newest\"`), smallest first (`\"oldest\"`), or in another order (`\"none\"`, the default). The pager continues sorted lists automatically."
      ),
      SourceKey(
        "order_with", KeyKind(words: "a table of strings") { texts(&$0, $1) },
        "The values of source options that select this order: `{ sort = \"created\" }`."
      ) { split, texts in
        split.orderOptions = texts.map { OrderOption(name: $0.name, value: $0.value, isDefault: false) }
      },
      SourceKey(
        "params", KeyKind(words: "a table of strings") { parameters(&$0, $1) }, \.parameters,
        required: "the query parameters of a part, like { since = \"{from}\", until = \"{to}\" }",
        "Query parameters of a part, in place of those of the request: `{ q = \"{query} created:{from}..{to}\" }`. `{from}` and `{to}` are times in ISO 8601, or integers; `{from|date}`, `{from|epoch}` and `{from|epoch_ms}` are other formats."
      ),
    ]
  ) { reader, split in
    if split.unit == .integer, split.end == nil, !reader.isFragment, reader.value("end") == nil {
      reader.report("integers need an end. Set it to the largest value of the field", for: "unit")
    }
    if let end = split.end, end < split.begin { reader.report("is before begin", for: "end") }
    split.orderOptions = split.orderOptions.map { wanted in
      let option = reader.scope.options.first { $0.name == wanted.name }
      if option == nil, !reader.isFragment {
        reader.report("\(Wording.quoted(wanted.name)) is no option of this source", for: "order_with")
      }
      return OrderOption(
        name: wanted.name, value: wanted.value, isDefault: option?.defaultValue == wanted.value)
    }
  }

  private static func limit(_ key: String, of split: Split, _ reader: inout TableReader) -> Int? {
    guard let value = reader.value(key), let text = value.scalarText else { return nil }
    guard let limit = split.limit(text), abs(limit) <= largest else {
      let expected = split.unit == .integer ? "an integer" : "a date or a time like \"2008-01-01\""
      reader.report("expected \(expected), found \(Wording.quoted(text))", for: key)
      return nil
    }
    return limit
  }

  private static func texts(_ reader: inout TableReader, _ key: String) -> [Named<String>]? {
    reader.contains(key) ? reader.textMembers(key).map { Named(name: $0.entry.key, value: $0.text) } : nil
  }

  /// The templates of `params`, which have `{from}` and `{to}`.
  @Sendable private static func parameters(_ reader: inout TableReader, _ key: String) -> [Parameter]? {
    var placeholders = reader.scope.placeholders
    placeholders.limits = ["from", "to"]
    var isValid = true
    let parameters = reader.textMembers(key).compactMap { entry, text -> Parameter? in
      do {
        let template = try placeholders.template(text, in: .parameter)
        if !template.hasSecrets { return Parameter(name: entry.key, value: template) }
        reader.report("credentials are not allowed here. Use [request]", forMember: entry, of: key)
      } catch { reader.report("\(error)", forMember: entry, of: key) }
      isValid = false
      return nil
    }
    if isValid, !Set(parameters.flatMap(\.value.names)).isSuperset(of: placeholders.limits) {
      reader.report("expected parameters with {from} and {to}", for: key)
    }
    return parameters
  }

  /// Checks it with the other tables.
  func check(_ endpoint: Endpoint, _ pagination: Pagination, _ rows: RowShape, _ reader: inout TableReader) {
    guard !reader.isFragment else { return }
    for parameter in parameters {
      let replaced = (endpoint.parameters + endpoint.additions.flatMap(\.parameters))
        .filter { $0.name == parameter.name }.flatMap(\.value.names)
      if let name = replaced.first(where: { !parameter.value.names.contains($0) }) {
        let place = "params.\(parameter.name)"
        reader.report("\(place) replaces a request parameter with {\(name)}. Include it", for: "split")
      }
    }
    if pagination.settings.cap == nil {
      reader.report("needs pagination.cap, the point at which the service ends the list", for: "split")
    }
    if rows.key == nil || rows.isKeyGuessed {
      reader.report("needs rows.id, so that a row in two parts is written once", for: "split")
    }
  }
}
