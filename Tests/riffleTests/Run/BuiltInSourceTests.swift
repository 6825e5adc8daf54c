import Foundation
import HTTPValues
import TestSupport
import Testing

@testable import App
@testable import Config
@testable import Search
@testable import riffle

extension BuiltInSources {
  /// The documents that can be searched.
  static let sources = documents.filter { (try? $0.source().identity.isAbstract) == false }
}

@Suite struct BuiltInSourceTests {
  private static let folder = RepositoryFile(path: "Sources/App/BuiltInSources").url

  @Test func `The table of built-in documents has the files of the folder, each in that of its subject.`()
    throws
  {
    let subjects = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(subjects) == Set(Subject.allCases.map(\.rawValue)))
    var lines: [String] = []
    for subject in subjects {
      let files = try FileManager.default.contentsOfDirectory(
        atPath: Self.folder.appending(path: subject).path)
      for file in files {
        let name = String(file.dropLast(5))
        #expect(file == "\(name).toml")
        let document = try #require(try Self.catalog.document(id: name), "\(name)")
        let tree = try Self.catalog.derived(document).0.tree
        #expect(tree["subject"]?.string == subject, "\(name)")
        let constant = file.replacing("-", with: "_").replacing(".", with: "_")
        lines.append("    (\"\(name)\", { PackageResources.\(constant) }),\n")
      }
    }
    let table = RepositoryFile(path: "Sources/App/Run/BuiltInSources.swift")
    let text = try table.text()
    let start = try #require(text.range(of: "= [\n"))
    try table.expect(text[..<start.upperBound] + lines.sorted().joined() + "  ]\n}\n")
  }

  @Test func `All lists under the rows of a built-in source are found.`() throws {
    var children: [String: [String]] = [:]
    for name in BuiltInSources.sources.map(\.name) {
      guard case .source(let parent)? = try source(name).parent?.rows else { continue }
      children[parent, default: []].append(name)
    }
    #expect(children.count > 20)
    for (parent, names) in children {
      #expect(Self.catalog.children(of: parent).map(\.source.id) == names.sorted())
    }
  }

  @Test(arguments: BuiltInSources.sources.map(\.name))
  func `Every built-in document is a source with the same name.`(
    name: String
  ) throws {
    #expect(try source(name).id == name)
  }

  @Test func `No two built-in sources share a name.`() {
    let names = Self.catalog.all().entries.flatMap { [$0.source.id] + $0.source.aliases }
    #expect(names.count == Set(names).count)
    #expect(Self.catalog.all().problems.isEmpty)
  }

  private static let catalog = Catalog(
    builtIns: BuiltInSources.documents, folder: nil, files: .system(), user: 0, input: SearchInput())

  private func source(_ name: String) throws -> Source { try Self.catalog.entry(named: name).source }

  private func response(_ status: Int, _ headers: HTTPFields, _ body: String) throws -> HTTPResponse {
    HTTPResponse(
      status: status, headers: headers, body: Array(body.utf8),
      url: try WebURL("https://api.github.com/search/repositories?q=x"), sentAt: 1000, arrivedAt: 1001)
  }

  private func read(_ name: String, _ response: HTTPResponse, ordinal: Int = 0) throws -> Page {
    let source = try source(name)
    let request = PageRequest(
      query: Query("x"), position: Position(ordinal: ordinal, value: .number(ordinal + 1)), generation: 1)
    return try source.page(from: response, for: request, in: RunContext(pageSize: 2)) { .document($0) }
  }

  @Test func `GitHub's request carries the query, page, page size and its headers.`() throws {
    let source = try source("github")
    let request = try source.request(
      for: PageRequest(
        query: Query("c++ & 日本語", options: ["sort": "stars"]),
        position: Position(ordinal: 1, value: .number(2)), generation: 1),
      in: RunContext(pageSize: 30, version: "1.0"))
    #expect(
      request.url.description
        == "https://api.github.com/search/repositories?q=c%2B%2B%20%26%20%E6%97%A5%E6%9C%AC%E8%AA%9E&sort=stars&page=2&per_page=30"
    )
    #expect(request.headers.first("Accept") == "application/vnd.github+json")
    #expect(request.headers.first("User-Agent") == "riffle/1.0")
  }

  @Test func `GitHub's response gives rows, total, rate budget and the next page.`() throws {
    let page = try read(
      "github",
      response(
        200,
        [
          HTTPField(
            received: "Link", value: "<https://api.github.com/search/repositories?q=x&page=2>; rel=\"next\""),
          HTTPField(received: "x-ratelimit-limit", value: "10"),
          HTTPField(received: "x-ratelimit-remaining", value: "9"),
          HTTPField(received: "x-ratelimit-reset", value: "1060"),
        ],
        #"{"total_count": 52341, "incomplete_results": false, "items": [{"id": 1, "full_name": "a/b"}, {"id": 2, "full_name": "c/d"}]}"#
      ))
    #expect(page.rowCount == 2)
    #expect(page.total == .exact(52_341))
    #expect(page.budget == RateBudget(limit: 10, remaining: 9, resetsAt: 1060))
    #expect(page.continuation == .next(Position(ordinal: 1, value: .number(2)), .value))
  }

  @Test func `GitHub's last page has no next link.`() throws {
    let page = try read("github", response(200, [], #"{"total_count": 1, "items": [{"id": 1}]}"#))
    #expect(page.continuation == .end(.last))
  }

  @Test func `An incomplete GitHub search has an estimated total.`() throws {
    let page = try read(
      "github", response(200, [], #"{"total_count": 9, "incomplete_results": true, "items": []}"#))
    #expect(page.total == .estimate(9))
  }

  @Test func `GitHub's 403 is a rate limit only when nothing remains or its message says so.`() throws {
    #expect(throws: PageError.self) { try read("github", response(403, [], #"{"message": "Forbidden"}"#)) }
    func kind(_ headers: HTTPFields, _ body: String) -> PageError? {
      do {
        _ = try read("github", response(403, headers, body))
        return nil
      } catch { return error as? PageError }
    }
    #expect(kind([], #"{"message": "Forbidden"}"#)?.kind == .unauthorized)
    let limited = kind(
      [
        HTTPField(received: "x-ratelimit-remaining", value: "0"),
        HTTPField(received: "x-ratelimit-reset", value: "1041"),
      ], #"{"message": "API rate limit exceeded"}"#)
    #expect(limited?.kind == .rateLimited)
    #expect(limited?.wait == 41)
    let secondary = kind([], #"{"message": "You have exceeded a secondary rate limit"}"#)
    #expect(secondary?.kind == .rateLimited)
    #expect(secondary?.waitAtLeast == 60)
  }

  @Test(
    arguments: [
      (
        "github",
        """
        set GH_TOKEN for 30 requests a minute instead of 10 (create a token at \
        https://github.com/settings/tokens)
        """
      ),
      (
        "github-users",
        """
        set GH_TOKEN for 30 requests a minute instead of 10 (create a token at \
        https://github.com/settings/tokens)
        """
      ),
      (
        "github-repository-issues",
        """
        set GH_TOKEN for 5,000 requests an hour instead of 60 (create a token at \
        https://github.com/settings/tokens)
        """
      ),
      (
        "gitlab",
        """
        set GITLAB_TOKEN for your private projects, and higher limits (create a token at \
        https://gitlab.com/-/user_settings/personal_access_tokens)
        """
      ),
      (
        "stackoverflow",
        "set STACKEXCHANGE_KEY for 10,000 requests a day instead of 300, and more than 25 pages"
      ),
      ("crates", nil),
    ] as [(String, String?)])
  func `[U21] A limit hit without a credential says which variable to set, and what for.`(
    name: String, remedy: String?
  ) throws {
    do {
      _ = try read(name, response(429, [], "{}"))
      Issue.record("it is a page")
    } catch let error as PageError { #expect(error.remedy == remedy) }
  }

  @Test func `GitHub's 422 is an error on the first page and a quiet end after it.`() throws {
    let body = #"{"message": "Only the first 1000 search results are available"}"#
    #expect(try read("github", response(422, [], body), ordinal: 10).continuation == .end(.status(422)))
    #expect(throws: PageError.self) { try read("github", response(422, [], body)) }
  }

  @Test func `GitHub's paging cap stops before the request that would be refused.`() throws {
    #expect(try source("github").pagination.pagingCap(pageSize: 100)?.rows == 1000)
    #expect(try source("github").pagination.pagingCap(pageSize: 30)?.rows == 1000)
  }

  @Test func `Qiita's rows are the whole body, and its total is in a header.`() throws {
    let page = try read(
      "qiita",
      response(
        200, [HTTPField(received: "Total-Count", value: "34")],
        #"[{"id": "a", "title": "並行", "tags": [{"name": "Swift"}, {"name": "Linux"}], "created_at": "2026-11-20T10:00:00+09:00"}]"#
      ))
    #expect(page.total == .exact(34))
    #expect(page.rowCount == 1)
    #expect(try source("qiita").pagination.pagingCap(pageSize: 20)?.rows == 2000)
  }
}
