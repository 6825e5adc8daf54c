/// What identifies a row, and its web page; both are value expressions.
package struct RowIdentity: Sendable, Hashable {
  package let key: String?
  package let link: String?
  /// The key, or else the first text or number of a row that is unique on the page.
  let order: String?

  init(key: String?, link: String?) {
    self.key = key
    self.link = link
    order = nil
  }

  init(_ statistics: FieldStatistics) {
    key = statistics.members
      .filter { statistics.isUnique($0) }
      .compactMap { member in Self.rank(member).map { (rank: $0, member: member) } }
      .min { $0.rank < $1.rank }.map { "\($0.member.path)" }
    order = key ?? Self.firstUnique(statistics)
    link = statistics.members
      .filter { statistics.isCommon($0) && $0.isAddress }
      .compactMap { member in Self.links.firstIndex(of: member.linkWord).map { (rank: $0, member: member) } }
      .min { $0.rank < $1.rank }.map { "\($0.member.path)" }
  }

  private static func firstUnique(_ statistics: FieldStatistics) -> String? {
    statistics.members.first { statistics.isUnique($0) && !$0.isNested && !$0.isAddress && $0.longest <= 64 }
      .map { "\($0.path)" }
  }

  /// Lower is more likely; nil if the name does not suggest an identifier.
  private static func rank(_ member: FieldStatistics.Member) -> Int? {
    guard !member.isNested || member.parentName == "data" else { return nil }
    return member.identifierRank
  }

  private static let links = [
    "htmlurl", "weburl", "linkshtml", "permalink", "link", "url", "pageurl", "href", "uri", "canonicalurl",
    "id",
    "linksself", "externalurl", "homepage",
  ]
}

extension FieldStatistics.Member {
  private static let identifiers = [
    "id", "uuid", "guid", "objectid", "key", "pageid", "itemid", "doi", "sha", "slug",
  ]

  /// Lower is more likely; nil if the name does not suggest an identifier.
  var identifierRank: Int? {
    if let rank = Self.identifiers.firstIndex(of: word) { return rank }
    return name.hasSuffix("_id") || name.hasSuffix("Id") || name.hasSuffix("ID")
      ? Self.identifiers.count : nil
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
