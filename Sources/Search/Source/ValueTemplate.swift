/// A text composed of values: `https://example.org/item?id={objectID}`.
///
/// | part | stands for |
/// |---|---|
/// | `{path}` | the value at a body path; if it is missing, there is no text |
/// | `{+path}` | the same with its `/` kept in a URL, but not doubled after another `/` |
/// | `{name}` | the value of an option, if the source has one with this name (`{$.name}` is the body's) |
/// | `{{`, `}}` | literal braces |
///
/// A text that begins like a web URL, or with an option that provides one, is a URL: values in it are
/// percent-encoded, and only an option may be part of its host.
package struct ValueTemplate: Sendable, Hashable {
  package enum Piece: Sendable, Hashable {
    case literal(String)
    case path(JSONPath, keepsSlashes: Bool)
    case option(String)
  }

  package let pieces: [Piece]
  package let isAddress: Bool

  /// - Parameter options: The names that refer to options.
  package init(_ text: String, options: Set<String> = []) throws(ValueExpressionError) {
    var parser = ValueTemplateParser(text, options: options)
    pieces = try parser.parse()
    isAddress = Self.isAddress(pieces)
    if isAddress, case .path(let path, _)? = Self.authority(of: pieces).first(where: \.isPath) {
      throw ValueExpressionError(text: text, problem: "{\(path)} comes from a reply and cannot set the host")
    }
  }

  /// The paths of the values it is composed of.
  package var paths: [JSONPath] {
    pieces.compactMap { if case .path(let path, _) = $0 { path } else { nil } }
  }

  /// The options that are part of the host of a URL.
  package var optionsInHost: [String] {
    guard isAddress else { return [] }
    return Self.authority(of: pieces).compactMap { if case .option(let name) = $0 { name } else { nil } }
  }

  /// The URL or text with its values inserted; nil if one of them is missing or "", or if the resulting path
  /// would contain `.` or `..` and lead elsewhere.
  ///
  /// - Parameters:
  ///   - option: Returns the value of an option.
  ///   - value: Returns the text at a path.
  package func filled(option: (String) -> String?, value: (JSONPath) -> String?) -> String? {
    var text = ""
    for piece in pieces {
      switch piece {
      case .literal(let literal): text += literal
      case .path(let path, let keepsSlashes):
        guard let value = value(path), !value.isEmpty else { return nil }
        text += encoded(value, keepsSlashes, after: text)
      case .option(let name):
        guard let value = option(name), !value.isEmpty else { return nil }
        text += isAddress && text.isEmpty ? value.withoutLastSlash : encoded(value, false, after: text)
      }
    }
    return isAddress && text.hasDotSegments ? nil : text
  }

  private func encoded(_ value: String, _ keepsSlashes: Bool, after text: String) -> String {
    guard isAddress else { return value }
    guard keepsSlashes else { return PercentEncoding.encoded(value) }
    let path = PercentEncoding.encodedPath(value)
    return text.hasSuffix("/") ? String(path.drop { $0 == "/" }) : path
  }
}

extension ValueTemplate {
  private static func isAddress(_ pieces: [Piece]) -> Bool {
    switch pieces.first {
    case .literal(let text)?: text.hasPrefix("http://") || text.hasPrefix("https://")
    case .option?: pieces.count > 1 && pieces[1].beginsPath
    case .path?, nil: false
    }
  }

  /// The placeholders in the host of a URL.
  private static func authority(of pieces: [Piece]) -> [Piece] {
    guard case .literal(let start)? = pieces.first, let slashes = start.firstRange(of: "//") else {
      return []
    }
    if start[slashes.upperBound...].contains(where: \.endsAuthority) { return [] }
    return Array(
      pieces.dropFirst().prefix { piece in
        if case .literal(let text) = piece { !text.contains(where: \.endsAuthority) } else { true }
      })
  }
}

extension ValueTemplate.Piece {
  fileprivate var isPath: Bool { if case .path = self { true } else { false } }

  fileprivate var beginsPath: Bool {
    if case .literal(let text) = self { text.first?.endsAuthority ?? false } else { false }
  }
}

extension Character {
  fileprivate var endsAuthority: Bool { self == "/" || self == "?" || self == "#" }
}

extension String {
  fileprivate var withoutLastSlash: String { hasSuffix("/") ? String(dropLast()) : self }

  /// Whether a path segment of this URL is `.` or `..`.
  fileprivate var hasDotSegments: Bool {
    prefix { $0 != "?" && $0 != "#" }.split(separator: "/").contains { $0 == "." || $0 == ".." }
  }
}
