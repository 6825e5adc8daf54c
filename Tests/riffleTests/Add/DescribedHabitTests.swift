import Config
import Foundation
import HTTPTransport
import HTTPValues
import JSON
import Search
import TestSupport
import Testing

@testable import App
@testable import Detection

/// Lists of each habit, described in each version with more or less detail: how many are right from the document
/// alone, and how many with one page.
@Suite struct DescribedHabitTests {
  /// The level of detail of a description of a list.
  enum Detail: String, CaseIterable {
    /// All parameters and the whole response.
    case whole
    /// All parameters; of the response, only the rows.
    case onlyRows = "only rows"
    /// The whole response; of the parameters, only the page size.
    case noPosition = "no position"
    /// Parameters, and rows at a place where they are not.
    case wrongRows = "wrong rows"
  }

  enum Version: String, CaseIterable {
    case swagger = "2.0"
    case open30 = "3.0.1"
    case open31 = "3.1.0"
  }

  private static let habits =
    ListHabitTests.pages + ListHabitTests.offsets + ListHabitTests.tokens + ListHabitTests.links
    + ListHabitTests.lastRows + ListHabitTests.singles

  struct Result: Sendable {
    var hasRows = false
    var hasStyle = false
    var walksExactly = false
    /// Whether a second page confirmed it.
    var isSure = false
    var facts = ""
  }

  private static func judge(_ habit: ListHabit, _ detail: Detail, _ version: Version) async throws -> Result {
    var result = Result()
    let document = try JSONDocument(Array(habit.description(detail, version).utf8), maxDepth: 512)
    let description = try APIDescription(document)
    guard let endpoint = description.endpoints.first else {
      result.facts = "left out: \(description.omissions.first?.reason ?? "")"
      return result
    }
    let rows = habit.rows.isEmpty ? "$" : habit.rows.replacing("·", with: ".")
    result.hasRows = endpoint.rowsPath == rows
    result.hasStyle = "\(endpoint.pagination)" == habit.style
    result.facts = "\(endpoint.pagination), \(endpoint.rowsPath)"
    // A page is the same for all versions.
    if version != .open30 { return result }
    let count = 60
    let trial = EndpointTrial(
      description: description, endpoint: endpoint, id: "mine", address: nil,
      given: try RequestExample(
        WrittenRequest(WrittenText("https://api.example.org/")), service: "SERVICE"))
    do {
      let outcome = try await trial.outcome(habit.transport(count: count), timeout: nil)
      let read = try await HabitJudge.keys(
        habit.id, of: outcome.source, Query(), habit.transport(count: count))
      let wanted = (0..<count).map { habit.isScalar ? "word \(1_000 + $0)" : "\(1_000 + $0)" }
      result.walksExactly = read == wanted
      if case .confirmed = outcome.verdict { result.isSure = true }
      result.facts += "; with a page: \(outcome.pagination) \(outcome.verdict) \(read.count) of \(count)"
    } catch { result.facts += "; \(error)" }
    return result
  }

  @Test(arguments: Version.allCases)
  func `Guesses are correct for most lists from their description, and for almost all with one page.`(
    version: Version
  )
    async throws
  {
    var wrongAndSure: [String] = []
    for detail in Detail.allCases {
      var results: [(habit: ListHabit, result: Result)] = []
      // Every second one, except where all is said: how much is right does not depend on which.
      let habits = Seeds.every(detail == .whole ? 1 : 2, of: Self.habits)
      for habit in habits { results.append((habit, try await Self.judge(habit, detail, version))) }
      func share(_ passes: (Result) -> Bool) -> Double {
        Double(results.count { passes($0.result) }) / Double(results.count)
      }
      func failures(_ passes: (Result) -> Bool) -> String {
        results.filter { !passes($0.result) }.map { "\($0.habit): \($0.result.facts)" }.joined(
          separator: "\n")
      }
      let (rows, style, page) = (share(\.hasRows), share(\.hasStyle), share(\.walksExactly))
      let figures = [("rows", rows), ("style", style), ("with a page", page)].prefix(
        version == .open30 ? 3 : 2
      ).map {
        "\($0) \(Int(($1 * 1_000).rounded()))‰"
      }
      print("\(version.rawValue), \(detail.rawValue): \(figures.joined(separator: ", "))")
      if detail != .wrongRows { #expect(rows >= 0.97, "\(failures(\.hasRows))") }
      if detail == .whole { #expect(style >= 0.85, "\(failures(\.hasStyle))") }
      if version == .open30 { #expect(page >= 0.98, "\(failures(\.walksExactly))") }
      wrongAndSure += results.filter { $0.result.isSure && !$0.result.walksExactly }.map {
        "\(detail.rawValue): \($0.habit): \($0.result.facts)"
      }
    }
    #expect(wrongAndSure == [])
  }
}

extension DescribedHabitTests {
  @Test func `Guesses for lists requested by POST are correct, from their description and from one page.`()
    async throws
  {
    var results: [(habit: ListHabit, result: Result)] = []
    for var habit in Self.habits {
      if case .link = habit.way { continue }
      habit.isPosted = true
      results.append((habit, try await Self.judge(habit, .whole, .open30)))
    }
    let wrong = results.filter { !$0.result.walksExactly }
    print("by POST: with a page \(1_000 - wrong.count * 1_000 / results.count)‰")
    let lines = wrong.map { "\($0.habit): \($0.result.facts)" }
    #expect(wrong.count * 50 <= results.count, "\(lines.joined(separator: "\n"))")
    #expect(wrong.filter(\.result.isSure).isEmpty, "\(lines.joined(separator: "\n"))")
  }

  @Test func `No confident guess is wrong, however unusual a list and its description are.`() async throws {
    var wrong: [String] = []
    for (number, habit) in Seeds.first(16).map(ListHabitTests.anyHabit).enumerated() {
      let detail = Detail.allCases[number % Detail.allCases.count]
      let result = try await Self.judge(habit, detail, .open30)
      if result.isSure, !result.walksExactly { wrong.append("\(detail.rawValue): \(habit): \(result.facts)") }
    }
    #expect(wrong == [])
  }

  @Test func `Any page content yields a source that loads, or a reason.`() throws {
    var random = SeededGenerator(seed: 7)
    let values = [
      "null", "0", "-1e99", "true", "[]", "{}", "\"\"", "[[{}]]", "[1,2]", "{\"a\":{\"id\":1}}",
      "99999999999999999999",
    ]
    var (loaded, refused) = (0, 0)
    for habit in Seeds.every(2, of: Self.habits) {
      let document = try JSONDocument(Array(habit.description(.whole, .open30).utf8), maxDepth: 512)
      let description = try APIDescription(document)
      guard let endpoint = description.endpoints.first else { continue }
      let given = try habit.example(showsSize: true)
      let body = try habit.firstPage().body
      var ranges: [Range<Int>] = []
      var open = [try JSONDocument(body).root]
      while let value = open.popLast() {
        ranges.append(value.byteRange)
        open += value.elements + value.members.map(\.value)
      }
      for _ in Seeds.first(1) {
        var changed = body
        let other = Array(values[Int.random(in: 0..<values.count, using: &random)].utf8)
        changed.replaceSubrange(ranges[Int.random(in: 0..<ranges.count, using: &random)], with: other)
        let response = HTTPResponse(status: 200, headers: [], body: changed, url: given.address)
        do throws(DetectionError) {
          let page = try DescribedPage(endpoint, response, given: given)
          for way in page.paginations {
            let text = page.document(id: "x", title: "x", pagination: way, remarks: [])
            #expect(throws: Never.self, "\(text)") {
              try SourceDecoder.source(TOMLDocument(text, file: "x.toml"))
            }
          }
          loaded += 1
        } catch { refused += 1 }
      }
    }
    #expect(loaded > 25 && refused > 0, "\(loaded) \(refused)")
  }
}

// MARK: - The description of a habit

extension ListHabit {
  /// The pagination, in the form of `PaginationGuess.description`.
  var style: String {
    switch way {
    case .page(let name, _): "page with parameter \(name)"
    case .offset(let name, _): "offset with parameter \(name)"
    case .token(let name, _, _), .lastRow(let name): "cursor with parameter \(name)"
    case .link: "link"
    case .single: "none"
    }
  }

  func description(
    _ detail: DescribedHabitTests.Detail, _ version: DescribedHabitTests.Version
  ) -> String {
    let isSwagger = version == .swagger
    func parameter(_ name: String, _ type: String, _ members: String = "") -> String {
      let schema = "\"type\":\"\(type)\"\(members)"
      if isPosted { return "\"\(name)\":{\(schema)}" }
      return
        "{\"name\":\"\(name)\",\"in\":\"query\",\(isSwagger ? schema : "\"schema\":{\(schema)}")}"
    }
    var parameters = isPosted ? [] : [parameter("kind", "string")]
    if let size { parameters.append(parameter(size, "integer", ",\"maximum\":50")) }
    if detail != .noPosition {
      parameters += position.map { [parameter($0.name, $0.type, $0.members)] } ?? []
    }
    let all = parameters.joined(separator: ",")
    let body = #"{"type":"object","properties":{\#(all)}}"#
    let request =
      !isPosted
      ? #""parameters":[\#(all)]"#
      : isSwagger
        ? #""parameters":[{"in":"body","name":"body","schema":\#(body)}]"#
        : #""requestBody":{"content":{"application/json":{"schema":\#(body)}}}"#
    let (schema, headers) = response(detail)
    let fields = headers.map { name in
      isSwagger ? "\"\(name)\":{\"type\":\"string\"}" : "\"\(name)\":{\"schema\":{\"type\":\"string\"}}"
    }
    let content =
      isSwagger ? "\"schema\":\(schema)" : "\"content\":{\"application/json\":{\"schema\":\(schema)}}"
    let server =
      isSwagger
      ? "\"swagger\":\"2.0\",\"host\":\"api.example.org\",\"basePath\":\"/v1\",\"schemes\":[\"https\"]"
      : "\"openapi\":\"\(version.rawValue)\",\"servers\":[{\"url\":\"https://api.example.org/v1\"}]"
    return """
      {\(server),"info":{"title":"Things"},"paths":{"/things":{"\(isPosted ? "post" : "get")":{"operationId":"listThings",\(request),
      "responses":{"200":{"description":"","headers":{\(fields.joined(separator: ","))},\(content)}}}}}}
      """
  }

  private var position: (name: String, type: String, members: String)? {
    switch way {
    case .page(let name, let first): (name, "integer", first == 0 ? ",\"minimum\":0" : "")
    case .offset(let name, let first): (name, "integer", first == 1 ? ",\"minimum\":1" : "")
    case .token(let name, _, _), .lastRow(let name): (name, "string", "")
    case .link, .single: nil
    }
  }

  /// The schema of the response, and the names of its headers.
  private func response(_ detail: DescribedHabitTests.Detail) -> (schema: String, headers: [String]) {
    let row =
      isScalar
      ? #"{"type":"string"}"#
      : """
      {"type":"object","properties":{"\(id)":{"type":"integer"},"name":{"type":"string"},"updated_at":{"type":"string",
      "format":"date-time"},"self_url":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}}}}
      """
    let list = #"{"type":"array","items":\#(row)}"#
    var body: [String: Any] = [:]
    var headers: [String] = []
    func put(_ schema: String, at place: String?) {
      guard let place else { return }
      if place.hasPrefix("header:") {
        headers.append(String(place.dropFirst(7)))
      } else {
        let names = place.split(separator: ".").map { String($0).replacing("·", with: ".") }
        body = Self.setting(body, names[...], schema)
      }
    }
    if detail != .onlyRows {
      put(#"{"type":"integer"}"#, at: total)
      put(#"{"type":"integer"}"#, at: pages)
      put(#"{"type":"boolean"}"#, at: more)
      put(#"{"type":"integer"}"#, at: echo)
      put(#"{"type":"integer"}"#, at: nextNumber)
      switch way {
      case .token(_, let place, .number): put(#"{"type":"integer"}"#, at: place)
      case .token(_, let place, _), .link(let place, _): put(#"{"type":"string"}"#, at: place)
      case .page, .offset, .lastRow, .single: break
      }
      let names = (try? JSONDocument(Array("{\(noise)}".utf8)).root)?.members ?? []
      for member in names where !rows.hasPrefix(member.name) {
        put(
          member.value.kind == .array
            ? #"{"type":"array","items":{"type":"object"}}"# : #"{"type":"\#(member.value.kind)"}"#,
          at: member.name)
      }
    }
    if detail == .wrongRows {
      put(list, at: "payload.things")
    } else if rows.isEmpty {
      return (list, headers)
    } else {
      put(list, at: rows)
    }
    return (Self.schema(of: body), headers)
  }

  /// Recursion is bounded by the depth of a path.
  private static func schema(of table: [String: Any]) -> String {
    let properties = table.sorted { $0.key < $1.key }.map { name, value in
      "\"\(name)\":\((value as? [String: Any]).map { schema(of: $0) } ?? "\(value)")"
    }
    return #"{"type":"object","properties":{\#(properties.joined(separator: ","))}}"#
  }
}
