import Config
import Detection
import HTTPValues
import JSON
import Search
import Testing

/// The description in a document.
func described(_ text: String, at address: String? = nil) throws -> APIDescription {
  try APIDescription(
    JSONDocument(Array(text.utf8), maxDepth: 512), at: address.map { try WebURL($0) })
}

/// The parts of a source as text: the rows' path, and the keys of `[pagination]` but the size.
private func parts(_ document: String) -> (rows: String, pagination: String) {
  var table = ""
  var rows = ""
  var pagination: [String] = []
  for line in document.split(separator: "\n") where !line.hasPrefix("#") {
    if line.hasPrefix("[") { table = String(line) }
    let pair = line.split(separator: " = ", maxSplits: 1)
    guard pair.count == 2, !line.hasPrefix("size") else { continue }
    let value = String(pair[1].hasPrefix("\"") ? pair[1].dropFirst().dropLast() : pair[1])
      .replacing("\\\"", with: "\"")
    if table == "[rows]", pair[0] == "path" { rows = value }
    if table == "[pagination]" { pagination.append(pair[0] == "type" ? value : "\(pair[0])=\(value)") }
  }
  return (rows, pagination.joined(separator: " "))
}

@Suite struct APIDescriptionTests {
  @Test(arguments: DescriptionHabit.all, DescriptionVersion.allCases)
  func `The source of a list has its rows and its pagination.`(
    habit: DescriptionHabit, version: DescriptionVersion
  ) throws {
    let description = try described(version.document(habit))
    let endpoint = try #require(description.endpoints.first, "\(description.omissions)")
    let document = description.document(of: endpoint, id: "things")
    let found = parts(document)
    #expect(found.rows == habit.rows)
    #expect(found.pagination == habit.pagination)
    _ = try SourceDecoder.source(TOMLDocument(document, file: "things.toml"))
  }

  @Test(arguments: DescriptionHabit.all, DescriptionVersion.allCases)
  func `The same list, requested by POST, has its position in the body.`(
    habit: DescriptionHabit, version: DescriptionVersion
  ) throws {
    let description = try described(version.document(habit, isInBody: true))
    let endpoint = try #require(description.endpoints.first, "\(description.omissions)")
    let document = description.document(of: endpoint, id: "things")
    let found = parts(document)
    #expect(found.rows == habit.rows)
    #expect(found.pagination == habit.paginationInBody, "\(document)")
    let source = try SourceDecoder.source(TOMLDocument(document, file: "things.toml"))
    #expect(source.endpoint.method == .post && source.endpoint.isSafe)
  }
}

extension DescriptionHabit {
  /// `param=page` is `into=body:page`, quoted if the name is odd.
  fileprivate var paginationInBody: String {
    guard let match = pagination.firstMatch(of: /param=(\S+)/) else { return pagination }
    let isPlain = match.1.wholeMatch(of: /[A-Za-z_]+/) != nil
    return pagination.replacing(match.0, with: "into=body:\(isPlain ? "\(match.1)" : "[\"\(match.1)\"]")")
  }
}

@Suite struct DescribedSourceTests {
  private static let shop = """
    {"openapi":"3.0.0","info":{"title":"Shop API (v2)"},
     "servers":[{"url":"https://{region}.shop.example/{base}","variables":{
       "region":{"default":"eu","enum":["eu","us"]},"base":{"default":"v2"}}}],
     "security":[{"key":[]},{}],
     "components":{
       "securitySchemes":{"key":{"type":"apiKey","in":"header","name":"X-Shop-Key"},
         "client":{"type":"oauth2","flows":{"clientCredentials":{"tokenUrl":"https://shop.example/token","scopes":{}}}},
         "user":{"type":"http","scheme":"Basic"}},
       "parameters":{"Page":{"name":"page","in":"query","schema":{"type":"integer","default":1}}},
       "responses":{"Orders":{"description":"","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Orders"}}}}},
       "schemas":{"Orders":{"allOf":[{"type":"object","properties":{"total":{"type":"integer"}}},
           {"type":"object","properties":{"orders":{"type":"array","items":{"$ref":"#/components/schemas/Order"}}}}]},
         "Order":{"type":"object","properties":{"id":{"type":"integer"},"title":{"type":"string"},
           "state":{"type":"string","enum":["new","paid"]},"placed":{"type":"string","format":"date"},
           "parent":{"$ref":"#/components/schemas/Order"},"html_url":{"type":"string","format":"uri"},
           "self_url":{"type":"string"},"note_count":{"type":"integer"}}}}},
     "paths":{
       "/shops":{"get":{"summary":"Shops","responses":{"200":{"content":{"application/json":{"schema":
         {"type":"array","items":{"type":"object","properties":{"slug":{"type":"string"}}}}}}}}}},
       "/shops/{shop}/orders":{"parameters":[{"name":"shop","in":"path","required":true,"schema":{"type":"string"}},
           {"$ref":"#/components/parameters/Page"}],
         "get":{"summary":"Orders of a shop","parameters":[
           {"name":"q","in":"query","schema":{"type":"string"}},
           {"name":"filter[state]","in":"query","schema":{"type":"string","enum":["new","paid"]}},
           {"name":"currency","in":"query","required":true,"schema":{"type":"string","default":"EUR"}},
           {"name":"per_page","in":"query","schema":{"type":"integer","default":250,"maximum":100}},
           {"name":"X-Api-Version","in":"header","required":true,"schema":{"type":"string","enum":["2024-01"]}}],
         "responses":{"200":{"$ref":"#/components/responses/Orders"}}}},
       "/open":{"get":{"security":[],"responses":{"200":{"content":{"application/json":{"schema":{"type":"array","items":{"$ref":"#/components/schemas/Order"}}}}}}}},
       "/client":{"get":{"security":[{"client":["orders.read"]}],"responses":{"200":{"$ref":"#/components/responses/Orders"}}}},
       "/user":{"get":{"security":[{"user":[]}],"responses":{"200":{"$ref":"#/components/responses/Orders"}}}}}}
    """

  @Test func `A described key that different rows have is not written.`() throws {
    let shop = try described(Self.shop)
    let orders = try #require(shop.endpoints.first { $0.path == "/shops/{shop}/orders" })
    let key = try #require(orders.key)
    #expect(shop.document(of: orders, id: "orders").contains("\nid = \"\(key)\"\n"))
    var guess = orders.pagination
    guess.trial.isKeyAmbiguous = true
    let document = shop.document(of: orders, id: "orders", pagination: guess)
    #expect(document.contains("\n# Different rows have the same \(key), so it is not a row id.\n"))
    #expect(!document.contains("\nid = \"\(key)\""))
  }

  @Test
  func
    `A source has the request, options, credential, pagination, and columns that a person would choose.`()
    throws
  {
    let shop = try described(Self.shop)
    let orders = try #require(shop.endpoints.first { $0.path == "/shops/{shop}/orders" })
    let document = shop.document(of: orders, id: "orders")
    #expect(
      document == """
        schema = 1
        id = "orders"
        title = "Shop API (v2): Orders of a shop"

        [input]
        min_length = 0

        # {shop} may be the slug of the rows of /shops. With a source of them:
        # [parent]
        # source = "ID"
        # name = "shop"
        # value = "slug"

        [request]
        url = "https://{region}.shop.example/v2/shops/{shop}/orders"
        params = { q = "{query?}", "filter[state]" = "{filter_state?}", currency = "{currency}" }
        headers = { X-Api-Version = "{x_api_version}" }

        [options.region]
        values = ["eu", "us"]
        default = "eu"

        [options.shop]

        [options.filter_state]
        title = "filter[state]"
        values = ["", "new", "paid"]

        [options.currency]
        default = "EUR"

        [options.x_api_version]
        title = "X-Api-Version"
        values = ["2024-01"]

        [auth]
        type = "header"
        header = "X-Shop-Key"
        from = ["env:SHOP_API_KEY"]
        optional = true

        [pagination]
        # page is the number of the page
        type = "page"
        param = "page"
        first = 1
        size = { param = "per_page", default = 100, max = 100 }

        [rows]
        path = "orders"
        id = "id"
        total = "total"
        link = "html_url"

        [[columns]]
        path = "title"

        [[columns]]
        name = "parent_title"
        path = "parent.title"

        [[columns]]
        path = "id"
        align = "right"

        [[columns]]
        path = "state"

        [[columns]]
        path = "note_count"
        format = "number"

        [[columns]]
        path = "placed"
        format = "date"

        """)
    _ = try SourceDecoder.source(TOMLDocument(document, file: "orders.toml"))
  }

  private static let crm = """
    {"openapi":"3.1.0","info":{"title":"CRM"},"servers":[{"url":"https://crm.example"}],
     "components":{"schemas":{
       "Search":{"type":"object","required":["filterGroups","archived","paging","token","level"],"properties":{
         "query":{"type":"string"},"filterGroups":{"type":"array","items":{"type":"object"}},
         "archived":{"type":"boolean","default":false},"token":{"type":"string"},"level":{"type":"integer"},
         "kind":{"type":"string","enum":["company","person"]},"colors":{"type":"array","items":{"type":"string"}},
         "price":{"type":"object","properties":{"from":{"type":"number"}}},
         "paging":{"type":"object","required":["limit"],"properties":{
           "limit":{"type":"integer","maximum":100},"after":{"type":"string"}}}}}}},
     "paths":{"/contacts/search":{"post":{"summary":"Search contacts",
       "requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Search"}}}},
       "responses":{"200":{"content":{"application/json":{"schema":{"type":"object","properties":{
         "total":{"type":"integer"},"results":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"}}}},
         "paging":{"type":"object","properties":{"next":{"type":"object","properties":{"after":{"type":"string"}}}}}}}}}}}}}}}
    """

  @Test func `A list requested by POST has its query, its options, and its position in the body.`() throws {
    let crm = try described(Self.crm)
    let endpoint = try #require(crm.endpoints.first, "\(crm.omissions)")
    #expect(crm.endpoints.map(\.name) == ["POST /contacts/search"])
    let document = crm.document(of: endpoint, id: "contacts")
    #expect(
      document == """
        schema = 1
        id = "contacts"
        title = "CRM: Search contacts"

        [input]
        min_length = 0

        [request]
        method = "POST"
        url = "https://crm.example/contacts/search"
        safe = true
        # The lists of the body are required, and empty is a guess.
        [request.body]
        filterGroups = []
        paging = {}
        query = "{query?}"
        archived = "{archived}"
        token = "{secret:token}"
        level = "{level}"
        kind = "{kind?}"

        [options.archived]
        default = false

        [options.level]
        # default = 1   # a number or boolean here is sent as one, not as a text

        [options.kind]
        values = ["", "company", "person"]

        [secrets.token]
        from = ["env:CRM_TOKEN"]

        [pagination]
        # paging.next.after is a token, sent back as paging.after
        type = "cursor"
        into = "body:paging.after"
        next = "paging.next.after"
        size = { body = "paging.limit", default = 30, max = 100 }

        [rows]
        path = "results"
        id = "id"
        total = "total"

        [[columns]]
        path = "id"

        """)
    let source = try SourceDecoder.source(TOMLDocument(document, file: "contacts.toml"))
    #expect(source.endpoint.isSafe)
  }

  @Test(arguments: [
    (#"{"a":{"type":"array","items":{"type":"object"}}}"#, "/things/find", true),
    (#"{"limit":{"type":"integer"},"offset":{"type":"integer"}}"#, "/things", true),
    (#"{"limit":{"type":"integer"}}"#, "/things", false),
    (#"{"name":{"type":"string"}}"#, "/things", nil),
    (#"{"from":{"type":"integer"},"name":{"type":"string"}}"#, "/things/{id}/copies", false),
  ])
  func `A POST request is a list if it takes a position or is called a search, and safe if that is sure.`(
    members: String, path: String, isSafe: Bool?
  ) throws {
    let description = try described(
      """
      {"swagger":"2.0","host":"x.example","paths":{"\(path)":{"post":{
        "parameters":[{"in":"body","name":"b","schema":{"type":"object","properties":\(members)}}],
        "responses":{"200":{"schema":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"}}}}}}}}}}
      """)
    #expect(description.endpoints.map(\.isSafe) == [isSafe].compactMap(\.self))
    #expect(
      description.omissions.map(\.reason)
        == (isSafe == nil ? ["a POST request may change something. Write its source by hand"] : []))
    for endpoint in description.endpoints {
      let document = description.document(of: endpoint, id: "x")
      let source = try SourceDecoder.source(TOMLDocument(document, file: "x.toml"))
      #expect(source.endpoint.isSafe == isSafe)
    }
  }

  @Test(arguments: [
    (
      #"{"content":{"multipart/form-data":{"schema":{}}}}"#,
      "the body of the request is multipart/form-data, which a source cannot send"
    ),
    (
      #"{"content":{"application/json":{"schema":{"type":"array","items":{}}}}}"#,
      "the body of the request is no object"
    ),
    (##"{"$ref":"#/components/requestBodies/X"}"##, "the body of the request is missing in the description"),
  ])
  func `A POST request that a source cannot send is left out with the reason.`(body: String, reason: String)
    throws
  {
    let description = try described(
      """
      {"openapi":"3.0.0","servers":[{"url":"https://x.example"}],"paths":{"/things/search":{"post":{"requestBody":\(body),
        "responses":{"200":{"content":{"application/json":{"schema":{"type":"array","items":{"type":"object"}}}}}}}}}}
      """)
    #expect(description.omissions.map(\.reason) == [reason])
  }

  @Test func `The lists of an API description are shown as rows of a table.`() throws {
    let rows = try described(Self.shop).endpoints.map {
      "\($0.name) | \($0.summary) | \($0.style) | \($0.rowsPath)"
    }
    #expect(
      rows == [
        "/shops | Shops | none | $",
        "/shops/{shop}/orders | Orders of a shop | page with parameter page | orders",
        "/open |  | none | $", "/client |  | none | orders", "/user |  | none | orders",
      ])
  }

  @Test(arguments: [
    ("/open", nil),
    (
      "/client",
      """
      [auth]
      type = "oauth"
      grant = "client_credentials"
      token_url = "https://shop.example/token"
      client_id_from = ["env:SHOP_CLIENT_ID"]
      client_secret_from = ["env:SHOP_CLIENT_SECRET"]
      scopes = ["orders.read"]
      """
    ),
    (
      "/user",
      """
      [auth]
      type = "basic"
      user_from = ["env:SHOP_USER"]
      from = ["env:SHOP_PASSWORD"]
      """
    ),
  ])
  func `The security of an endpoint is its credential.`(path: String, table: String?) throws {
    let shop = try described(Self.shop)
    let endpoint = try #require(shop.endpoints.first { $0.path == path })
    let document = shop.document(of: endpoint, id: "x")
    #expect(document.contains("[auth]") == (table != nil))
    #expect(table.map(document.contains) ?? true, "\(document)")
    _ = try SourceDecoder.source(TOMLDocument(document, file: "x.toml"))
  }

  @Test(arguments: [
    (
      #""openapi":"3.0.0","servers":[{"url":"/v1/"}]"#, "https://docs.example/api/openapi.json",
      "https://docs.example/v1/a"
    ),
    (
      #""openapi":"3.0.0","servers":[{"url":"../v1"}]"#, "https://docs.example/api/openapi.json",
      "https://docs.example/v1/a"
    ),
    (#""openapi":"3.0.0""#, "https://docs.example/api/openapi.json", "https://docs.example/a"),
    (#""openapi":"3.0.0""#, nil, "{server}/a"),
    (
      #""openapi":"3.1.0","servers":[{"url":"{scheme}://x.example","variables":{"scheme":{"default":"https","enum":["http","https"]}}}]"#,
      nil, "https://x.example/a"
    ),
    (
      #""openapi":"3.0.0","servers":[{"url":"ftp://x"},{"url":"https://y.example:8443/b"}]"#, nil,
      "https://y.example:8443/b/a"
    ),
    (
      #""swagger":"2.0","host":"x.example","basePath":"/b/","schemes":["http","https"]"#, nil,
      "https://x.example/b/a"
    ),
    (#""swagger":"2.0","basePath":"/b""#, "http://y.example/swagger.json", "http://y.example/b/a"),
    (#""swagger":"2.0","host":"user@x.example""#, nil, "{server}/a"),
  ])
  func `Each endpoint has the URL of its server.`(head: String, address: String?, url: String) throws {
    let response =
      #"{"200":{"schema":{"type":"array","items":{"type":"object"}},"content":{"application/json":{"schema":{"type":"array","items":{"type":"object"}}}}}}"#
    let description = try described(
      #"{\#(head),"paths":{"/a":{"get":{"responses":\#(response)}}}}"#, at: address)
    let document = description.document(of: try #require(description.endpoints.first), id: "x")
    #expect(document.contains("url = \"\(url)\""), "\(document)")
    _ = try SourceDecoder.source(TOMLDocument(document, file: "x.toml"))
  }

  @Test(arguments: [
    #""content":{"application/json":{"example":EXAMPLE}}"#,
    #""content":{"application/json":{"examples":{"two":{"value":EXAMPLE}}}}"#,
    #""content":{"application/json":{"schema":{"type":"object","example":EXAMPLE}}}"#,
    #""content":{"application/json":{"schema":{"type":"object"},"example":EXAMPLE}}"#,
  ])
  func `[U18] A response with only an example is read for its shape.`(response: String) throws {
    let example = #"{"total":2,"orders":[{"id":7,"name":"a","paid":true}],"next":null}"#
    let description = try described(
      #"{"openapi":"3.0.0","paths":{"/orders":{"get":{"responses":{"200":{\#(response.replacing("EXAMPLE", with: example))}}}}}}"#
    )
    let endpoint = try #require(description.endpoints.first, "\(description.omissions)")
    #expect(endpoint.rowsPath == "orders" && endpoint.key == "id")
    #expect(description.document(of: endpoint, id: "x").contains("total = \"total\""))
  }

  @Test(arguments: [
    (#"{"get":{}}"#, "no successful response is described"),
    (#"{"get":{"responses":{"404":{}}}}"#, "no successful response is described"),
    (#"{"get":{"responses":{"200":{"description":"ok"}}}}"#, "the response has no content"),
    (#"{"get":{"responses":{"200":{"content":{"text/csv":{}}}}}}"#, "the response is text/csv, not JSON"),
    (#"{"get":{"responses":{"200":{"content":{"application/json":{}}}}}}"#, "the response has no schema"),
    (
      ##"{"get":{"responses":{"200":{"$ref":"#/components/responses/X"}}}}"##,
      ##"the response is missing: "#/components/responses/X" does not exist"##
    ),
    (
      schema(#"{"$ref":"common.yaml#/List"}"#),
      ##"the schema of the response is missing: "common.yaml#/List" is in another document, which is not requested"##
    ),
    (
      schema(##"{"$ref":"#/components/schemas/Loop"}"##),
      "the schema of the response is missing: a reference leads back to itself"
    ),
    (schema(#"{"type":"object","properties":{"name":{"type":"string"}}}"#), "the response is one object"),
    (
      schema(
        #"{"type":"object","properties":{"id":{"type":"string"},"tags":{"type":"array","items":{"type":"object"}}}}"#
      ), "the response is one object, in which tags is a list"
    ),
    (schema(#"{"type":"string"}"#), "the response has no list of objects"),
    (
      schema(#"{"type":"array","items":{}}"#).replacing("get", with: "post"),
      "a POST request may change something. Write its source by hand"
    ),
  ])
  func `An endpoint that is left out has a reason.`(item: String, reason: String) throws {
    let description = try described(
      ##"{"openapi":"3.0.0","components":{"schemas":{"Loop":{"$ref":"#/components/schemas/Loop"}}},"paths":{"/a":\##(item)}}"##
    )
    #expect(description.omissions.map(\.reason) == [reason])
    #expect(description.endpoints.isEmpty)
  }

  private static func schema(_ text: String) -> String {
    #"{"get":{"responses":{"200":{"content":{"application/json":{"schema":\#(text)}}}}}}"#
  }

  @Test(arguments: [
    ("[]", APIDescriptionError.notADescription), ("{}", .notADescription),
    (#"{"openapi":"4.0","paths":{}}"#, .version("4.0")), (#"{"swagger":1.2}"#, .version("1.2")),
    (#"{"openapi":"3.0.0"}"#, .noPaths),
  ])
  func `A document that is not an API description is reported.`(text: String, error: APIDescriptionError) {
    #expect(throws: error) { try described(text) }
  }
}
