/// Why a source is unavailable.
package enum CatalogueError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is no source with this name.
  case unknown(name: String, nearest: [String])
  /// Its document is invalid.
  case invalid(ConfigError)

  package var description: String {
    switch self {
    case .unknown(let name, []):
      "unknown source \(Wording.quoted(name)); see riffle sources list, or name a file: ./\(name).toml"
    case .unknown(let name, let nearest):
      "unknown source \(Wording.quoted(name)); did you mean \(nearest.joined(separator: " or "))?"
    case .invalid(let error): error.description
    }
  }
}
