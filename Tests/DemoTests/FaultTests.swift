import NIOHTTP1
import Testing

@testable import Demo
@testable import DemoTesting

/// The effect of every fault.
struct FaultTests {
  private let base = "http://127.0.0.1:8080"

  /// The plan for a request with this number in its paging run.
  private func plan(_ target: String, number: Int = 1) throws -> ResponsePlan {
    let request = try Request(target: target, baseURL: base)
    do { return try FaultyAPI().plan(for: request, number: number, at: 784_111_777) } catch {
      return ResponsePlan(response: error.response)
    }
  }

  /// Status and header fields, without the content type.
  private func head(_ target: String) throws -> String {
    let response = try plan(target).response
    let fields = response.headers.filter { $0.name != "Content-Type" }.map { "\($0.name): \($0.value)" }
    return (["\(response.status)"] + fields).joined(separator: "\n")
  }

  @Test(arguments: [
    ("500", "500"),
    ("429", "429\nRetry-After: 1"),
    ("429&retry_after=7", "429\nRetry-After: 7"),
    ("429-reset&retry_after=7", "429\nX-RateLimit-Remaining: 0\nX-RateLimit-Reset: 784111784"),
    ("secondary", "403"),
    (
      "503&retry_after=90",
      "503\nDate: Sun, 06 Nov 1994 08:49:37 GMT\nRetry-After: Sun, 06 Nov 1994 08:51:07 GMT"
    ),
    ("redirect", "307\nLocation: http://127.0.0.1:8080/pages?q=no+such+name"),
    ("redirect-away", "307\nLocation: http://localhost:8080/pages?q=no+such+name"),
    ("html", "200"),
    ("gzipbomb", "200\nX-Total-Count: 0\nContent-Encoding: gzip"),
  ])
  func `A fault in status or header fields appears in the head.`(fault: String, expected: String) throws {
    try #expect(head("/pages?q=no+such+name&fault=" + fault) == expected)
  }

  @Test func `A body is deeply nested, invalid UTF-8, or full of escapes.`() throws {
    let deep = try plan("/pages?fault=deep").response.body
    #expect(deep.count == 200_000 && deep.prefix { $0 == UInt8(ascii: "[") }.count == 100_000)
    let bad = try plan("/pages?q=U%2B2192&fault=badutf8").response.body
    #expect(
      bad.firstRange(of: [0x22, 0xE2, 0x86, 0xFF, 0xED, 0xA0, 0x80, 0xC0, 0xAF] + Array("RIGHT".utf8)) != nil)
    let escapes = String(decoding: try plan("/pages?q=U%2B2192&fault=escapes").response.body, as: UTF8.self)
    #expect(escapes.contains(#""name":"\u001b[41m\u001b]0;title\u0007\u001b]52;c;cmlmZmxl\u001b\\"#))
    #expect(escapes.unicodeScalars.contains("\u{202E}"))
  }

  @Test func `Delivery is slow, truncated, endless or missing.`() throws {
    try #expect(plan("/?fault=hang").delivery == .hanging)
    try #expect(plan("/?fault=drip").delivery == .dripping(bytes: 32, pause: 100))
    let whole = try plan("/").response.body.count
    try #expect(plan("/?fault=truncate").delivery == .truncated(bytes: whole / 2))
    try #expect(length("/?fault=huge") == (2 << 30) + 3)
    try #expect(length("/?fault=huge&mebibytes=1") == (1 << 20) + 3)
    try #expect(length("/?fault=gzipbomb") == (1 << 20) + 35)
    guard case .endless(let piece) = try plan("/?fault=endless").delivery else {
      Issue.record("it has an end")
      return
    }
    #expect(piece.count == 65_536)
  }

  /// The announced length of the body.
  private func length(_ target: String) throws -> Int? {
    guard case .head(_, let headers) = try plan(target).steps(isHead: false, keepsAlive: true).first else {
      return nil
    }
    return headers.first(name: "Content-Length").flatMap(Int.init)
  }

  // MARK: Paging

  /// The first pages of a route with a fault, each row as its index in the search.
  private func pages(_ route: ListedRoute, _ fault: String, most: Int = 5) throws -> String {
    let query = "tibetan digit half"
    let rows = UnicodeCatalog.standard.scalars(matching: query).compactMap(NamedCharacter.init).map(
      \.codePoint)
    return try TinyClient(route).pages(query, size: 4, extra: "&fault=" + fault, most: most)
      .map { page in page.map { "\(rows.firstIndex(of: $0) ?? -1)" }.joined(separator: " ") }
      .joined(separator: " | ")
  }

  @Test(arguments: [
    ListedRoute.pages, .offset, .cursor, .cursorInHeader, .keyset, .link, .linkInBody, .merge, .graphQL,
  ])
  func `A looping list returns its first page repeatedly.`(route: ListedRoute) throws {
    #expect(try pages(route, "loop", most: 4) == "0 1 2 3 | 0 1 2 3 | 0 1 2 3 | 0 1 2 3")
  }

  @Test func `The next link of a looping page is the page itself.`() throws {
    let text = String(
      decoding: try plan("/link/body?q=half&per_page=1&page=1&fault=loop").response.body, as: UTF8.self)
    #expect(text.hasSuffix("\"next\":\"\(base)/link/body?q=half&per_page=1&page=1&fault=loop\"}"))
  }

  @Test(arguments: [ListedRoute.pages, .pagesFromZero, .cursor, .keyset, .link, .merge, .graphQL])
  func `A list with duplicates repeats the last three rows of the previous page.`(route: ListedRoute) throws {
    #expect(try pages(route, "duplicates") == "0 1 2 3 | 1 2 3 4 5 6 7 | 5 6 7 8 9")
  }

  @Test(arguments: [
    ListedRoute.pages, .cursor, .cursorInHeader, .link, .relativeLink, .merge, .graphQL, .columnRows,
  ])
  func `A list with gaps has an empty page between two others.`(route: ListedRoute) throws {
    #expect(try pages(route, "empty") == "0 1 2 3 |  | 4 5 6 7 |  | 8 9")
  }

  @Test func `A cross link leads to the same server by its other name.`() throws {
    let response = try plan("/pages?q=half&per_page=1&fault=crosslink").response
    #expect(
      response.headers.first(name: "Link")?.hasPrefix(
        "<http://localhost:8080/pages?q=half&per_page=1&fault=crosslink&page=2>")
        == true)
  }

  // MARK: When it occurs

  @Test(arguments: [
    ("", "500 500 500 500 500"), ("&times=2", "500 500 200 200 200"), ("&from=3", "200 200 500 500 500"),
    ("&from=2&times=1", "200 500 200 200 200"), ("&times=0", "422 422 422 422 422"),
    ("&every=2", "500 200 500 200 500"), ("&from=2&every=2&times=1", "200 500 200 200 200"),
    (",429&every=2", "500 200 429 200 500"), (",no", "422 422 422 422 422"),
  ])
  func `A fault affects some or all requests of a paging run.`(extra: String, expected: String) throws {
    let statuses = try (1...5).map { try plan("/pages?q=x&fault=500" + extra, number: $0).response.status }
    #expect(statuses.map(String.init).joined(separator: " ") == expected)
  }

  @Test func `Requests of a search are counted together for all pages, and separately for each run.`() throws
  {
    var counts = RunRequestCounts()
    let numbers = try [
      "/pages?q=x&fault=500&page=1", "/pages?q=x&fault=500&page=2", "/pages?q=y&fault=500",
      "/offset?q=x&fault=500", "/pages?q=x&fault=500&times=2", "/pages?q=x&fault=500&run=2", "/pages?q=x",
      "/pages?fault=500&q=x",
    ].map { target in try Request(target: target, baseURL: base).runID.map { counts.add($0) } }
    #expect(numbers == [1, 2, 1, 1, 1, 1, nil, 3])
  }

  @Test func `The number of paging runs with request counts is limited.`() throws {
    var counts = RunRequestCounts()
    for walk in 0..<1_000 { _ = counts.add("\(walk)") }
    #expect(counts.add("5") == 2)
    #expect(counts.add("new") == 1)
    #expect(counts.add("5") == 1)
  }

  @Test(arguments: [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
    (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
  ])
  func `A date is written in HTTP format.`(time: Int, expected: String) throws {
    #expect(HTTPDate.text(time) == expected)
  }
}
