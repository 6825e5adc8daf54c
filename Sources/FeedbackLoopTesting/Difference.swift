/// The difference of two values, line by line: `−` was expected, `+` is actual.
package struct Difference: CustomStringConvertible {
  private static let context = 2

  package let description: String

  /// The difference of two values that are not equal.
  package init(expected: Any, actual: Any) {
    let described = Self.text(ValueDescription(expected).lines, ValueDescription(actual).lines)
    let structural = {
      Self.text(
        ValueDescription(expected, style: .structural).lines,
        ValueDescription(actual, style: .structural).lines)
    }
    description = described ?? structural() ?? "  (the values are not equal, but print the same)"
  }

  /// The difference of two lists of lines; empty if they are equal.
  init(expected: [String], actual: [String]) {
    description = Self.text(expected, actual) ?? ""
  }

  private static func text(_ expected: [String], _ actual: [String]) -> String? {
    let difference = actual.difference(from: expected)
    guard !difference.isEmpty else { return nil }
    return excerpt(merged(expected, actual, difference)).joined(separator: "\n")
  }

  private typealias Line = (mark: Character, text: String)

  /// All lines of both, with common lines once.
  private static func merged(
    _ expected: [String], _ actual: [String], _ difference: CollectionDifference<String>
  ) -> [Line] {
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var lines: [Line] = []
    var position = 0
    for (offset, line) in expected.enumerated() {
      if removed.contains(offset) {
        lines.append(("−", line))
        continue
      }
      while inserted.contains(position) {
        lines.append(("+", actual[position]))
        position += 1
      }
      lines.append((" ", line))
      position += 1
    }
    lines += actual.dropFirst(position).map { ("+", $0) }
    return lines
  }

  /// The lines that differ, with some context; two or more omitted lines become an ellipsis.
  private static func excerpt(_ lines: [Line]) -> [String] {
    var isShown = Array(repeating: false, count: lines.count)
    for index in lines.indices where lines[index].mark != " " {
      for near in max(0, index - context)...min(lines.count - 1, index + context) { isShown[near] = true }
    }
    var excerpt: [String] = []
    for (index, line) in lines.enumerated() {
      let isHiddenBefore = index > 0 && !isShown[index - 1]
      let isHiddenAfter = index + 1 < lines.count && !isShown[index + 1]
      if isShown[index] || !(isHiddenBefore || isHiddenAfter) {
        excerpt.append("  \(line.mark) \(line.text)")
      } else if !isHiddenBefore {
        excerpt.append("    …")
      }
    }
    return excerpt
  }
}
