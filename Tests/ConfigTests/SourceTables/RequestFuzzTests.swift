import Config
import HTTPValues
import JSON
import TestSupport
import Testing

@testable import Search

/// Invariants for any input, option or document.
@Suite struct RequestFuzzTests {
  private static let document = """
    schema = 1
    id = "mine"
    [request]
    url = "https://{lang}.wiki.example/w/{kind}/{+query}?x={query}"
    params = { q = "'{query|sql}'", key = "{secret:k}", n = "{page_size}", l = ["a", 1, "{lang?}"] }
    headers = { X-Key = "Token {secret:k}", X-Q = "{lang}" }
    body = { q = "{query}", a = [{ b = "{kind?}" }, "{{{query|json}}}"], n = "{page_size}" }
    when.kind = { body.a = 1, params.k = "{kind}" }
    [options.lang]
    values = ["en", "ja"]
    charset = "a-z-"
    [options.kind]
    default = "all"
    max_length = 20
    [secrets.k]
    from = ["env:K", "cmd:get k"]
    [auth]
    type = "basic"
    user_from = "env:U"
    from = "env:P"
    hosts = ["a.example:8443"]
    [pagination]
    type = "page"
    into = "query:page"
    size = { param = "n", default = 30 }
    """
  private static let alphabet = Array("/.?#@:%\\ \n\u{7}{}|'\"&=+-aen日\u{301}".unicodeScalars)

  private func text(_ random: inout SeededGenerator) -> String {
    var scalars = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0..<8, using: &random) {
      if let scalar = Self.alphabet.randomElement(using: &random) { scalars.append(scalar) }
    }
    return String(scalars)
  }

  @Test(arguments: Seeds.first(1))
  func `For any query and options, the request goes to the declared host and path with the value intact.`(
    seed: UInt64
  ) throws {
    let source = try source(Self.document)
    var random = SeededGenerator(seed: seed &* 104_729 &+ 3)
    let run = RunContext(pageSize: 30, credentials: .named(["k": "s3cr3t-s3cr3t"]))
    var asked = 0
    for _ in 0..<500 {
      let kind = text(&random)
      let query = Query(
        text(&random), options: ["kind": kind, "lang": Bool.random(using: &random) ? "en" : text(&random)])
      let page = PageRequest(query: query, position: source.pagination.style.first, generation: 1)
      guard let request = try? source.request(for: page, in: run) else { continue }
      asked += 1
      #expect(request.url.host.hasSuffix(".wiki.example"), "\(query)")
      let segments = request.url.path.split(separator: "/", omittingEmptySubsequences: false)
      #expect(segments[..<2] == ["", "w"] && PercentEncoding.decoded(segments[2]) == kind, "\(query)")
      #expect(request.url.queryItems.first { $0.name == "x" }?.value == query.text)
      let body = try JSONDocument(request.body)
      #expect(body.root["q"]?.string == query.text)
      #expect(body.root.members.map(\.name) == ["q", "a", "n"])
      let shown = "\(request.url) \(request.headers.map { "\($0.name): \($0.value)" })"
      #expect(!shown.contains("s3cr3t"))
      #expect(request.credentials.map(\.place) == [.query("key"), .header("X-Key")])
    }
    #expect(asked > 50)
  }

  @Test(arguments: Seeds.first(1))
  func `A damaged document is decoded, or its mistakes are reported with their positions.`(seed: UInt64) {
    var random = SeededGenerator(seed: seed &* 7919 &+ 1)
    let alphabet = Array("\"'[]{}=.,#\n 01a-_?|:+".utf8)
    for _ in 0..<300 {
      var bytes = Array(Self.document.utf8)
      for _ in 0...Int.random(in: 0..<4, using: &random) {
        let start = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, start + Int.random(in: 0..<6, using: &random))
        let count = Int.random(in: 0..<3, using: &random)
        bytes.replaceSubrange(
          start..<end, with: (0..<count).compactMap { _ in alphabet.randomElement(using: &random) })
      }
      do { _ = try SourceDecoder.source(TOMLDocument(bytes, file: "t")) } catch {
        #expect(error.problems.allSatisfy { $0.description.hasPrefix("t:") }, "\(error)")
      }
    }
  }
}
