import Foundation
import TestSupport
import Testing

/// Lists of real services, from facts in a file outside of the project.
@Suite struct ListFactTests {
  private struct Fact: Decodable {
    let connector: String
    let stream: String
    let pager: String
    let url: String?
    let method: String?
    let rows: String?
    let rowsPath: String?
    let into: String?
    let size: String?
    let first: Int?
    let next: String?
  }

  static let folder = ProcessInfo.processInfo.environment["RIFFLE_API_FACTS"].flatMap {
    $0.isEmpty ? nil : $0
  }

  private static func name(_ slot: String?) -> String? {
    slot.flatMap { $0.firstIndex(of: ":") }.flatMap { index in
      slot.map { String($0[$0.index(after: index)...]) }
    }
  }

  /// The list of a fact; nil if the fact does not say how it pages.
  private static func habit(_ fact: Fact) -> ListHabit? {
    let into = name(fact.into)
    let next = fact.next == "?" ? nil : fact.next
    let way: ListHabit.Way
    switch fact.pager {
    case "page":
      guard let into else { return nil }
      way = .page(into, first: fact.first ?? 1)
    case "offset", "offset:body":
      guard let into else { return nil }
      way = .offset(into, first: 0)
    case "cursor-token:query", "cursor-token:body":
      guard let into, let next, !next.contains("[") else { return nil }
      way = .token(into, at: next)
    case "cursor-last-row:query":
      guard let into, let next, ["row[-1].id", "row[-1].key"].contains(next) else { return nil }
      way = .lastRow(into)
    case "link-body":
      guard let next, !next.contains("[") else { return nil }
      way = .link(at: next)
    case "link-header": way = .link(at: "header:Link")
    case "none": way = .single
    default: return nil
    }
    var habit = ListHabit(way: way)
    habit.isPosted = fact.pager.hasSuffix(":body")
    if case .lastRow = way, fact.next == "row[-1].key" { habit.id = "key" }
    habit.size = name(fact.size)
    let path = fact.rowsPath ?? ""
    habit.rows =
      fact.rows == "root" ? "" : path.isEmpty || path.contains { "*{?[".contains($0) } ? "data" : path
    if habit.rows.isEmpty, let next, case .token = way, !next.hasPrefix("header:") { habit.rows = "data" }
    if habit.rows.isEmpty, case .link(at: let place, _) = way, place != "header:Link" { habit.rows = "data" }
    habit.base = address(fact.url ?? "")
    return habit
  }

  /// The URL with a value for each placeholder.
  private static func address(_ text: String) -> String {
    let path = text.replacing(/\{[^}]*\}/, with: "x").replacing(" ", with: "")
    let rest = path.firstMatch(of: /https?:\/\/[^\/]+(\/.*)?$/).map { String($0.1 ?? "/") } ?? "/" + path
    return "https://api.example.org\(rest)"
  }

  private static func facts() throws -> [Fact] {
    let file = URL(fileURLWithPath: folder ?? "").appendingPathComponent("lists.jsonl")
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map {
      try decoder.decode(Fact.self, from: $0)
    }
  }

  @Test(
    .enabled(if: folder != nil, "RIFFLE_API_FACTS names no folder with facts"),
    arguments: [
      ("page", 0.99), ("offset", 0.99), ("cursor-token", 0.99), ("cursor-last-row", 0.99), ("link", 0.99),
      ("none", 0.99),
    ])
  func `A list that pages like a real one is read exactly by the source that its first page leads to.`(
    pager: String, least: Double
  ) async throws {
    try await judge(
      pager, try Self.facts().filter { $0.pager.hasPrefix(pager) }.compactMap(Self.habit), least)
  }

  /// Names that services give to lists next to the rows, and some to the rows.
  private static let names = [
    "messages", "filters", "links", "facets", "warnings", "errors", "included", "related",
  ]

  @Test(
    .enabled(if: folder != nil, "RIFFLE_API_FACTS names no folder with facts"),
    arguments: [("page", 0.99), ("offset", 0.99), ("cursor-token", 0.99), ("link", 0.99), ("none", 0.99)])
  func `[S1] Its rows are found under any name, next to other objects and lists.`(
    pager: String, least: Double
  ) async throws {
    let habits = try Self.facts().filter { $0.pager.hasPrefix(pager) }.compactMap(Self.habit)
    let others = habits.filter { !$0.rows.isEmpty }.enumerated().map { number, habit in
      var habit = habit
      let place: String = if case .link(at: let next, _) = habit.way { next } else { "" }
      let names = Self.names.filter { !place.hasPrefix($0) }
      let name = names[number % names.count]
      habit.rows = (habit.rows.split(separator: ".").dropLast() + [name[...]]).joined(separator: ".")
      habit.noise = """
        "channel": {"id": "C1", "name": "general", "kind": "open"}, "suggestions": [{"text": "a"}, {"text": "b"}],
        "histogram": [{"value": "x", "count": 4}, {"value": "y", "count": 3}, {"value": "z", "count": 2}],
        "options": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}, {"id": 3, "name": "c"}, {"id": 4, "name": "d"}],
        "problems": [{"code": 7, "message": "a field is deprecated"}], "tags": ["a", "b", "c"], "request_id": "r-77"
        """
      return habit
    }
    try await judge("\(pager), other names", others, least)
  }

  private func judge(_ pager: String, _ habits: [ListHabit], _ least: Double) async throws {
    // Many lists of a service are alike.
    let kinds = Dictionary(grouping: habits) { "\($0) \($0.id) \($0.isPosted)" }.sorted {
      ($1.value.count, $0.key) < ($0.value.count, $1.key)
    }.map(\.value)
    var (right, all) = (0.0, 0.0)
    var lines: [String] = []
    for kind in Seeds.every(16, of: kinds) {
      let (score, wrong, misses) = try await HabitJudge.judged([kind[0]])
      right += score * Double(kind.count)
      all += Double(kind.count)
      lines += misses.map { "\(kind.count) × \($0)" }
      #expect(wrong == [])
    }
    print(
      "\(pager): \(Int(all)) lists of \(kinds.count) kinds, \(Int((right / all * 1_000).rounded()))‰ right")
    print(lines.joined(separator: "\n"))
    #expect(right / all >= least)
  }
}
