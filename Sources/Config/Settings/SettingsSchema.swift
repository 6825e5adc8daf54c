/// The table of all settings: the file and the environment are checked against it, the layers are read by
/// it, and the example file and the manual list it.
package struct SettingsSchema: Sendable {
  package let settings: [Setting]
  let keys: KeySchema

  /// - Parameters:
  ///   - formats: the names of the output formats.
  ///   - themes: the names of the themes.
  ///   - keys: what keys can do.
  package init(formats: [String], themes: [String], keys: KeySchema) {
    self.keys = keys
    settings =
      Self.search + Self.output(formats: formats) + Self.pager + Self.theme(names: themes)
      + Self.keys(keys) + Self.history + Self.opener + Self.tls
  }

  package func setting(_ key: String) -> Setting? { settings.first { $0.key == key } }

  /// The sections in the order of the table: `search`, `keys.table`.
  package var sections: [String] {
    settings.map(\.section).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  package func settings(in section: String) -> [Setting] { settings.filter { $0.section == section } }
}
