import Foundation
import JSON

/// The value that Foundation reads from a JSON text; nil if it refuses the text.
func foundationValue(_ bytes: [UInt8]) -> Any? {
  try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
}

/// Whether every part of a value equals the one that Foundation read.
func agrees(_ value: JSONValue, with other: Any) -> Bool {
  switch value.kind {
  case .object:
    guard let object = other as? [String: Any] else { return false }
    let members = value.members
    return members.count == object.count
      && members.allSatisfy { name, value in object[name].map { agrees(value, with: $0) } ?? false }
  case .array:
    guard let array = other as? [Any], array.count == value.count else { return false }
    return zip(value.elements, array).allSatisfy { agrees($0, with: $1) }
  case .string: return (other as? String).map { value.string?.utf8.elementsEqual($0.utf8) ?? false } ?? false
  case .number:
    guard let number = value.numberText.flatMap(Double.init), let other = other as? NSNumber else {
      return false
    }
    return abs(number - other.doubleValue) <= abs(number) * 1e-15
  case .bool: return (other as? Bool) == value.bool
  case .null: return other is NSNull
  }
}
