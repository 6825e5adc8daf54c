import JSON
import Search

/// A column guessed from the values of one field.
package struct ColumnGuess: Sendable, Hashable {
  /// The name; nil if it is the last key of the path.
  package var name: String?
  /// The heading; nil if it is made from the name.
  package var title: String?
  /// The value expression of the column.
  package let path: String
  /// The format; nil for plain text.
  package var format: String?
  /// How HTML is converted; nil if there is none.
  package var html: String?
  package var isAlignedRight = false
  /// The column takes the remaining width.
  package var isWide = false
}

extension ColumnGuess {
  /// At most `limit` columns: the row's title first, then fields that distinguish rows, then long strings. URLs, and
  /// fields with the same value in all rows, are columns only if there is nothing else.
  static func guesses(from statistics: FieldStatistics, limit: Int = 6) -> [ColumnGuess] {
    var left = statistics.members.filter { statistics.isCommon($0) || $0.isDescription }.map {
      Candidate($0, isConstant: $0.count > 1 && $0.texts.count == 1)
    }
    var chosen: [Candidate] = []
    while chosen.count < limit, let best = left.indices.max(by: { left[$0].score < left[$1].score }) {
      let candidate = left.remove(at: best)
      if !chosen.isEmpty, candidate.score < 15 { break }
      chosen.append(candidate)
      left.removeAll { $0.kind == candidate.kind && $0.member.texts == candidate.member.texts }
      // A second column of the same kind is less informative than the first.
      for index in left.indices where left[index].kind == candidate.kind {
        left[index].score -= candidate.kind.repetitionCost
      }
    }
    let order = Dictionary(
      statistics.members.enumerated().map { ($1.path, $0) }, uniquingKeysWith: { first, _ in first })
    let sorted = chosen.sorted { a, b in
      (a.kind.rawValue, order[a.member.path] ?? 0) < (b.kind.rawValue, order[b.member.path] ?? 0)
    }
    return named(sorted)
  }

  /// Whether a field with this name is the row's title.
  static func isTitle(_ name: String) -> Bool { Kind.names.contains(ParameterRole.word(name)) }

  /// Adds names where the last key is ambiguous or already taken.
  private static func named(_ candidates: [Candidate]) -> [ColumnGuess] {
    var taken: Set<String> = []
    return candidates.map { candidate in
      var column = candidate.column
      let name = Column.identifier(candidate.name, taken: &taken)
      column.name = name == Column.identifier(candidate.member.name) ? nil : name
      column.title = heading(candidate.member.name)
      return column
    }
  }

  /// `Created at` for `createdAt`; nil if the name is not in camel case.
  static func heading(_ name: String) -> String? {
    let words = name.replacing(/([a-z0-9])([A-Z])/) { "\($0.1) \($0.2)" }
    guard words != name, name.wholeMatch(of: /[a-z][a-zA-Z0-9]*/) != nil else { return nil }
    let parts = words.split(separator: " ").map {
      $0.dropFirst().contains(where: \.isUppercase) ? String($0) : $0.lowercased()
    }
    return (parts.first ?? "").prefix(1).uppercased() + (parts.first ?? "").dropFirst()
      + parts.dropFirst().map { " \($0)" }.joined()
  }

  /// The kinds, in the order of the columns.
  fileprivate enum Kind: Int {
    case name, identifier, text, number, flag, date, machineID, address, prose

    var repetitionCost: Int {
      switch self {
      case .name: 60
      case .identifier, .date, .prose: 30
      case .text, .number, .flag, .address, .machineID: 4
      }
    }
  }

  fileprivate struct Candidate {
    let member: FieldStatistics.Member
    let kind: Kind
    var score: Int

    init(_ member: FieldStatistics.Member, isConstant: Bool) {
      self.member = member
      kind = Kind(member)
      score = kind.score
      if kind == .name { score -= Kind.names.firstIndex(of: member.word) ?? 0 }
      if kind == .identifier { score -= min(member.identifierRank ?? 0, 20) / 2 }
      if member.isNested, !member.isInWrapper { score -= member.isRendering ? 2 : 12 }
      if let rank = member.informativeRank { score += 18 - rank / 2 }
      if member.isDescription { score += 24 }
      if kind == .date, member.word.contains("updated") || member.word.contains("modified") { score += 2 }
      if ["nodeid", "gravatarid", "etag"].contains(member.word) { score = 0 }
      if member.isMoney { score += 20 }
      if isConstant { score -= member.isPersonsWord ? 20 : 60 }
    }

    /// `user.id` becomes `user_id`; `title.rendered` and `attributes.title` become `title`.
    var name: String {
      if !member.isNested || member.isInWrapper { return Column.identifier(member.name) }
      if member.isRendering { return Column.identifier(member.parentName) }
      return Column.identifier("\(member.parentName)_\(member.name)")
    }

    var column: ColumnGuess {
      var column = ColumnGuess(path: "\(member.path)")
      column.html = member.hasTags ? "strip" : member.hasEntities ? "entities" : nil
      switch kind {
      case .date: column.format = member.longest == 10 && member.isTime ? "date" : "relative"
      case .flag: column.format = "bool"
      case .address: column.format = "link"
      case .number: if member.isLargeCount { column.format = "number" } else { column.isAlignedRight = true }
      case .identifier, .machineID: column.isAlignedRight = member.kinds == [.number]
      case .prose: column.isWide = true
      case .name: column.format = member.kinds == [.array] ? "list" : nil
      case .text: break
      }
      return column
    }
  }
}

extension FieldStatistics.Member {
  /// Whether the field is in an object that only wraps the row (JSON:API, Elasticsearch, Reddit, GraphQL, npm).
  fileprivate var isInWrapper: Bool {
    ["attributes", "source", "data", "fields", "node", "package", "item", "record", "resource", "properties"]
      .contains(ParameterRole.word(parentName))
  }

  /// Whether the field is a string that represents its object, such as WordPress's `title.rendered`.
  fileprivate var isRendering: Bool { ["rendered", "value", "text", "plaintext", "en"].contains(word) }

  /// Whether the field is a number to be shown as 12.3k. A number not named as a count may be an identifier.
  fileprivate var isLargeCount: Bool {
    largest ?? 0 >= 10_000 && Self.countWords.contains { word.contains($0) } && !isMoney
      && !word.hasSuffix("number") && !word.contains("year") && !isIdentifier
  }

  /// Whether the field is an amount of money, as a number or as text.
  fileprivate var isMoney: Bool {
    Self.moneyWords.contains { word.hasSuffix($0) || word.hasPrefix($0) }
      && (kinds == [.number] || kinds == [.string] && texts.allSatisfy(Self.isAmount))
  }

  private static func isAmount(_ text: String) -> Bool { text.wholeMatch(of: /-?[0-9]+([.][0-9]+)?/) != nil }

  private static let moneyWords = [
    "amount", "price", "total", "subtotal", "cost", "balance", "fee", "tax", "salary", "revenue",
  ]

  /// Whether the name is one that people ask for, even if its values are alike.
  fileprivate var isPersonsWord: Bool { kinds == [.string] && Self.factWords.contains(word) }

  /// Whether the field is a key for machines: a UUID, a hash, a long number in text.
  fileprivate var isForMachines: Bool {
    kinds == [.string]
      && texts.allSatisfy { text in
        text.utf8.count >= 16 && text.contains(where: \.isNumber) && !text.contains(where: \.isWhitespace)
      }
  }

  /// Whether the field is a description of the row, which may be missing in many rows.
  fileprivate var isDescription: Bool {
    !isNested && Self.descriptionWords.contains(word) && kinds == [.string] && !isAddress
  }

  private static let descriptionWords: Set = [
    "description", "shortdescription", "abstract", "excerpt", "tagline", "snippet", "synopsis", "bio",
    "headline",
  ]

  /// A rank that is lower for fields that people look for first in a row after its title; nil if the name suggests
  /// nothing.
  fileprivate var informativeRank: Int? {
    if kinds == [.number], let rank = Self.countWords.firstIndex(where: { word.contains($0) }) { return rank }
    return kinds == [.string] ? Self.factWords.firstIndex(of: word) : nil
  }

  private static let factWords = [
    "state", "status", "language", "priority", "severity", "author", "owner", "type", "category", "country",
    "city",
    "version", "price", "currency", "email", "company", "license", "role", "location", "format",
  ]

  private static let countWords = [
    "stars", "stargazers", "downloads", "views", "points", "votes", "likes", "score", "price", "amount",
    "reputation", "followers", "hits", "plays", "citations", "comments", "forks", "count", "total", "number",
  ]
}

extension ColumnGuess.Kind {
  fileprivate static let names = [
    "title", "fullname", "name", "displayname", "label", "headline", "subject", "login", "username", "text",
    "summary", "question", "character",
  ]

  fileprivate init(_ member: FieldStatistics.Member) {
    let word = member.isRendering ? ParameterRole.word(member.parentName) : member.word
    if member.kinds == [.bool] {
      self = .flag
    } else if member.isTime || member.isEpoch {
      self = .date
    } else if member.isAddress || word == "url" || word == "href" {
      self = .address
    } else if member.longest > 120 || member.isDescription {
      self = .prose
    } else if Self.names.contains(word), !member.isNested || member.isInWrapper || member.isRendering {
      self = .name
    } else if member.isIdentifier {
      self = member.isForMachines ? .machineID : .identifier
    } else if member.kinds == [.number] || member.isMoney {
      self = .number
    } else {
      self = .text
    }
  }

  fileprivate var score: Int {
    switch self {
    case .name: 100
    case .date: 62
    case .identifier: 40
    case .number: 46
    case .text: 44
    case .prose: 42
    case .flag: 20
    case .machineID: 16
    case .address: 5
    }
  }
}
