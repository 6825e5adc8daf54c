import FoundationEssentials

/// Writes `Codable` values as JSON, and reads them back: recordings, progress files, and stored credentials.
///
/// The text is on one line, and the members of objects are sorted by name. A case of an enum is an object with one
/// member, whose value is an object of the associated values: `{"stopped":{}}`, `{"refreshed":{"rows":40}}`,
/// `{"focused":{"_0":true}}`.
package enum JSONCoding {
  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Such a number is written as a string, so that it is rejected when it is read.
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }()

  package static func bytes(of value: some Encodable) -> [UInt8] {
    // None of our values throws.
    (try? encoder.encode(value)).map { Array($0) } ?? []
  }

  package static func text(of value: some Encodable) -> String {
    String(decoding: bytes(of: value), as: UTF8.self)
  }
}

/// The reason why a JSON value cannot be decoded.
package struct JSONCodingError: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String

  /// - Parameter path: The path of the value. List indices and unlabeled values of a case are not shown.
  package init(_ problem: String, at path: [any CodingKey] = []) {
    let names = path.filter { $0.intValue == nil && $0.stringValue != "_0" }.map(\.stringValue)
    description = names.isEmpty ? problem : "\(names.joined(separator: ".")): \(problem)"
  }
}

/// A serialized value that is checked after decoding and before it is used, like a response: no file can make the
/// program overflow, crash, or run forever.
package protocol JSONChecked: Codable {
  /// Refuses what decoding alone accepts, such as numbers out of range, or limits it.
  mutating func check() throws(JSONCodingError)
}

extension Int {
  /// Checks a number that the program computes with: by default a count far below the overflow limit.
  package func check(_ name: String, in range: ClosedRange<Int> = 0...Int(Int32.max)) throws(JSONCodingError)
  {
    guard range.contains(self) else { throw JSONCodingError("\(name): \(self) is out of range") }
  }
}

extension Double {
  /// Checks a time or a duration in seconds: at most thirty million years.
  package func check(_ name: String) throws(JSONCodingError) {
    guard abs(self) <= 1e15 else { throw JSONCodingError("\(name): \(self) is out of range") }
  }
}

extension JSONValue {
  /// The value of this type, checked. Accepts what `JSONCoding` writes. O(bytes).
  package func decoded<Value: JSONChecked>(as type: Value.Type = Value.self) throws(JSONCodingError) -> Value
  {
    do {
      var value = try JSONDecoder().decode(type, from: Data(document.compactBytes(of: node)))
      try value.check()
      return value
    } catch let error as DecodingError {
      throw refusal(error)
    } catch let error as JSONCodingError {
      throw error
    } catch { throw JSONCodingError("\(error)") }
  }

  /// The error in terms of the text that was read.
  private func refusal(_ error: DecodingError) -> JSONCodingError {
    switch error {
    case .keyNotFound(let key, let context):
      JSONCodingError("\(JSONText.quoted(key.stringValue)) is missing", at: context.codingPath)
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      JSONCodingError(problem(at: context.codingPath, expecting: type), at: context.codingPath)
    // Foundation reports nothing more about valid JSON that does not fit the type.
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      JSONCodingError("a number is out of range or not whole, or a string is not Unicode text")
    case .dataCorrupted(let context):
      JSONCodingError(problem(at: context.codingPath, expecting: nil), at: context.codingPath)
    @unknown default: JSONCodingError("\(error)")
    }
  }

  /// - Parameter type: The type of the value, or the enum that lacks this case; nil for an enum with raw values.
  private func problem(at path: [any CodingKey], expecting type: (any Any.Type)?) -> String {
    let value = value(at: path)
    let text = String(decoding: value.document.bytes[value.byteRange].prefix(40), as: UTF8.self)
    return switch type {
    case is String.Type: "\(text) is not a string"
    case is Bool.Type: "\(text) is not true or false"
    case is any FixedWidthInteger.Type: "\(text) is not a whole number"
    case is any BinaryFloatingPoint.Type: "\(text) is not a number"
    case is [Any].Type: "\(text) is not a list"
    case is [String: Any].Type: "\(text) is not an object"
    case nil: "\(text) is not known to this version"
    default:
      if let name = value.members.first?.name, value.count == 1 {
        "\(JSONText.quoted(name)) is not known to this version"
      } else {
        "\(text) is not a name or an object with one member"
      }
    }
  }

  /// The value at a path, or at the longest part of it that exists.
  private func value(at path: [any CodingKey]) -> JSONValue {
    path.reduce(self) { value, key in key.intValue.flatMap { value[$0] } ?? value[key.stringValue] ?? value }
  }
}

extension JSONDocument {
  /// The document's text with some of its values and member names replaced.
  ///
  /// - Parameter replacement: The text for a value or name; nil to keep it and to ask for its contents instead.
  package func replacing(_ replacement: (JSONNode) -> [UInt8]?) -> [UInt8] {
    var (output, copied, index): ([UInt8], Int, Int) = ([], 0, 0)
    while index < tape.count {
      let node = JSONNode(index: index)
      if let text = replacement(node) {
        let range = byteRange(of: node)
        output += bytes[copied..<range.lowerBound] + text
        copied = range.upperBound
        index = Self.indexAfter(index, in: tape.span)
      } else {
        index += 1
      }
    }
    return output + bytes[copied...]
  }
}
