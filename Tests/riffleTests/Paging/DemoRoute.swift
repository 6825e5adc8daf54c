import DemoTesting
import Foundation
import Testing

/// A route of the embedded server, as the source document that its list of routes shows.
struct DemoRoute: Sendable {
  let path: String

  /// The routes listed by the server.
  static var paths: [String] { ListedRoute.listed.map(\.path) }

  /// - Parameter query: added to the address, for example `fault=loop&from=2`.
  func document(_ server: TestServer, query: String = "", rest: String = "") throws -> String {
    let route = try #require(ListedRoute.listed.first { $0.path == path })
    let address = "url = '\(server.baseURL)\(path)"
    let lines = route.document(baseURL: server.baseURL).map { line in
      line == "\(address)'" && !query.isEmpty ? "\(address)?\(query)'" : line
    }
    return (lines + [rest, ""]).joined(separator: "\n")
  }
}

/// The characters whose names contain a text, computed with the standard library only.
struct LibrarySearch: Sendable {
  /// The expected code points, such as `"U+2190"`, in order.
  let codePoints: [String]
  let names: [String]

  init(_ text: String) {
    let scalars = (0...0x10FFFF).compactMap(Unicode.Scalar.init)
    let found = scalars.compactMap { scalar -> (String, String)? in
      guard let name = scalar.properties.name ?? scalar.properties.nameAlias, name.contains(text) else {
        return nil
      }
      return (String(format: "U+%04X", scalar.value), name)
    }
    codePoints = found.map(\.0)
    names = found.map(\.1)
  }
}
