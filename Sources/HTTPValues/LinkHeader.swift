/// Links of `Link` header fields (RFC 8288).
package enum LinkHeader {
  /// A link whose context is the response itself.
  package struct Link: Sendable, Hashable {
    /// The URL or relative reference, as written.
    package let target: String
    /// The relations in lower case, in order.
    package let relations: [String]
    /// The other parameters by lower-case name; the first of several with the same name counts.
    package let parameters: [String: String]
  }

  /// The first link with this relation, ignoring case. Links without a target are skipped, and so are those
  /// that state that they have no results (`results="false"`, docs.sentry.io/api/pagination).
  package static func target(rel: String, in fields: [String]) -> String? {
    let link = links(in: fields).first { $0.relations.contains(rel.lowercased()) && !$0.target.isEmpty }
    return link?.parameters["results"]?.lowercased() == "false" ? nil : link?.target
  }

  /// All links in order. Malformed parts are skipped, and so are links with another context (`anchor`).
  /// O(bytes).
  package static func links(in fields: [String]) -> [Link] {
    fields.flatMap { field in
      var parser = LinkFieldParser(field)
      return parser.links()
    }
  }
}

/// Parses one `Link` field value from left to right (RFC 8288, appendix B.2).
struct LinkFieldParser {
  private var rest: ArraySlice<UInt8>

  init(_ field: String) { rest = Array(field.utf8)[...] }

  mutating func links() -> [LinkHeader.Link] {
    var links: [LinkHeader.Link] = []
    while !rest.isEmpty {
      skip { $0.isLinkSpace || $0 == UInt8(ascii: ",") }
      guard rest.first == UInt8(ascii: "<") else {
        skipToEndOfLink()
        continue
      }
      guard let target = takeEnclosed(upTo: UInt8(ascii: ">")), let parameters = takeParameters() else {
        return links
      }
      // A reference cannot contain `<` (RFC 3986), so this is a stray bracket and not a target.
      guard parameters["anchor"] == nil, !target.utf8.contains(UInt8(ascii: "<")) else { continue }
      let relations = (parameters["rel"] ?? "").lowercased().split { $0 == " " || $0 == "\t" }
      let others = parameters.filter { $0.key != "rel" }
      links.append(LinkHeader.Link(target: target, relations: relations.map(String.init), parameters: others))
    }
    return links
  }

  /// Parameters up to a comma or the end; nil if a quote is not closed.
  private mutating func takeParameters() -> [String: String]? {
    var parameters: [String: String] = [:]
    while let byte = rest.first, byte != UInt8(ascii: ",") {
      guard byte == UInt8(ascii: ";") else {
        guard skipForeignPart() else { return nil }
        continue
      }
      rest.removeFirst()
      skip(while: \.isLinkSpace)
      let name = take { !$0.endsLinkValue && $0 != UInt8(ascii: "=") }
      skip(while: \.isLinkSpace)
      guard rest.first == UInt8(ascii: "=") else { continue }
      rest.removeFirst()
      skip(while: \.isLinkSpace)
      guard let value = takeValue() else { return nil }
      let key = String(decoding: name, as: UTF8.self).lowercased()
      parameters[key] = parameters[key] ?? value
    }
    return parameters
  }

  private mutating func takeValue() -> String? {
    switch rest.first {
    case UInt8(ascii: "\""): return takeEnclosed(upTo: UInt8(ascii: "\""))
    case UInt8(ascii: "'"):
      let start = rest
      if let value = takeEnclosed(upTo: UInt8(ascii: "'")), rest.first?.endsLinkValue ?? true { return value }
      rest = start
    default: break
    }
    return String(decoding: take { !$0.endsLinkValue }, as: UTF8.self)
  }

  /// The text between the first byte and the closing one, which is consumed; in double quotes, a backslash
  /// escapes the next byte. Nil, with everything consumed, if it is not closed.
  private mutating func takeEnclosed(upTo close: UInt8) -> String? {
    let escapes = close == UInt8(ascii: "\"")
    var content: [UInt8] = []
    rest.removeFirst()
    while let byte = rest.popFirst() {
      if byte == close { return String(decoding: content, as: UTF8.self) }
      let isEscape = escapes && byte == UInt8(ascii: "\\")
      content.append(isEscape ? rest.popFirst() ?? byte : byte)
    }
    return nil
  }

  /// Skips anything that is not a link, up to and including the next comma.
  private mutating func skipToEndOfLink() {
    while let byte = rest.first, byte != UInt8(ascii: ","), skipForeignPart() {}
  }

  /// Skips an unexpected byte, or the whole text enclosed in quotes or `<>`; false if they are not closed.
  private mutating func skipForeignPart() -> Bool {
    switch rest.first {
    case UInt8(ascii: "\""): takeEnclosed(upTo: UInt8(ascii: "\"")) != nil
    case UInt8(ascii: "<"): takeEnclosed(upTo: UInt8(ascii: ">")) != nil
    default: rest.popFirst() != nil
    }
  }

  private mutating func skip(while isSkipped: (UInt8) -> Bool) { rest = rest.drop(while: isSkipped) }

  private mutating func take(while isTaken: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let taken = rest.prefix(while: isTaken)
    rest = rest[taken.endIndex...]
    return taken
  }
}

extension UInt8 {
  fileprivate var isLinkSpace: Bool { self == 0x20 || self == 0x09 }
  fileprivate var endsLinkValue: Bool {
    isLinkSpace || self == UInt8(ascii: ";") || self == UInt8(ascii: ",")
  }
}
