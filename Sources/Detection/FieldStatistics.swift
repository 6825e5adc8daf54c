import JSON
private import Text

/// The scalar fields of the first rows and of the objects directly in them: the candidates for columns, key, and link.
/// A list of strings counts as a scalar if it is the row's title (Crossref has lists of titles).
struct FieldStatistics: Sendable {
  /// One field across all sampled rows.
  struct Member: Sendable {
    let path: JSONPath
    let name: String
    /// The name of the enclosing field; empty for a field of the row itself.
    let parentName: String
    /// The number of rows that have it with a value other than null or "".
    private(set) var count = 0
    private(set) var kinds: Set<JSONKind> = []
    private(set) var longest = 0
    private(set) var texts: Set<String> = []
    /// The largest number; nil unless every value is a whole number.
    private(set) var largest: Int? = 0
    private(set) var isTime = true
    private(set) var isAddress = true
    /// Whether some value contains an HTML tag.
    private(set) var hasTags = false
    /// Whether some value contains an HTML entity.
    private(set) var hasEntities = false

    var word: String { ParameterRole.word(name) }
    var isNested: Bool { !parentName.isEmpty }

    /// The strings that indicate a tag: the end of one, or a whole one.
    private static let tags = ["</", "<br", "<p>", "/>"]
    private static let entities = ["&amp;", "&lt;", "&gt;", "&quot;", "&#", "&nbsp;", "&hellip;"]

    fileprivate mutating func note(_ text: String, _ kind: JSONKind) {
      count += 1
      kinds.insert(kind)
      longest = max(longest, text.utf8.count)
      hasTags = hasTags || Self.tags.contains { text.contains($0) }
      hasEntities = hasEntities || Self.entities.contains { text.contains($0) }
      texts.insert(String(text.prefix(200)))
      largest = kind == .number ? largest.flatMap { known in Int(text).map { max(known, $0) } } : nil
      isTime = isTime && kind == .string && text.utf8.count >= 10 && Timestamp(iso8601: text) != nil
      isAddress = isAddress && kind == .string && (text.hasPrefix("http://") || text.hasPrefix("https://"))
    }
  }

  let rowCount: Int
  /// The fields, in order of first occurrence.
  let members: [Member]

  private static let maxMembers = 400

  /// Collects the fields. O(fields of the sample).
  init(_ rows: RowsGuess, in document: JSONDocument) {
    var members: [Member] = []
    var places: [JSONPath: Int] = [:]
    for row in rows.sample where document.kind(of: row) == .object {
      for (steps, parent, value) in Self.facts(of: row, in: document) {
        let path = JSONPath(steps: steps)
        if places[path] == nil {
          guard members.count < Self.maxMembers, case .member(let key)? = steps.last else { continue }
          places[path] = members.count
          members.append(Member(path: path, name: key.name, parentName: parent))
        }
        guard let place = places[path], let text = Self.text(of: value, in: document), !text.isEmpty else {
          continue
        }
        members[place].note(text, document.kind(of: value))
      }
    }
    self.members = members.filter { $0.count > 0 }
    rowCount = rows.sample.count
  }

  private static func text(of value: JSONNode, in document: JSONDocument) -> String? {
    guard document.kind(of: value) == .array else { return document.text(of: value) }
    return document.elements(of: value).compactMap { document.text(of: $0) }.joined(separator: ", ")
  }

  private typealias Fact = (steps: [JSONPath.Step], parent: String, value: JSONNode)

  private static func facts(of row: JSONNode, in document: JSONDocument) -> [Fact] {
    var facts: [Fact] = []
    for (key, value) in keyed(row, in: document) {
      switch document.kind(of: value) {
      case .string, .number, .bool: facts.append(([.member(key)], "", value))
      case .array where ColumnGuess.isTitle(key.name) && document.isListOfTexts(value):
        facts.append(([.member(key)], "", value))
      case .object:
        for (inner, value) in keyed(value, in: document) where document.text(of: value) != nil {
          facts.append(([.member(key), .member(inner)], key.name, value))
        }
      case .array, .null: break
      }
    }
    return facts
  }

  private static func keyed(_ object: JSONNode, in document: JSONDocument) -> [(JSONKey, JSONNode)] {
    document.members(of: object).prefix(maxMembers).compactMap { name, value in
      guard document.byteRange(of: name).count <= 100, let text = document.string(of: name), !text.isEmpty
      else { return nil }
      return (JSONKey(text), value)
    }
  }

  /// Whether most rows have it.
  func isCommon(_ member: Member) -> Bool { member.count * 2 > rowCount }

  /// Whether every row has it, with a different value in each.
  func isUnique(_ member: Member) -> Bool { member.count == rowCount && member.texts.count == rowCount }
}

extension JSONDocument {
  fileprivate func isListOfTexts(_ node: JSONNode) -> Bool {
    let elements = Array(elements(of: node).prefix(10))
    return !elements.isEmpty && elements.allSatisfy { kind(of: $0) == .string }
  }
}

/// The key and the web page of a row, as value expressions.
package struct RowIdentity: Sendable, Hashable {
  package let key: String?
  package let link: String?
  /// The key, or else the first string or number that is unique on the page.
  var order: String?
}

extension RowIdentity {
  init(_ statistics: FieldStatistics) {
    let unique = statistics.members.filter(statistics.isUnique)
    key = unique.best { $0.isNested && $0.parentName != "data" ? nil : $0.identifierRank }
    order = key ?? unique.first { !$0.isNested && !$0.isAddress && $0.longest <= 64 }.map { "\($0.path)" }
    link = statistics.members.filter { statistics.isCommon($0) && $0.isAddress }
      .best { Self.links.firstIndex(of: $0.linkWord) }
  }

  private static let links = [
    "htmlurl", "weburl", "linkshtml", "permalink", "link", "url", "pageurl", "href", "uri", "canonicalurl",
    "id", "linksself", "externalurl", "homepage",
  ]
}

extension [FieldStatistics.Member] {
  /// The path of the first field of the lowest rank; nil if none has a rank.
  fileprivate func best(rank: (Element) -> Int?) -> String? {
    compactMap { member in rank(member).map { (rank: $0, path: member.path) } }
      .min { $0.rank < $1.rank }.map { "\($0.path)" }
  }
}

extension FieldStatistics.Member {
  /// The rank as an identifier: lower is more likely; nil if the name does not suggest one.
  var identifierRank: Int? {
    ResponseWords.keys.firstIndex(of: word)
      ?? (["_id", "Id", "ID"].contains(where: name.hasSuffix) ? ResponseWords.keys.count : nil)
  }

  var isIdentifier: Bool { identifierRank != nil }

  /// `links.html` becomes `linkshtml`.
  fileprivate var linkWord: String { ParameterRole.word(parentName) + word }

  /// Whether the number is a Unix time, judging by its magnitude and name.
  var isEpoch: Bool {
    guard let largest, kinds == [.number] else { return false }
    let isInRange = 500_000_000...4_000_000_000 ~= largest || 500_000_000_000...4_000_000_000_000 ~= largest
    return isInRange && Self.timeWords.contains { word.contains($0) }
  }

  private static let timeWords = [
    "date", "time", "created", "updated", "modified", "published", "posted", "utc",
  ]
}
