import HTTPValues
import JSON
import Testing

@testable import Search

/// Rules 13 to 16: next links.
@Suite struct LinkRuleTests {
  private func source(_ next: String = "next", hosts: [String] = []) throws -> Source {
    try listSource(
      LinkPagination.self, PaginationSettings(next: try expression(next), hosts: hosts))
  }

  private func next(_ target: String) -> PagingRun.Answer {
    .init([1], "\"next\": \(JSONText.quoted(target))")
  }

  /// The full addresses requested after a first page with this next, or the reason it was refused.
  private func followed(_ target: String, hosts: [String] = []) throws -> String {
    var addresses: [String] = []
    var pagingRun = PagingRun(try source(hosts: hosts)) { request in
      addresses.append("\(request.url)")
      return addresses.count == 1 ? next(target) : .init([2])
    }
    try pagingRun.load()
    if case .end(.refusedNext(let why)) = pagingRun.session.phase { return why }
    return addresses.dropFirst().joined(separator: " ")
  }

  @Test(arguments: [
    ("?page=2", "https://api.example.org/list?page=2"), ("/other", "https://api.example.org/other"),
    ("more?x", "https://api.example.org/more?x"), ("//api.example.org/x", "https://api.example.org/x"),
    ("../../up", "https://api.example.org/up"),
  ]) func `Rule 13: a relative next is resolved against the address of the response that contained it.`(
    target: String, address: String
  ) throws {
    #expect(try followed(target) == address)
  }

  @Test func `Rule 13: after a redirect, a relative next is resolved against the redirected URL.`() throws {
    var pagingRun = PagingRun(
      try source(),
      answers: [
        .init(body: "{\"items\": [{\"id\": 1}], \"next\": \"?p=2\"}", url: "https://api.example.org/v2/list"),
        .init([2]),
      ])
    pagingRun.session.reduce(.searched(Query("x"), .pages(1)))
    try pagingRun.settle()
    pagingRun.session.reduce(.wanted(.pages(1)))
    let request = try #require(pagingRun.session.requests.first)
    #expect(try pagingRun.message(for: request).url == WebURL("https://api.example.org/v2/list?p=2"))
  }

  @Test(arguments: [
    ("/l?page[size]=2&q=a b", "https://api.example.org/l?page%5Bsize%5D=2&q=a%20b"),
    ("/l?q=caf%C3%A9&r=é", "https://api.example.org/l?q=caf%C3%A9&r=%C3%A9"),
    ("  /l?a=%20  ", "https://api.example.org/l?a=%20"),
  ]) func `Rule 14: a URL is parsed leniently and never encoded twice.`(
    target: String, address: String
  ) throws {
    #expect(try followed(target) == address)
  }

  /// A Link field, and the query of the target that is followed; nil if none is.
  @Test(
    arguments: [
      ("<?a=1,2;b>; rel=\"prev next\", <?last>; rel=last", "a=1,2;b"), ("<?p=2>;rel=next", "p=2"),
      ("<?p=2>; title=\"a, <?p=9>; rel=next; b\"; rel=\"next\"", "p=2"),
      ("<?p=9>; rel=next; anchor=\"/x\", <?p=2>; rel=next", "p=2"), ("<?p=9>; rel=nextish", nil),
      ("<<<>;;; rel=next", nil), ("<>; rel=next", nil), ("?p=9; rel=next", nil), ("<?p=9", nil),
    ] as [(String, String?)])
  func `Rule 15: Link is parsed by its grammar, and invalid values are not followed.`(
    field: String, query: String?
  )
    throws
  {
    var pagingRun = PagingRun(
      try source("link:next"),
      answers: [.init(body: "{\"items\": [{\"id\": 1}]}", headers: [("Link", field)]), .init([2])])
    try pagingRun.load()
    #expect(pagingRun.requested == ["-"] + [query].compactMap { $0 })
  }

  @Test func `Rule 15: several Link fields form one list.`() throws {
    var pagingRun = PagingRun(
      try source("link:next"),
      answers: [
        .init(
          body: "{\"items\": [{\"id\": 1}]}",
          headers: [("Link", "<?p=1>; rel=first"), ("link", "<?p=2>; rel=next")]), .init([2]),
      ])
    try pagingRun.load()
    #expect(pagingRun.requested == ["-", "p=2"])
  }

  @Test func `Rule 16: a next link is followed unchanged, without parameters of the source.`() throws {
    let source = try listSource(
      LinkPagination.self,
      PaginationSettings(size: .init(slot: .query("n")), next: try expression("next"))
    ) { $0.endpoint.parameters = [.init(name: "q", value: try Template("{query}"))] }
    var pagingRun = PagingRun(source, size: 5, answers: [next("/list?cursor=z%2F"), .init([2])])
    try pagingRun.load()
    #expect(pagingRun.requested == ["q=x&n=5", "cursor=z%2F"])
  }

  @Test func `Rule 16: a credential is sent only to the origin of the source.`() throws {
    let source = try source(hosts: ["cdn.example.org"])
    let credential = PlacedCredential(
      place: .header("Authorization"), secret: Secret("Bearer x"), provenance: "test")
    func sent(to address: String) throws -> PlacedCredential? {
      let position = Position(ordinal: 1, value: .link(try WebURL(address)))
      let request = PageRequest(query: Query("x"), position: position, generation: 1)
      return try source.request(
        for: request, in: RunContext(credentials: ResolvedCredentials(authorization: credential))
      )
      .credentials.first
    }
    #expect(try sent(to: "https://api.example.org/2") == credential)
    #expect(try sent(to: "https://cdn.example.org/2") == nil)
    #expect(try sent(to: "https://api.example.org:8443/2") == nil)
  }

  @Test(arguments: [
    ("https://cdn.example.org/2", "https://cdn.example.org/2"),
    (
      "https://evil.example/2",
      "pagination.next of source test returned a link that leads to another origin, https://evil.example. If that is the same service behind a proxy, set pagination.next_origin = \"source\""
    ), ("http://api.example.org/2", "https://api.example.org/2"),
    (
      "http://api.example.org:81/2",
      "pagination.next of source test returned a link that leads from https to http://api.example.org:81, which is not allowed"
    ),
  ]) func `Rule 16: another host is requested only if the source lists it.`(target: String, result: String)
    throws
  {
    #expect(try followed(target, hosts: ["cdn.example.org"]) == result)
  }

  @Test func `Rule 16: a page from a listed host may lead back to the source.`() throws {
    let targets = ["https://cdn.example.org/2", "https://api.example.org/3", "https://cdn.example.org/4"]
    var addresses: [String] = []
    var pagingRun = PagingRun(try source(hosts: ["cdn.example.org"])) { request in
      addresses.append("\(request.url)")
      let target = targets.dropFirst(addresses.count - 1).first
      return .init([addresses.count], target.map { "\"next\": \"\($0)\"" } ?? "")
    }
    try pagingRun.load()
    #expect(addresses.dropFirst() == targets[...])
    #expect(pagingRun.ids == [1, 2, 3, 4])
  }
}
