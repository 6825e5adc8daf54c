/// The part of a URL that a placeholder is in, which determines the values it may have.
package enum AddressPart: Sendable, Hashable {
  /// At the start: scheme, host, and optionally a path.
  case base
  /// Before `//`: only a base URL may provide the scheme.
  case scheme
  /// The host and its port.
  case host
  case path
  case query
}

extension Template {
  /// The placeholders of a URL, each with the part it is in. Split by bytes, so that a combining mark after a
  /// `/` does not hide it.
  package var addressPlaceholders: [(placeholder: Placeholder, part: AddressPart)] {
    var result: [(placeholder: Placeholder, part: AddressPart)] = []
    var place = AddressPlace()
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .placeholder(let placeholder):
        result.append((placeholder, index == 0 ? .base : place.part))
        if index == 0 { place.part = .host }
      case .literal(let text):
        for byte in text.utf8 { place.pass(byte) }
      }
    }
    return result
  }

  /// The name of the option that provides scheme and host.
  package var baseName: String? {
    if case .placeholder(let placeholder)? = pieces.first { placeholder.name } else { nil }
  }
}

private struct AddressPlace {
  var part = AddressPart.scheme
  private var previous: UInt8 = 0

  mutating func pass(_ byte: UInt8) {
    let slash = UInt8(ascii: "/")
    switch (part, byte) {
    case (.scheme, slash) where previous == slash: part = .host
    case (.host, slash): part = .path
    case (.host, UInt8(ascii: "?")), (.path, UInt8(ascii: "?")): part = .query
    default: break
    }
    previous = byte
  }
}
