import Search

extension SinceRule {
  static let table = KeyTable<SinceRule>(
    "[since]",
    "How the service lists only the rows that changed since a time. `riffle search --since-last` then requests these instead of the entire list. riffle does not notice a change that does not update this value.",
    SinceRule(),
    [
      SourceKey(
        "value", .response, \.value,
        required: "where the time of a row's last change is, like \"updated_at\"",
        "The time of the last change of a row, or a number that grows with each row."),
      SourceKey("param", .name, \.parameter, "The query parameter for the largest value of earlier runs."),
      SourceKey(
        "template", .parsed("a string", template), \.template,
        "The query that contains it, such as `{query} updated:>={since}`; with `param`, the value of the parameter, such as `from-index-date:{since}`."
      ),
      SourceKey(
        "format", .choice, \.format,
        "The format of the value: `iso8601` (to the second), `date`, `epoch`, `epoch_ms`, all in UTC, or `number`, if the values are integers, not times. Default: `iso8601`."
      ),
      SourceKey(
        "overlap", .duration(.zero ... .seconds(31 * 86_400)), \.overlap,
        "How much earlier the request starts, because clocks differ and rows appear late. Default: `60s`. Rows that are known are not written again."
      ),
      SourceKey(
        "options", "a table",
        "The values that options of the source must have, such as `{ sort = \"activity\" }`, if the filter works only with these. With other values, riffle requests the entire list.",
        read: readOptions),
    ]
  ) { reader, since in
    if since.parameter == nil, since.template == nil, !reader.contains("template"), !reader.isFragment {
      reader.report("missing: [since] needs param or template", for: "param")
    }
    if let template = since.template, !reader.isFragment {
      let needsQuery = since.parameter == nil
      if template.names.contains("query") != needsQuery {
        reader.report(
          needsQuery
            ? "expected {query}, like \"{query} updated:>={since}\""
            : "{query} is not allowed with param, whose value this is", for: "template")
      }
    }
    if since.format == .number, reader.contains("overlap") {
      reader.report("not allowed with format = \"number\"", for: "overlap")
    }
  }

  @Sendable private static func template(_ text: String) throws -> Template {
    let template = try Template(text)
    if !template.names.contains("since") {
      throw ValueFormatError("expected {since}, like \"{query} updated:>={since}\"")
    }
    if let name = template.names.first(where: { !["query", "since"].contains($0) }) {
      throw ValueFormatError("unknown placeholder {\(name)}. Use {query} and {since}")
    }
    return template
  }

  @Sendable private static func readOptions(_ reader: inout TableReader, _ since: inout SinceRule) {
    let known = reader.scope.options.map(\.name)
    for entry in reader.members("options") {
      guard let value = entry.value.scalarText else {
        reader.report(
          "expected a string, a number or a boolean, found \(entry.value.oddName)", forMember: entry,
          of: "options")
        continue
      }
      if !reader.isFragment, !known.contains(entry.key) {
        reader.report(
          "unknown option. \(Wording.suggestion(for: entry.key, among: known))", forMember: entry,
          of: "options")
      }
      since.options[entry.key] = value
    }
  }
}
