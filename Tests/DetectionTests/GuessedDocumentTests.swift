import Config
import Detection
import Foundation
import HTTPValues
import TestSupport
import Testing

@testable import Search

/// Every guessed document can be loaded.
@Suite struct GuessedDocumentTests {
  private static let rows =
    #"[{"id":1,"full name":"a\"b","at":"2024-05-06"},{"id":2,"full name":"c","at":"2024-05-06"}]"#

  /// Responses that together have every sign, and names that need quotes.
  private static let bodies = [
    #"{"next":"/a?b","links":[{"rel":"next","href":"/b"}],"nextPageToken":"t","next_cursor":"c","items":ROWS}"#,
    #"{"has_more":true,"total":9,"page":1,"offset":0,"items":ROWS}"#,
    #"{"isLast":false,"total_pages":3,"data":ROWS}"#,
    #"{"data":{"pageInfo":{"hasNextPage":true,"endCursor":"x"},"nodes":ROWS}}"#,
    #"{"@odata.nextLink":"A?b=c","@odata.count":7,"value":ROWS}"#,
    #"{"odd \"key\"\n":{"next":"/a?b","we're":ROWS}}"#,
    #"{"meta":{"total":70},"d":ROWS,"next":null}"#,
    #"{"continue":{"sroffset":2,"continue":"-||"},"query":{"searchinfo":{"totalhits":7},"search":ROWS}}"#,
    "ROWS",
  ]

  private static let addresses = [
    "https://api.example.org/search?q=a", "https://api.example.org/a%7Bb%7D?x={y}&tag=1&tag=2&flag",
    "https://api.example.org/?page=3&per_page=2", "https://api.example.org/?start=40&cursor=*&rows=2",
    "https://api.example.org/?$filter=a eq 'b'&text=" + String(repeating: "é", count: 40),
  ]

  /// Each third combination in a usual run; each body and each address is in some.
  private static let combinations = Seeds.every(
    3, of: bodies.flatMap { body in addresses.map { (body, $0) } })

  @Test(arguments: combinations)
  func `Every guess from a response is a document that loads.`(body: String, address: String) throws {
    let headers = [("Link", "</a?page=2>; rel=next"), ("X-Next-Page", "2"), ("X-Next-Cursor", "c")]
    let response = HTTPResponse(
      status: 200, headers: HTTPFields(headers.map { HTTPField(received: $0.0, value: $0.1) }),
      body: Array(body.replacing("ROWS", with: Self.rows).utf8), url: try WebURL(address))
    let guess = try SourceGuess(response)
    for pagination in guess.paginations {
      let text = guess.document(
        id: "x", title: "\u{202E}\"x\"", pagination: pagination, remarks: ["a\nb = 1"])
      let source = try SourceDecoder.source(TOMLDocument(text, file: "guessed.toml"))
      #expect(source.pagination.name == pagination.style.rawValue)
      #expect(source.columns.count == guess.columns.count)
      let request = PageRequest(query: Query("a"), position: source.pagination.style.first, generation: 0)
      #expect(throws: Never.self) { try source.request(for: request, in: RunContext()) }
    }
  }

  @Test(arguments: [("?q=a", true), ("?q=", false)])
  func `A service that returns rows without a search text needs none.`(query: String, isNeeded: Bool) throws {
    let response = HTTPResponse(
      status: 200, headers: [], body: Array(Self.rows.utf8),
      url: try WebURL("https://api.example.org/search\(query)"))
    let guess = try SourceGuess(response)
    let text = guess.document(id: "x", title: "x", pagination: try #require(guess.paginations.first))
    let source = try SourceDecoder.source(TOMLDocument(text, file: "guessed.toml"))
    #expect(source.needsQuery == isNeeded)
    #expect(source.usesQuery)
  }

  @Test(arguments: [
    DetectionError.unauthorized(401, scheme: nil, contentType: nil, beginning: ""),
    .status(401, contentType: nil, beginning: ""), .noRows(kind: "an object", keys: []),
  ])
  func `A skeleton is a document that loads, without the credentials of the address.`(
    failure: DetectionError
  ) throws {
    let written = WrittenText("https://user:word@api.example.org/search?q=a&api_key=hush&api_key=hush")
    let example = try RequestExample(WrittenRequest(written), service: "X")
    let text = SourceSkeleton.document(id: "x", title: "x", example, failure: failure)
    _ = try SourceDecoder.source(TOMLDocument(text, file: "skeleton.toml"))
    #expect(!text.contains("word\"") && !text.contains("hush"))
  }

  static let folder = ProcessInfo.processInfo.environment["RIFFLE_RECORDINGS"]

  @Test(.enabled(if: folder != nil, "RIFFLE_RECORDINGS names no folder of recorded responses"))
  func `Guesses from recorded responses load.`() throws {
    let folder = try #require(Self.folder)
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    var guessed = 0
    for name in names where name.hasSuffix(".json") {
      let body = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
      let url = try WebURL("https://api.example.org/search?q=x")
      let response = HTTPResponse(status: 200, headers: [], body: Array(body), url: url)
      guard let guess = try? SourceGuess(response) else { continue }
      for pagination in guess.paginations {
        let text = guess.document(id: "x", title: name, pagination: pagination)
        #expect(throws: Never.self, "\(name): \(pagination)") {
          try SourceDecoder.source(TOMLDocument(text, file: name))
        }
        guessed += 1
      }
    }
    #expect(guessed > 50)
  }
}
