/// Why a source is unavailable.
package enum CatalogError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is no source with this name.
  case unknown(name: String, nearest: [String])
  /// Its document is invalid.
  case invalid(ConfigError)

  package var description: String {
    switch self {
    case .unknown(let name, []):
      "unknown source \(Wording.quoted(name)). To list sources, run: riffle sources list. To name a file, write ./\(name).toml"
    case .unknown(let name, let nearest):
      "unknown source \(Wording.quoted(name)). Did you mean \(nearest.map { "\"\($0)\"" }.joined(separator: " or "))?"
    case .invalid(let error): error.description
    }
  }
}
