import HTTPValues
import JSON
import Search
import Text

/// The base URL of an endpoint: a template, and the options in it.
struct EndpointServer: Sendable, Hashable {
  let base: String
  var options: [EndpointOption] = []

  /// The server of a description that names none and has no URL itself.
  static let unknown = EndpointServer(
    base: "{server}",
    options: [EndpointOption(name: "server", title: "The base URL of the API", values: [], standard: nil)])
}

/// An option of a source.
struct EndpointOption: Sendable, Hashable {
  let name: String
  let title: String?
  /// The allowed values; empty for any string.
  let values: [String]
  let standard: String?
  /// Whether its values are numbers or booleans, which keep their type in a body.
  var isLiteral = false
}

extension EndpointServer {
  /// The first of `servers` that can be requested; nil if there is none.
  ///
  /// - Parameter address: The URL of the description, for relative ones.
  init?(_ servers: JSONNode?, at address: WebURL?, in document: JSONDocument) {
    guard let servers else { return nil }
    let found = document.elements(of: servers).prefix(20).lazy.compactMap {
      EndpointServer(server: JSONValue(document: document, node: $0), at: address)
    }.first
    guard let found else { return nil }
    self = found
  }

  private init?(server: JSONValue, at address: WebURL?) {
    guard let text = server["url"]?.string, text.utf8.count <= 2_000, text.isWritable else { return nil }
    var options: [EndpointOption] = []
    var sample = ""
    var base = ""
    for piece in PathPiece.pieces(of: text) {
      switch piece {
      case .literal(let literal):
        sample += literal
        base += literal.withDoubledBraces
      case .name(let name):
        let variable = server["variables"]?[name]
        let values = variable?["enum"]?.elements.prefix(100).compactMap(\.text).filter(Self.isHostText) ?? []
        guard let standard = variable?["default"]?.text ?? values.first else { return nil }
        sample += standard
        let isOption = Set(values).count > 1 && values.contains(standard) && !sample.hasPrefix(standard)
        let option = EndpointOption(
          name: EndpointOption.name(name), title: nil, values: values, standard: standard)
        base += isOption ? "{\(option.name)}" : standard.withDoubledBraces
        if isOption, !options.contains(where: { $0.name == option.name }) { options.append(option) }
      }
    }
    guard !sample.contains("#") else { return nil }
    if let url = try? WebURL(sample), Self.isBase(url) {
      self.init(base: base.withoutLastSlash, options: options)
    } else if let url = try? address?.resolving(sample), Self.isBase(url) {
      self.init(base: url.description.withDoubledBraces.withoutLastSlash)
    } else {
      return nil
    }
  }

  /// `schemes`, `host`, and `basePath` of Swagger 2.0; nil without a host.
  init?(swagger root: JSONValue, at address: WebURL?) {
    let schemes = root["schemes"]?.elements.prefix(10).compactMap(\.string) ?? []
    let own = address?.scheme.rawValue ?? "https"
    let scheme =
      schemes.isEmpty || schemes.contains(own) && own == "https"
      ? own : schemes.contains("https") ? "https" : "http"
    let path = root["basePath"]?.string ?? ""
    let folder = path.isEmpty || path.hasPrefix("/") ? path : "/" + path
    let text: String
    if let host = root["host"]?.string, !host.isEmpty {
      text = "\(scheme)://\(host)\(folder)"
    } else if let url = try? address?.resolving(folder.isEmpty ? "/" : folder) {
      text = url.description
    } else {
      return nil
    }
    guard !text.contains("#"), text.isWritable, let url = try? WebURL(text), Self.isBase(url) else {
      return nil
    }
    self.init(base: text.withDoubledBraces.withoutLastSlash)
  }

  private static func isBase(_ url: WebURL) -> Bool { !url.hasUserinfo && url.query == nil }

  /// Whether a host can contain the text.
  private static func isHostText(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { $0.isBareKeyByte && $0 != UInt8(ascii: "_") || $0 == UInt8(ascii: ".") }
      && ![".", ".."].contains(text)
  }
}

extension EndpointOption {
  /// A name for an option, from the name of a parameter: `filter[status]` is `filter_status`.
  static func name(_ text: String) -> String {
    let words = text.lowercased().utf8.split { !$0.isBareKeyByte || $0 == UInt8(ascii: "-") }
    let name = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "_")
    let taken = ["", "query", "page_size", "app", "version", "homepage", "today", "now"]
    return taken.contains(name) ? "\(name)_value" : String(name.prefix(60))
  }
}

/// A part of a path: text, or the name of a parameter in braces.
enum PathPiece: Sendable, Hashable {
  case literal(String)
  case name(String)

  static func pieces(of text: String) -> [PathPiece] {
    var pieces: [PathPiece] = []
    var rest = text[...]
    while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
      if start > rest.startIndex { pieces.append(.literal(String(rest[..<start]))) }
      pieces.append(.name(String(rest[rest.index(after: start)..<end])))
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty { pieces.append(.literal(String(rest))) }
    return pieces
  }
}
