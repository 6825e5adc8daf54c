/// A path into a JSON value: `a.b[0].c`, `a[*].name`, `["odd.key"]`, `[-1]`, `[1:3]`, `links[rel=next].href`,
/// `@key`, `$`.
///
/// | part | selects |
/// |---|---|
/// | `name`, `["odd.key"]` | the member with this name |
/// | `[2]`, `[-1]` | one element, from the end if negative |
/// | `[*]`, `[2:]`, `[:-1]`, `[1:3]` | all elements, or those from the first index up to but not including the second |
/// | `[rel=next]`, `[rel="a]b"]` | the first element that is an object whose member has this text |
/// | `@key` (last) | the member name of the value |
/// | `$` (alone or first) | the value that the path is evaluated on |
///
/// A bare name consists of letters, digits, `_`, and `-`; any other name is quoted like a JSON string.
package struct JSONPath: Sendable, Hashable {
  enum Step: Sendable, Hashable {
    case member(JSONKey)
    case element(Int)
    case slice(from: Int?, upTo: Int?)
    case allElements
    case firstElement(where: JSONKey, hasText: String)
    case name
  }

  let steps: [Step]

  init(steps: [Step]) { self.steps = steps }

  package init(_ expression: String) throws(JSONPathError) {
    var parser = JSONPathParser(expression)
    steps = try parser.parse()
  }

  /// `$`, the value itself.
  package static let root = JSONPath(steps: [])

  /// Whether it may select more than one value.
  package var isPlural: Bool { steps.contains(where: \.isPlural) }

  /// The path up to the first step that may select several values: the path of the list that they are in.
  package var singularPrefix: JSONPath { JSONPath(steps: Array(steps.prefix { !$0.isPlural })) }

  /// The last member name in the path, for use as a title.
  package var lastName: String? {
    for case .member(let key) in steps.reversed() { return key.name }
    return nil
  }
}

extension JSONPath.Step {
  fileprivate var isPlural: Bool {
    switch self {
    case .allElements, .slice: true
    case .member, .element, .firstElement, .name: false
    }
  }
}

extension JSONPath: CustomStringConvertible {
  /// The canonical expression: parsing it gives an equal path.
  package var description: String {
    guard let first = steps.first else { return "$" }
    return steps.dropFirst().reduce("\(first)") { text, step in
      let part = "\(step)"
      return part.hasPrefix("[") ? text + part : "\(text).\(part)"
    }
  }
}

extension JSONPath.Step: CustomStringConvertible {
  var description: String {
    switch self {
    case .member(let key): Self.isBareName(key.name) ? key.name : "[\(JSONText.quoted(key.name))]"
    case .element(let index): "[\(index)]"
    case .slice(let lower, let upper): "[\(lower.map(String.init) ?? ""):\(upper.map(String.init) ?? "")]"
    case .allElements: "[*]"
    case .firstElement(let key, let text):
      "[\(Self.isFilterName(key.name) ? key.name : JSONText.quoted(key.name))="
        + "\(Self.isBareName(text) ? text : JSONText.quoted(text))]"
    case .name: "@key"
    }
  }

  static func isNameScalar(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "-" || scalar.properties.isXIDContinue
  }

  private static func isBareName(_ name: String) -> Bool {
    !name.isEmpty && name.unicodeScalars.allSatisfy(isNameScalar)
  }

  /// In brackets, a digit or minus sign begins an index.
  private static func isFilterName(_ name: String) -> Bool {
    isBareName(name) && !(name.first?.isNumber ?? true) && !name.hasPrefix("-")
  }
}
