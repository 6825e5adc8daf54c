/// Why a text is not a JSON path, and where.
package struct JSONPathError: Error, Sendable, Hashable, CustomStringConvertible {
  package let expression: String
  /// The position in Unicode scalars, from 1.
  package let column: Int
  package let expected: String
  package let found: String

  package var description: String {
    "path \(JSONText.quoted(expression)), column \(column): expected \(expected), found \(found)"
  }
}
