/// A failure found by a ``TestSystem``, with its location in the test.
///
/// The library imports no test framework; it passes failures to a closure. For Swift Testing, that is `TestFailure.record` of
/// the library `FeedbackLoopSwiftTesting`. For another framework, write one, such as this for XCTest:
///
/// ```swift
/// extension TestFailure {
///   @Sendable static func fail(_ failure: TestFailure) {
///     XCTFail(failure.message, file: "\(failure.filePath)", line: UInt(failure.line))
///   }
/// }
/// ```
public struct TestFailure: Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, with a difference where values are compared. May have many lines.
  public let message: String
  /// `#fileID` of the expectation.
  public let fileID: String
  /// `#filePath` of the expectation.
  public let filePath: String
  /// `#line` of the expectation.
  public let line: Int
  /// `#column` of the expectation.
  public let column: Int

  /// The message, preceded by file and line.
  public var description: String { "\(fileID):\(line): \(message)" }
}

/// The source location of an expectation.
struct Place {
  let fileID: String
  let filePath: String
  let line: Int
  let column: Int
}

/// The difference of two values, line by line: `−` was expected, `+` is actual.
package struct Difference: CustomStringConvertible {
  private static let context = 2

  package let description: String

  /// The difference of two values that are not equal.
  package init(expected: Any, actual: Any) {
    let text = { (style: ValueDescription.Style) in
      Self.text(ValueDescription(expected, style: style).lines, ValueDescription(actual, style: style).lines)
    }
    description =
      text(.described) ?? text(.structural) ?? "  (the values are not equal, but print the same)"
  }

  /// The difference of two lists of lines; empty if they are equal.
  init(expected: [String], actual: [String]) { description = Self.text(expected, actual) ?? "" }

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
    let isShown = lines.indices.map { index in
      lines[max(0, index - context)...min(lines.count - 1, index + context)].contains { $0.mark != " " }
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

/// A value as text: on one line if it fits, otherwise with one line for each part.
package struct ValueDescription {
  /// How a value with a description of its own is formatted.
  package enum Style {
    /// By its description.
    case described
    /// By its parts, which may differ even if descriptions are equal.
    case structural
  }

  /// How a text of several lines is formatted.
  package enum Texts {
    /// Like a literal of several lines, so that a difference shows which of them differ.
    case lines
    /// On one line, with `\n`.
    case escaped
  }

  private static let maximumDepth = 24
  private static let maximumWidth = 64

  package private(set) var lines: [String]

  /// The value on one line, whatever its length.
  package static func line(_ value: Any) -> String { compact(ValueDescription(value, texts: .escaped).lines) }

  /// The value on one line, or the beginning of it if it is long.
  package static func brief(_ value: Any) -> String {
    let line = line(value)
    return line.count <= maximumWidth ? line : line.prefix(maximumWidth) + "…"
  }

  /// - Parameter depth: How many values enclose this one.
  package init(_ value: Any, style: Style = .described, texts: Texts = .lines, depth: Int = 0) {
    let mirror = Mirror(reflecting: value)
    guard depth < Self.maximumDepth else {
      lines = ["…"]
      return
    }
    let inner = { (part: Any) in ValueDescription(part, style: style, texts: texts, depth: depth + 1) }
    let parts = { (children: Mirror.Children) in children.map { inner($0.value).labeled($0.label) } }
    switch mirror.displayStyle {
    case .optional:
      lines = mirror.children.first.map { inner($0.value).lines } ?? ["nil"]
    case .collection:
      lines = Self.enclosed("[", parts(mirror.children), "]", depth)
    case .set:
      lines = Self.enclosed(
        "[", parts(mirror.children).sorted { $0.lines.lexicographicallyPrecedes($1.lines) }, "]", depth)
    case .dictionary:
      let pairs = mirror.children.map { Self.pair($0.value, inner) }
      lines = Self.enclosed("[", pairs.sorted { $0.lines.lexicographicallyPrecedes($1.lines) }, "]", depth)
    case .tuple:
      lines = Self.enclosed("(", parts(mirror.children), ")", depth)
    case .enum:
      lines = Self.enumCase(value, mirror, inner, depth)
    case .struct, .class:
      let isDescribed = style == .described && value is any CustomStringConvertible
      lines =
        isDescribed || mirror.children.isEmpty
        ? Self.leaf(value, texts) : Self.enclosed("\(type(of: value))(", parts(mirror.children), ")", depth)
    default:
      lines = Self.leaf(value, texts)
    }
  }

  private func labeled(_ label: String?) -> ValueDescription {
    guard let label, !label.hasPrefix("."), let first = lines.first else { return self }
    var labeled = self
    labeled.lines[0] = "\(label): \(first)"
    return labeled
  }

  private static func pair(_ pair: Any, _ inner: (Any) -> ValueDescription) -> ValueDescription {
    let parts = Mirror(reflecting: pair).children.map(\.value)
    guard parts.count == 2 else { return inner(pair) }
    return inner(parts[1]).labeled(line(parts[0]))
  }

  private static func enumCase(
    _ value: Any, _ mirror: Mirror, _ inner: (Any) -> ValueDescription, _ depth: Int
  ) -> [String] {
    guard let payload = mirror.children.first, let name = payload.label else { return [".\(value)"] }
    let described = inner(payload.value)
    if Mirror(reflecting: payload.value).displayStyle == .tuple {
      return [".\(name)\(described.lines[0])"] + described.lines.dropFirst()
    }
    return enclosed(".\(name)(", [described], ")", depth)
  }

  /// A text in quotes, or a value by its description.
  private static func leaf(_ value: Any, _ texts: Texts) -> [String] {
    let text = value as? String
    let lines = text ?? String(describing: value)
    // By scalars, since a carriage return and a line feed are one character.
    let split = lines.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard split.count > 1, texts == .lines else { return [text?.debugDescription ?? lines] }
    guard text != nil else { return split }
    return ["\"\"\""] + split.map { "  \(escaped($0))" } + ["  \"\"\""]
  }

  /// A line of a text, with control characters as in a literal, but quotation marks as they are.
  private static func escaped(_ line: String) -> Substring {
    line.debugDescription.replacing("\\\"", with: "\"").dropFirst().dropLast()
  }

  /// Parts between brackets: on one line if they fit and are not the whole value.
  private static func enclosed(_ open: String, _ parts: [ValueDescription], _ close: String, _ depth: Int)
    -> [String]
  {
    guard !parts.isEmpty else { return [open + close] }
    let isShort = parts.allSatisfy { $0.lines.count == 1 }
    let line = open + parts.map { $0.lines[0] }.joined(separator: ", ") + close
    if isShort, depth > 0, line.count <= maximumWidth { return [line] }
    let inner = parts.enumerated().flatMap { index, part in
      var lines = part.lines.map { "  " + $0 }
      if index < parts.count - 1 { lines[lines.count - 1] += "," }
      return lines
    }
    return [open] + inner + [close]
  }

  private static func compact(_ lines: [String]) -> String {
    var text = ""
    for line in lines {
      let part = line.drop { $0 == " " }
      if text.hasSuffix(",") { text += " " }
      text += part
    }
    return text
  }
}
