/// Reads one `Link` field value from left to right (RFC 8288, appendix B.2).
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
      guard let target = takeEnclosed(upTo: UInt8(ascii: ">")) else { return links }
      guard let parameters = takeParameters() else { return links }
      // A < is in no reference (RFC 3986): what holds one is no target but a stray bracket.
      guard parameters["anchor"] == nil, !target.utf8.contains(UInt8(ascii: "<")) else { continue }
      let relations = (parameters["rel"] ?? "").lowercased().split { $0 == " " || $0 == "\t" }
      let others = parameters.filter { $0.key != "rel" }
      links.append(LinkHeader.Link(target: target, relations: relations.map(String.init), parameters: others))
    }
    return links
  }

  /// Parameters up to a comma or the end; nil when a quote is never closed.
  private mutating func takeParameters() -> [String: String]? {
    var parameters: [String: String] = [:]
    while let byte = rest.first, byte != UInt8(ascii: ",") {
      guard byte == UInt8(ascii: ";") else {
        guard skipForeignPart() else { return nil }
        continue
      }
      rest.removeFirst()
      skip(while: \.isLinkSpace)
      let name = take { !$0.isLinkSpace && !$0.isLinkDelimiter }
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

  /// What follows the first byte up to the closing one, which is consumed; in double quotes a backslash
  /// takes the next byte as it is. Nil, with everything consumed, when it is never closed.
  private mutating func takeEnclosed(upTo close: UInt8) -> String? {
    let escapes = close == UInt8(ascii: "\"")
    var content: [UInt8] = []
    rest.removeFirst()
    while let byte = rest.popFirst() {
      if byte == close { return String(decoding: content, as: UTF8.self) }
      if escapes, byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
        content.append(escaped)
      } else {
        content.append(byte)
      }
    }
    return nil
  }

  /// Skips what is no link up to the comma behind it.
  private mutating func skipToEndOfLink() {
    while let byte = rest.first, byte != UInt8(ascii: ","), skipForeignPart() {}
  }

  /// Skips a byte that fits nowhere, or all of what quotes or `<>` enclose; false when they are never closed.
  private mutating func skipForeignPart() -> Bool {
    switch rest.first {
    case UInt8(ascii: "\""): takeEnclosed(upTo: UInt8(ascii: "\"")) != nil
    case UInt8(ascii: "<"): takeEnclosed(upTo: UInt8(ascii: ">")) != nil
    default: rest.popFirst() != nil
    }
  }

  private mutating func skip(while isSkipped: (UInt8) -> Bool) {
    rest = rest.drop(while: isSkipped)
  }

  private mutating func take(while isTaken: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let taken = rest.prefix(while: isTaken)
    rest = rest[taken.endIndex...]
    return taken
  }
}

extension UInt8 {
  fileprivate var isLinkSpace: Bool { self == 0x20 || self == 0x09 }

  fileprivate var isLinkDelimiter: Bool {
    self == UInt8(ascii: "=") || self == UInt8(ascii: ";") || self == UInt8(ascii: ",")
  }

  fileprivate var endsLinkValue: Bool {
    isLinkSpace || self == UInt8(ascii: ";") || self == UInt8(ascii: ",")
  }
}
