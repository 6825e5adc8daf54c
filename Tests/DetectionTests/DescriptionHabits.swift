import JSON

/// How a service lists, as the parameters and the response of one endpoint, and what its source should say.
struct DescriptionHabit: CustomStringConvertible {
  let name: String
  /// The parameters as `name:type=default<maximum`, separated by spaces.
  let parameters: String
  /// The respond with a type in place of each value: `"ROW"` is a row, `"string/uri"` has a format, `"A|B"` is an
  /// `allOf`, and the key `"<"` of an object names the headers.
  let response: String
  var headers = ""
  var path = "/things"
  let rows: String
  /// The keys of `[pagination]` but its size.
  let pagination: String

  var description: String { name }

  static let all: [DescriptionHabit] = [
    .init(
      name: "GitHub", parameters: "page:integer=1 per_page:integer=30<100", response: #"["ROW"]"#,
      headers: "Link",
      rows: "$", pagination: "link next=link:next"),
    .init(
      name: "Stripe", parameters: "starting_after:string ending_before:string limit:integer=10<100",
      response: #"{"object":"string","url":"string","has_more":"boolean","data":["ROW"]}"#, rows: "data",
      pagination: "cursor param=starting_after next=data[-1].id more=has_more"),
    .init(
      name: "page and meta.total", parameters: "page:integer=1 per_page:integer=20<50",
      response:
        #"{"data":["ROW"],"meta":{"total":"integer","current_page":"integer","last_page":"integer"}}"#,
      rows: "data", pagination: "page param=page first=1 pages=meta.last_page"),
    .init(
      name: "offset and limit", parameters: "offset:integer limit:integer=20",
      response: #"{"total":"integer","items":["ROW"]}"#, rows: "items",
      pagination: "offset param=offset first=0"
    ),
    .init(
      name: "JSON:API with links", parameters: "page[number]:integer page[size]:integer",
      response:
        #"{"data":[{"id":"string","type":"string","attributes":"ROW"}],"included":["ROW"],"links":{"self":"string","next":"string"},"meta":{"total":"integer"}}"#,
      rows: "data", pagination: "link next=links.next"),
    .init(
      name: "JSON:API with numbers", parameters: "page[number]:integer page[size]:integer",
      response: #"{"included":["ROW"],"data":["ROW"]}"#, rows: "data",
      pagination: "page param=page[number] first=1"),
    .init(
      name: "JSON:API with offsets", parameters: "page[offset]:integer page[limit]:integer",
      response: #"{"data":["ROW"],"meta":{"total":"integer"}}"#, rows: "data",
      pagination: "offset param=page[offset] first=0"),
    .init(
      name: "OData", parameters: "$top:integer $skip:integer $filter:string",
      response:
        ##"{"@odata.context":"string","@odata.count":"integer","@odata.nextLink":"string","value":["ROW"]}"##,
      rows: "value", pagination: #"link next=["@odata.nextLink"]"#),
    .init(
      name: "OData without a link", parameters: "$top:integer $skip:integer", response: #"{"value":["ROW"]}"#,
      rows: "value", pagination: "offset param=$skip first=0"),
    .init(
      name: "HAL", parameters: "page:integer=0 size:integer=20",
      response:
        #"{"_embedded":{"things":["ROW"]},"_links":{"self":{"href":"string"},"next":{"href":"string"}},"page":{"size":"integer","totalElements":"integer","totalPages":"integer","number":"integer"}}"#,
      rows: "_embedded.things", pagination: "link next=_links.next.href"),
    .init(
      name: "Google", parameters: "pageToken:string pageSize:integer=100<1000",
      response: #"{"kind":"string","etag":"string","nextPageToken":"string","files":["ROW"]}"#, rows: "files",
      pagination: "cursor param=pageToken next=nextPageToken"),
    .init(
      name: "Google with underscores", parameters: "page_token:string page_size:integer",
      response: #"{"next_page_token":"string","total_size":"integer","clusters":["ROW"]}"#, rows: "clusters",
      pagination: "cursor param=page_token next=next_page_token"),
    .init(
      name: "Slack", parameters: "cursor:string limit:integer",
      response:
        #"{"ok":"boolean","channels":["ROW"],"response_metadata":{"next_cursor":"string","messages":["string"]}}"#,
      rows: "channels", pagination: "cursor param=cursor next=response_metadata.next_cursor"),
    .init(name: "a list, no pages", parameters: "", response: #"["ROW"]"#, rows: "$", pagination: "none"),
    .init(
      name: "a wrapped list, no pages", parameters: "", response: #"{"teams":["ROW"]}"#, rows: "teams",
      pagination: "none"),
    .init(
      name: "Django", parameters: "page:integer search:string",
      response: #"{"count":"integer","next":"string/uri","previous":"string/uri","results":["ROW"]}"#,
      rows: "results", pagination: "link next=next"),
    .init(
      name: "Spring", parameters: "page:integer=0 size:integer=20 sort:string",
      response:
        #"{"content":["ROW"],"totalPages":"integer","totalElements":"integer","last":"boolean","number":"integer","sort":{"sorted":"boolean"}}"#,
      rows: "content", pagination: "page param=page first=0 done=last pages=totalPages"),
    .init(
      name: "Facebook", parameters: "after:string limit:integer",
      response:
        #"{"data":["ROW"],"paging":{"cursors":{"before":"string","after":"string"},"next":"string"}}"#,
      rows: "data", pagination: "cursor param=after next=paging.cursors.after"),
    .init(
      name: "HubSpot", parameters: "limit:integer=10 after:string",
      response: #"{"results":["ROW"],"paging":{"next":{"after":"string","link":"string"}}}"#, rows: "results",
      pagination: "cursor param=after next=paging.next.after"),
    .init(
      name: "Notion", parameters: "start_cursor:string page_size:integer",
      response: #"{"object":"string","results":["ROW"],"next_cursor":"string","has_more":"boolean"}"#,
      rows: "results", pagination: "cursor param=start_cursor next=next_cursor more=has_more"),
    .init(
      name: "Atlassian", parameters: "startAt:integer maxResults:integer=50",
      response:
        #"{"startAt":"integer","maxResults":"integer","total":"integer","isLast":"boolean","values":["ROW"]}"#,
      rows: "values", pagination: "offset param=startAt first=0 done=isLast"),
    .init(
      name: "Zendesk", parameters: "page[after]:string page[size]:integer",
      response:
        #"{"tickets":["ROW"],"meta":{"has_more":"boolean","after_cursor":"string"},"links":{"prev":"string","next":"string"}}"#,
      rows: "tickets", pagination: "link next=links.next"),
    .init(
      name: "Spotify", parameters: "offset:integer=0 limit:integer=20<50",
      response:
        #"{"href":"string","items":["ROW"],"limit":"integer","next":"string","offset":"integer","total":"integer"}"#,
      rows: "items", pagination: "link next=next"),
    .init(
      name: "Twitter", parameters: "pagination_token:string max_results:integer<100",
      response:
        #"{"data":["ROW"],"includes":{"users":["ROW"]},"errors":["ROW"],"meta":{"result_count":"integer","next_token":"string"}}"#,
      rows: "data", pagination: "cursor param=pagination_token next=meta.next_token"),
    .init(
      name: "AWS", parameters: "NextToken:string MaxResults:integer",
      response: #"{"NextToken":"string","Functions":["ROW"]}"#, rows: "Functions",
      pagination: "cursor param=NextToken next=NextToken"),
    .init(
      name: "Azure", parameters: "api-version:string", response: #"{"value":["ROW"],"nextLink":"string"}"#,
      rows: "value", pagination: "link next=nextLink"),
    .init(
      name: "Kubernetes", parameters: "limit:integer continue:string",
      response:
        #"{"apiVersion":"string","items":["ROW"],"metadata":{"continue":"string","remainingItemCount":"integer"}}"#,
      rows: "items", pagination: "cursor param=continue next=metadata.continue"),
    .init(
      name: "a page that is a token", parameters: "page:string per_page:integer",
      response: #"{"results":["ROW"],"next_page_token":"string"}"#, rows: "results",
      pagination: "cursor param=page next=next_page_token"),
    .init(
      name: "a GitLab header", parameters: "page:integer=1 per_page:integer=20", response: #"["ROW"]"#,
      headers: "X-Total X-Total-Pages X-Next-Page", rows: "$",
      pagination: "page param=page first=1 next=header:x-next-page pages=header:x-total-pages"),
    .init(
      name: "a WordPress header", parameters: "page:integer=1 per_page:integer=10<100 search:string",
      response: #"["ROW"]"#, headers: "X-WP-Total X-WP-TotalPages", rows: "$",
      pagination: "page param=page first=1 pages=header:x-wp-totalpages"),
    .init(
      name: "pages of has_more", parameters: "page:integer limit:integer",
      response: #"{"list":["ROW"],"has_more":"boolean"}"#, rows: "list",
      pagination: "page param=page first=1 more=has_more"),
    .init(
      name: "the number of the next page", parameters: "page:integer perPage:integer",
      response: #"{"items":["ROW"],"pagination":{"nextPage":"integer","pageCount":"integer"}}"#,
      rows: "items",
      pagination: "page param=page first=1 next=pagination.nextPage pages=pagination.pageCount"),
    .init(
      name: "Solr", parameters: "q:string start:integer=0 rows:integer=10",
      response: #"{"response":{"numFound":"integer","start":"integer","docs":["ROW"]}}"#,
      rows: "response.docs",
      pagination: "offset param=start first=0"),
    .init(
      name: "Elasticsearch", parameters: "q:string from:integer=0 size:integer=10",
      response:
        #"{"took":"integer","hits":{"total":{"value":"integer"},"hits":[{"_id":"string","_source":"ROW"}]}}"#,
      rows: "hits.hits", pagination: "offset param=from first=0"),
    .init(
      name: "GraphQL words", parameters: "first:integer=20 after:string",
      response: #"{"nodes":["ROW"],"pageInfo":{"hasNextPage":"boolean","endCursor":"string"}}"#,
      rows: "nodes",
      pagination: "cursor param=after next=pageInfo.endCursor more=pageInfo.hasNextPage"),
    .init(
      name: "an envelope by allOf", parameters: "page:integer limit:integer",
      response: #"{"&":[{"success":"boolean","total":"integer"},{"result":["ROW"]}]}"#, rows: "result",
      pagination: "page param=page first=1"),
    .init(
      name: "an envelope by anyOf", parameters: "cursor:string",
      response: #"{"?":[{"error":"string"},{"entries":["ROW"],"cursor":"string"}]}"#, rows: "entries",
      pagination: "cursor param=cursor next=cursor"),
    .init(
      name: "a data envelope of two levels", parameters: "pageNumber:integer pageSize:integer",
      response: #"{"code":"integer","data":{"records":["ROW"],"totalCount":"integer"}}"#,
      rows: "data.records",
      pagination: "page param=pageNumber first=1"),
    .init(
      name: "rows beside facets", parameters: "query:string page:integer hitsPerPage:integer",
      response:
        #"{"facets":["ROW"],"suggestions":["ROW"],"hits":["ROW"],"nbHits":"integer","nbPages":"integer"}"#,
      rows: "hits", pagination: "page param=page first=1 pages=nbPages"),
    .init(
      name: "the last id", parameters: "after_id:string limit:integer", response: #"["ROW"]"#, rows: "$",
      pagination: "cursor param=after_id next=[-1].id"),
    .init(
      name: "a list of texts", parameters: "n:integer last_id:string", response: #"["string"]"#, rows: "$",
      pagination: "none"),
    .init(
      name: "a map", parameters: "", response: #"{"*":"ROW"}"#, rows: "$", pagination: "none"),
    .init(
      name: "an empty allOf around a row", parameters: "marker:string", path: "/v2/droplets",
      response: #"{"droplets":[{"&":["ROW"]}],"marker":"string"}"#, rows: "droplets",
      pagination: "cursor param=marker next=marker"),
    .init(
      name: "a page in the header", parameters: "cursor:string limit:integer", response: #"["ROW"]"#,
      headers: "X-Next-Cursor", rows: "$", pagination: "cursor param=cursor next=header:x-next-cursor"),
    .init(
      name: "skip and take", parameters: "skip:integer take:integer",
      response: #"{"results":["ROW"],"matched":"integer"}"#, rows: "results",
      pagination: "offset param=skip first=0"),
    .init(
      name: "a day is no offset", parameters: "from:string/date after:string/date-time page:integer",
      response: #"{"bookings":["ROW"],"total":"integer"}"#, rows: "bookings",
      pagination: "page param=page first=1"),
    .init(
      name: "Box", parameters: "offset:integer limit:integer",
      response:
        #"{"total_count":"integer","limit":"integer","offset":"integer","order":["ROW"],"entries":["ROW"]}"#,
      rows: "entries", pagination: "offset param=offset first=0"),
    .init(
      name: "the next address in pagination", parameters: "limit:integer",
      response: #"{"pagination":{"next_url":"string","total":"integer"},"data":["ROW"]}"#, rows: "data",
      pagination: "link next=pagination.next_url"),
    .init(
      name: "a cursor that nothing returns", parameters: "cursor:string", response: #"["ROW"]"#, rows: "$",
      pagination: "none"),
  ]

  private init(
    name: String, parameters: String, path: String = "/things", response: String, headers: String = "",
    rows: String, pagination: String
  ) {
    (self.name, self.parameters, self.path, self.response) = (name, parameters, path, response)
    (self.headers, self.rows, self.pagination) = (headers, rows, pagination)
  }
}

/// A version of the format of descriptions.
enum DescriptionVersion: String, CaseIterable {
  case swagger = "2.0"
  case open30 = "3.0.3"
  case open31 = "3.1.0"

  private var definitions: String { self == .swagger ? "#/definitions" : "#/components/schemas" }

  static let row = """
    {"type":"object","required":["id"],"properties":{
      "id":{"type":"integer"},"name":{"type":"string"},"description":{"type":"string"},
      "status":{"type":"string","enum":["open","closed"]},"avatar_url":{"type":"string","format":"uri"},
      "archived":{"type":"boolean"},"stars":{"type":"integer"},"tags":{"type":"array","items":{"type":"string"}},
      "owner":{"type":"object","properties":{"login":{"type":"string"}}},
      "created_at":{"type":"string","format":"date-time"}}}
    """

  /// A document with one endpoint.
  ///
  /// - Parameter isInBody: Whether it is requested by POST, with its parameters as members of the body.
  func document(_ habit: DescriptionHabit, isInBody: Bool = false) throws -> String {
    let schema = schema(try JSONDocument(Array(habit.response.utf8)).root)
    let fields = habit.headers.split(separator: " ").map {
      self == .swagger ? "\"\($0)\":{\"type\":\"string\"}" : "\"\($0)\":{\"schema\":{\"type\":\"string\"}}"
    }
    let content =
      self == .swagger ? "\"schema\":\(schema)" : #""content":{"application/json":{"schema":\#(schema)}}"#
    let operation = isInBody ? "post" : "get"
    let request = isInBody ? body(habit) : #""parameters":[\#(parameters(habit))]"#
    let responses = #"{"200":{"description":"","headers":{\#(fields.joined(separator: ","))},\#(content)}}"#
    let rows = #"{"Row":\#(Self.row)}"#
    let rest =
      self == .swagger
      ? #""swagger":"2.0","host":"api.example.org","basePath":"/v1","schemes":["https"],"definitions":\#(rows)"#
      : #""openapi":"\#(rawValue)","servers":[{"url":"https://api.example.org/v1"}],"components":{"schemas":\#(rows)}"#
    return """
      {\(rest),"info":{"title":"Thing API","version":"1"},"paths":{"\(habit.path)":{"\(operation)":{
      "summary":"List things","operationId":"listThings",\(request),"responses":\(responses)}}}}
      """
  }

  private func parameters(_ habit: DescriptionHabit) -> String {
    habit.parameters.split(separator: " ").map { text in
      let (name, schema) = parameter(String(text))
      let content = self == .swagger ? schema : "\"schema\":{\(schema)}"
      return #"{"name":"\#(name)","in":"query",\#(content)}"#
    }.joined(separator: ",")
  }

  private func body(_ habit: DescriptionHabit) -> String {
    let members = habit.parameters.split(separator: " ").map { text in
      let (name, schema) = parameter(String(text))
      return "\"\(name)\":{\(schema)}"
    }
    let schema = #"{"type":"object","properties":{\#(members.joined(separator: ","))}}"#
    return self == .swagger
      ? #""parameters":[{"in":"body","name":"body","schema":\#(schema)}]"#
      : #""requestBody":{"content":{"application/json":{"schema":\#(schema)}}}"#
  }

  /// The name of a parameter, and the members of its schema.
  private func parameter(_ text: String) -> (name: String, schema: String) {
    let limits = text.split(separator: "<")
    let parts = limits[0].split(separator: "=")
    let pair = parts[0].split(separator: ":")
    var schema = String(type(String(pair[1])).dropFirst().dropLast())
    if parts.count > 1 { schema += ",\"default\":\(parts[1])" }
    if limits.count > 1 { schema += ",\"maximum\":\(limits[1])" }
    return (String(pair[0]), schema)
  }

  private func type(_ text: String) -> String {
    if text == "ROW" { return #"{"$ref":"\#(definitions)/Row"}"# }
    let parts = text.split(separator: "/")
    let name = self == .open31 ? #"["null","\#(parts[0])"]"# : #""\#(parts[0])""#
    return parts.count == 1 ? #"{"type":\#(name)}"# : #"{"type":\#(name),"format":"\#(parts[1])"}"#
  }

  private func schema(_ picture: JSONValue) -> String {
    if let text = picture.string { return type(text) }
    if let element = picture.elements.first { return #"{"type":"array","items":\#(schema(element))}"# }
    for (key, name) in [("&", "allOf"), ("?", self == .swagger ? "allOf" : "anyOf")] {
      if let parts = picture[key] {
        return #"{"\#(name)":[\#(parts.elements.map(schema).joined(separator: ","))]}"#
      }
    }
    if let values = picture["*"] { return #"{"type":"object","additionalProperties":\#(schema(values))}"# }
    let properties = picture.members.map { "\(JSONText.quoted($0.name)):\(schema($0.value))" }
    return #"{"type":"object","properties":{\#(properties.joined(separator: ","))}}"#
  }
}
