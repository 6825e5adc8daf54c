import HTTPValues
import JSON
import Search

/// A position that is a part of a string of the example: a range of rows (`range=0-24`), a field of JSON in a parameter
/// (`filter={"limit":10,"skip":20}`), or a segment of the path (`/list/1`).
package struct InnerPosition: Sendable, Hashable {
  let style: PaginationGuess.Style
  /// The name for the user: `range`, `filter.skip`.
  let name: String
  let first: Int
  /// The page size that a request of the source has; nil if it has none.
  var size: Int?
  /// The URL with its placeholder; nil if it is in another string.
  var url: String?
  /// The strings that replace those of the example.
  var texts: [Slot: String] = [:]
  /// Whether another position is about as likely.
  var isTentative = false

  /// All that the example may have, most likely first.
  static func all(_ context: DetectionContext) -> [InnerPosition] {
    let count = context.rows.count
    let plain = context.request.plainValues
    return bounds(plain, count) + plain.flatMap { ranges($0.slot, $0.value, count) }
      + plain.flatMap { fields($0.slot, $0.value, count) } + segments(context)
  }
}

extension RequestGuess {
  /// The values that are no credentials, with their places.
  fileprivate var plainValues: [(slot: Slot, value: String)] {
    let headers = example.headers.compactMap { field in
      field.value.plain.map { (slot: Slot.header(field.name), value: $0) }
    }
    let leaves = (example.body?.graphQL == nil ? example.body?.leaves : nil) ?? []
    return example.address.queryItems.map { (slot: .query($0.name), value: $0.value ?? "") } + headers
      + leaves.compactMap { leaf in leaf.text.plain.map { (slot: .body(leaf.path), value: $0) } }
  }
}

// MARK: - Ranges

extension InnerPosition {
  /// The placeholders for the second number of a range with this many rows.
  private static func ends(_ start: Int, _ other: Int, _ count: Int, _ separator: String) -> [String] {
    let sizes = [("{last}", other - start + 1), ("{end}", other - start), ("{page_size}", other)]
    let exact = sizes.filter { $0.1 == count && count > 1 }.map(\.0)
    // A service may send fewer rows than requested.
    if exact.isEmpty, start <= 1, separator == "-", other - start >= count { return ["{last}"] }
    return exact
  }

  private static func size(_ end: String, _ start: Int, _ other: Int) -> Int {
    switch end {
    case "{last}": other - start + 1
    case "{end}": other - start
    default: other
    }
  }

  /// `range=0-24`, `range=[0,24]`, `limit=0,25`, `Range: items=0-24`.
  private static func ranges(_ slot: Slot, _ value: String, _ count: Int) -> [InnerPosition] {
    let range = /([^0-9]*)([0-9]{1,9})( ?[-:,;] ?)([0-9]{1,9})([\])}]?)/
    guard let match = value.wholeMatch(of: range), let start = Int(match.2), let other = Int(match.4) else {
      return []
    }
    let ends = ends(start, other, count, String(match.3))
    return ends.map { end in
      let text =
        String(match.1).withDoubledBraces + "{offset}\(match.3)\(end)" + String(match.5).withDoubledBraces
      return InnerPosition(
        style: .offset, name: slot.name, first: start == 1 ? 1 : 0, size: size(end, start, other),
        texts: [slot: text], isTentative: ends.count > 1)
    }
  }

  /// `_start=0&_end=25`: two values of a name each.
  private static func bounds(_ plain: [(slot: Slot, value: String)], _ count: Int) -> [InnerPosition] {
    func numbers(_ names: [String]) -> [(slot: Slot, value: Int)] {
      plain.compactMap { slot, value in
        let words = ParameterFamilies.words(of: slot.name)
        guard names.contains(where: words.contains), let number = Int(value), number >= 0 else { return nil }
        return (slot, number)
      }
    }
    guard let start = numbers(["start", "from", "begin", "first", "offset", "lower"]).first,
      let end = numbers(["end", "to", "stop", "last", "until", "upper"]).first(where: {
        $0.slot != start.slot
      })
    else { return [] }
    return ends(start.value, end.value, count, "-").filter { $0 != "{page_size}" }.map { text in
      InnerPosition(
        style: .offset, name: start.slot.name, first: start.value == 1 ? 1 : 0,
        size: size(text, start.value, end.value), texts: [start.slot: "{offset}", end.slot: text])
    }
  }
}

// MARK: - JSON in a parameter

extension InnerPosition {
  /// `filter={"limit":10,"skip":20}`; with a page size alone, the positions that may stand beside it.
  private static func fields(_ slot: Slot, _ value: String, _ count: Int) -> [InnerPosition] {
    guard case .query = slot, value.first == "{", let document = try? JSONDocument(Array(value.utf8)),
      document.root.kind == .object
    else { return [] }
    let leaves = numbers(document, document.rootNode, [], depth: 0)
    let size = leaves.first { if case .pageSize = $0.role { true } else { false } }
    func text(_ position: Leaf?, _ placeholder: String, beside: String = "") -> String {
      var text = ""
      var rest = value.utf8[...]
      var offset = 0
      let places = [
        position.map { ($0.range, "{\(placeholder)}") }, size.map { ($0.range, "{page_size}\(beside)") },
      ]
      .compactMap(\.self).sorted { $0.0.lowerBound < $1.0.lowerBound }
      for (range, inserted) in places {
        text +=
          String(decoding: rest.prefix(range.lowerBound - offset), as: UTF8.self).withDoubledBraces + inserted
        rest = rest.dropFirst(range.upperBound - offset)
        offset = range.upperBound
      }
      return text + String(decoding: rest, as: UTF8.self).withDoubledBraces
    }
    func position(_ style: PaginationGuess.Style, _ path: [String], first: Int, _ text: String)
      -> InnerPosition
    {
      InnerPosition(
        style: style, name: ([slot.name] + path).joined(separator: "."), first: first, size: size?.value,
        texts: [slot: text])
    }
    for leaf in leaves {
      switch leaf.role {
      case .page(let number):
        return [position(.page, leaf.path, first: min(number, 1), text(leaf, "page"))]
      case .offset(let number):
        return [position(.offset, leaf.path, first: number == 1 ? 1 : 0, text(leaf, "offset"))]
      case .search, .pageSize, .cursor, .credential, .literal: continue
      }
    }
    guard let size, let name = size.path.last else { return [] }
    return ParameterFamilies.ways(beside: name, spelledAs: name).prefix(5).map { way in
      let placeholder = way.style == .page ? "page" : "offset"
      var position = position(
        way.style, size.path.dropLast() + [way.name], first: way.style == .page ? 1 : 0,
        text(nil, placeholder, beside: ",\(JSONText.quoted(way.name)):{\(placeholder)}"))
      position.isTentative = true
      return position
    }
  }

  private struct Leaf {
    let path: [String]
    let role: ParameterRole
    let value: Int
    let range: Range<Int>
  }

  /// The numbers of an object and of those in it. Recursion is bounded by the depth.
  private static func numbers(
    _ document: JSONDocument, _ node: JSONNode, _ path: [String], depth: Int
  ) -> [Leaf] {
    document.members(of: node).prefix(100).flatMap { name, value -> [Leaf] in
      guard let name = document.string(of: name) else { return [] }
      if document.kind(of: value) == .object, depth < 4 {
        return numbers(document, value, path + [name], depth: depth + 1)
      }
      guard document.kind(of: value) == .number,
        let number = document.numberText(of: value).flatMap({ Int($0) })
      else { return [] }
      return [
        Leaf(
          path: path + [name], role: ParameterRole(name: name, value: "\(number)"), value: number,
          range: document.byteRange(of: value))
      ]
    }
  }
}

// MARK: - The path

extension InnerPosition {
  /// `/list/page/1`, `/list/1`, `/list/0/25`.
  private static func segments(_ context: DetectionContext) -> [InnerPosition] {
    let url = context.request.url
    guard let start = url.firstRange(of: "://")?.upperBound else { return [] }
    let end = url[start...].firstIndex { "?#".contains($0) } ?? url.endIndex
    var parts = url[start..<end].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let last = parts.lastIndex { !$0.isEmpty } ?? 0
    guard last > 0 else { return [] }
    func position(
      _ style: PaginationGuess.Style, _ first: Int, size: Int? = nil, isTentative: Bool
    ) -> InnerPosition {
      InnerPosition(
        style: style, name: "the path", first: first, size: size,
        url: url[..<start] + parts.joined(separator: "/") + url[end...], isTentative: isTentative)
    }
    func number(_ index: Int) -> Int? {
      index > 0 && parts[index].utf8.count <= 9 ? Int(parts[index]).flatMap { $0 >= 0 ? $0 : nil } : nil
    }
    // Two numbers at the end are a position and a size.
    if let a = number(last - 1), let b = number(last) {
      let count = context.rows.count
      for (place, position0, sizePlace, size) in [(last - 1, a, last, b), (last, b, last - 1, a)]
      where size == count && count > 1 {
        parts[sizePlace] = "{page_size}"
        if position0 == 1 {
          parts[place] = "{page}"
          return [position(.page, 1, size: size, isTentative: true)]
        }
        parts[place] = "{offset}"
        return [position(.offset, 0, size: size, isTentative: true)]
      }
    }
    for index in parts.indices.dropFirst().reversed() {
      guard
        let match = parts[index].wholeMatch(of: /((?:page|p)?[-_]?)([0-9]{1,6})((?:\.json)?)/.ignoresCase()),
        let page = Int(match.2)
      else { continue }
      let isNamed = match.1.count > 2 || ["page", "p", "pages"].contains(parts[index - 1].lowercased())
      guard isNamed || index == last && (page <= 1 || !match.1.isEmpty) && context.mayHaveMore else {
        continue
      }
      parts[index] = "\(match.1){page}\(match.3)"
      return [position(.page, min(page, 1), isTentative: !isNamed)]
    }
    return []
  }
}

/// Positions that are a part of a string.
extension PaginationSignal {
  static let innerPosition = PaginationSignal { context in
    InnerPosition.all(context).enumerated().map { rank, inner in
      var guess = PaginationGuess(
        style: inner.style, parameter: inner.name, first: .number(inner.first),
        confidence: (inner.isTentative ? 0.72 : 0.82) - 0.005 * Double(rank),
        reason: inner.url == nil
          ? "the request has a position in \(inner.name)" : "a number in the path of the URL")
      guess.isTentative = inner.isTentative
      guess.inner = inner
      return guess
    }
  }
}
