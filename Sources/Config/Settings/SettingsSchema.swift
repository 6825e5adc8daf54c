/// The list of all settings. It is used to validate the file and the environment, to read the layers, and to
/// generate the example file and the manual.
package struct SettingsSchema: Sendable {
  package let settings: [Setting]
  let keys: KeySchema

  /// - Parameters:
  ///   - formats: The names of the output formats.
  ///   - themes: The names of the themes.
  ///   - keys: The actions and modes for key bindings.
  package init(formats: [String], themes: [String], keys: KeySchema) {
    self.keys = keys
    settings =
      Self.search + Self.output(formats: formats) + Self.pager + Self.theme(names: themes)
      + Self.keys(keys) + Self.history + Self.opener + Self.tls
  }

  package func setting(_ key: String) -> Setting? { settings.first { $0.key == key } }

  /// The sections in schema order: `search`, `keys.table`.
  package var sections: [String] {
    settings.map(\.section).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  package func settings(in section: String) -> [Setting] { settings.filter { $0.section == section } }
}
