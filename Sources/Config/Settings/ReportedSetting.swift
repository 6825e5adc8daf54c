/// A setting as shown by `config show`.
package struct ReportedSetting: Sendable, Hashable {
  /// `search.page_size`, `keys.table.quit`, `sources.github.options.sort`.
  package let key: String
  /// In TOML notation; nil if it is not set and the summary describes the default.
  package let value: String?
  package let origin: SettingOrigin
}

/// The layer a value comes from.
package enum SettingOrigin: Sendable, Hashable, CustomStringConvertible {
  case commandLine(option: String)
  case environment(variable: String)
  case file(FilePosition)
  case standard

  package var description: String {
    switch self {
    case .commandLine(let option): option
    case .environment(let variable): variable
    case .file(let position): "\(position.file):\(position.line)"
    case .standard: "default"
    }
  }

  /// The location to report a problem with the value at.
  var place: ConfigProblem.Place {
    if case .file(let position) = self { .position(position) } else { .named(description) }
  }
}
