/// A setting as `config show` tells it.
package struct SettingReport: Sendable, Hashable {
  /// `search.page_size`, `keys.table.quit`, `sources.github.options.sort`.
  package let key: String
  /// As a settings file has it; nil when nothing sets it and the summary says what counts.
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

  /// Where a problem with the value is.
  var place: ConfigProblem.Place {
    if case .file(let position) = self { .position(position) } else { .named(description) }
  }
}
