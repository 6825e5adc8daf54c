/// The characters allowed in an option's value, written `a-z0-9-`: single characters and ranges; a `-` at
/// either end is literal.
package struct Charset: Sendable, Hashable, CustomStringConvertible {
  /// As written.
  package let description: String
  private let ranges: [ClosedRange<Unicode.Scalar>]

  package init(_ text: String) throws(CharsetError) {
    guard !text.isEmpty else { throw CharsetError(problem: "contains no characters") }
    description = text
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    var rest = text.unicodeScalars[...]
    while let first = rest.popFirst() {
      guard rest.first == "-", let last = rest.dropFirst().first else {
        ranges.append(first...first)
        continue
      }
      guard first <= last else { throw CharsetError(problem: "range \(first)-\(last) is reversed") }
      ranges.append(first...last)
      rest = rest.dropFirst(2)
    }
    self.ranges = ranges
  }

  package func contains(_ scalar: Unicode.Scalar) -> Bool { ranges.contains { $0.contains(scalar) } }

  /// Whether the text contains only these characters.
  package func covers(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(contains) }

  /// Whether each range is contained in a range of the other set.
  package func isSubset(of other: Charset) -> Bool {
    ranges.allSatisfy { range in
      other.ranges.contains { $0.contains(range.lowerBound) && $0.contains(range.upperBound) }
    }
  }
}

/// Why a text is not a valid character set; reads as the end of a sentence about it.
package struct CharsetError: Error, Sendable, Hashable, CustomStringConvertible {
  let problem: String

  package var description: String { problem }
}
