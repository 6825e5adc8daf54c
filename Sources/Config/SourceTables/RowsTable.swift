import Search

extension RowShape {
  /// `[rows]`.
  init(_ reader: inout TableReader) {
    let link = reader.expression("link")
    self.init(
      path: reader.parsed("path") { try JSONPath($0) }, isRequired: reader.bool("required") ?? false,
      key: reader.expression("key") ?? Self.standardKey(link: link), total: reader.expression("total"),
      incomplete: reader.expression("incomplete"), link: link)
    _ = reader.choice("shape", among: ["list"], later: ["map", "columns", "scalars"])
    reader.refuseForNow("names", "total_exact", "total_at_least", "total_request")
  }

  /// What identifies a row when the source does not say: its `id`, else its link.
  static func standardKey(link: ValueExpression?) -> ValueExpression? {
    guard let id = try? JSONPath("id") else { return link }
    return ValueExpression([.path(id)] + (link?.alternatives ?? []))
  }
}
