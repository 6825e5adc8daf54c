import Detection
import HTTPTransport
import HTTPValues
import JSON
import Search

/// A real server's list in small: its first address as a user would give it, and how it answers each page.
struct NaturalServer: Sendable, CustomStringConvertible {
  typealias Row = @Sendable (_ name: String, _ number: Int) -> String

  let description: String
  /// Path and query, or a command line of curl.
  let address: String
  var count = 137
  var row: Row = {
    "{\"id\": \(4_000 + $1), \"name\": \"\($0)\", \"state\": \"open\", \"note\": \"some words\"}"
  }
  let response: @Sendable (NaturalRequest) -> NaturalResponse

  static let base = "https://api.example.org"

  func example() throws -> RequestExample {
    let written =
      address.hasPrefix("curl")
      ? try CurlParser.request(of: address.replacing("BASE", with: Self.base))
      : WrittenRequest(WrittenText(Self.base + address))
    return try RequestExample(written, service: "X")
  }

  var transport: Transport {
    Transport { request, _ throws(TransportError) in
      let found = response(
        NaturalRequest(
          url: request.url, headers: request.headers, body: try? JSONDocument(request.body), count: count,
          row: row))
      var answer = HTTPResponse(
        status: found.status,
        headers: HTTPFields(found.headers.map { HTTPField(received: $0.key, value: $0.value) }),
        body: Array(found.body.utf8), url: request.url)
      answer.arrivedAt = 1_800_000_000
      return answer
    }
  }

  static func name(_ number: Int) -> String { "row-" + String(10_000 + number).dropFirst() }
}

/// A request to such a server.
struct NaturalRequest: Sendable {
  let url: WebURL
  let headers: HTTPFields
  let body: JSONDocument?
  let count: Int
  let row: NaturalServer.Row

  func text(_ name: String) -> String? {
    if let body {
      return body.root[name]?.text ?? body.root["variables"]?[name]?.text
        ?? body.root["params"]?["kwargs"]?[name]?.text
    }
    return url.queryItems.first { $0.name == name }?.value
  }

  func number(_ name: String, _ standard: Int) -> Int { text(name).flatMap { Int($0) } ?? standard }

  func rows(_ start: Int, _ size: Int) -> String {
    "[\((min(start, count)..<min(count, start + size)).map { row(NaturalServer.name($0), $0) }.joined(separator: ", "))]"
  }

  /// The URL with another value of a parameter.
  func with(_ name: String, _ value: String) -> String {
    var next = url
    next.setQueryItem(name: name, value: value)
    return "\(next)"
  }

  /// A JSON string if there are more rows, or else another value.
  func ifMore(_ end: Int, _ text: String, else other: String = "null") -> String {
    end < count ? "\"\(text)\"" : other
  }
}

struct NaturalResponse: Sendable, ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  var status = 200
  var headers: [String: String] = [:]
  var body: String

  init(stringLiteral value: String) { body = value }
  init(_ body: String, _ headers: [String: String] = [:], status: Int = 200) {
    (self.body, self.headers, self.status) = (body, headers, status)
  }
}

extension NaturalServer {
  /// A link to the next page in a `Link` header.
  static func link(_ ask: NaturalRequest, _ end: Int, _ name: String, _ value: String) -> [String: String] {
    end < ask.count ? ["Link": "<\(ask.with(name, value))>; rel=\"next\""] : [:]
  }

  /// The list is read up to the number in a token like `tok0040`.
  static func position(_ token: String?) -> Int {
    token.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }

  static let all: [NaturalServer] = [
    NaturalServer(
      description: "Datasette 0.65", address: "/cities/cities.json?_size=100&_search=City", count: 1_200,
      row: { "[\($1), \"\($0)\", 5]" }
    ) { ask in
      let (start, size) = (position(ask.text("_next")), ask.number("_size", 100))
      let next = ask.ifMore(start + size, "\(start + size)")
      return """
        {"database": "cities", "table": "cities", "is_view": false, "rows": \(ask.rows(start, size)), "truncated": false,
         "filtered_table_rows_count": \(ask.count), "expanded_columns": [], "expandable_columns": [],
         "columns": ["rowid", "name", "size"], "primary_keys": [], "units": {}, "facet_results": {},
         "suggested_facets": [{"name": "size", "toggle_url": "https://api.example.org/cities/cities.json?_facet=size"}],
         "query": {"sql": "select", "params": {"search": "City"}}, "next": \(next),
         "next_url": \(ask.ifMore(start + size, ask.with("_next", "\(start + size)"))), "private": false, "query_ms": 3.1}
        """
    },
    NaturalServer(
      description: "Datasette 1.0, one page", address: "/fixtures/cities.json?_search=City", count: 37
    ) { ask in
      "{\"ok\": true, \"next\": null, \"next_url\": null, \"rows\": \(ask.rows(0, 100)), \"truncated\": false}"
    },
    NaturalServer(
      description: "Docker registry, repositories", address: "/v2/_catalog?n=100&last=row-0099", count: 900,
      row: { name, _ in "\"\(name)\"" }
    ) { ask in
      let start = ask.text("last").map { position($0) + 1 } ?? 0
      let end = start + ask.number("n", 100)
      return NaturalResponse(
        "{\"repositories\": \(ask.rows(start, end - start))}", link(ask, end, "last", name(end - 1)))
    },
    NaturalServer(
      description: "Docker registry, tags", address: "/v2/team/app/tags/list?n=50",
      row: { name, _ in "\"\(name)\"" }
    ) { ask in
      let start = ask.text("last").map { position($0) + 1 } ?? 0
      let end = start + ask.number("n", 100)
      return NaturalResponse(
        "{\"name\": \"team/app\", \"tags\": \(ask.rows(start, end - start))}",
        link(ask, end, "last", name(end - 1)))
    },
    NaturalServer(
      description: "Roundup", address: "/rest/data/issue?@page_size=50&@fields=title",
      row: {
        "{\"id\": \"\($1)\", \"link\": \"https://api.example.org/rest/data/issue/\($1)\", \"title\": \"\($0)\"}"
      }
    ) { ask in
      let (page, size) = (ask.number("@page_index", 1), ask.number("@page_size", 50))
      let next =
        page * size < ask.count
        ? ", \"next\": [{\"rel\": \"next\", \"uri\": \"\(ask.with("@page_index", "\(page + 1)"))\"}]" : ""
      return """
        {"data": {"collection": \(ask.rows((page - 1) * size, size)), "@total_size": \(ask.count),
         "@links": {"self": [{"rel": "self", "uri": "\(ask.url)"}]\(next)}}}
        """
    },
    NaturalServer(
      description: "MediaWiki, search",
      address: "/w/api.php?action=query&list=search&srsearch=row&format=json&srlimit=20",
      row: { "{\"ns\": 0, \"title\": \"\($0)\", \"pageid\": \($1 + 9), \"snippet\": \"a <span>b</span>\"}" }
    ) { ask in
      let (start, size) = (ask.number("sroffset", 0), ask.number("srlimit", 10))
      let end = start + size
      let more = end < ask.count ? "\"continue\": {\"sroffset\": \(end), \"continue\": \"-||\"}," : ""
      return """
        {"batchcomplete": "", \(more) "query": {"searchinfo": {"totalhits": \(ask.count)}, "search": \(ask.rows(start, size))}}
        """
    },
    NaturalServer(
      description: "MediaWiki, all pages",
      address: "/w/api.php?action=query&list=allpages&aplimit=50&format=json",
      row: { "{\"pageid\": \($1 + 9), \"ns\": 0, \"title\": \"\($0)\"}" }
    ) { ask in
      let (start, size) = (position(ask.text("apcontinue")), ask.number("aplimit", 10))
      let end = start + size
      let more =
        end < ask.count ? "\"continue\": {\"apcontinue\": \"\(name(end))\", \"continue\": \"-||\"}," : ""
      return "{\"batchcomplete\": \"\", \(more) \"query\": {\"allpages\": \(ask.rows(start, size))}}"
    },
    NaturalServer(description: "Django REST Framework, pages", address: "/api/things/?page=2&format=json") {
      ask in
      let page = ask.number("page", 1)
      if page > 14 { return NaturalResponse("{\"detail\": \"Invalid page.\"}", status: 404) }
      return """
        {"count": \(ask.count), "next": \(ask.ifMore(page * 10, ask.with("page", "\(page + 1)"))), "previous": null,
         "results": \(ask.rows((page - 1) * 10, 10))}
        """
    },
    NaturalServer(
      description: "Django REST Framework, cursor", address: "/api/events/?cursor=cD0yMDI2&page_size=25"
    ) { ask in
      let start = ask.text("cursor") == "cD0yMDI2" ? 25 : position(ask.text("cursor"))
      let end = start + ask.number("page_size", 20)
      return """
        {"next": \(ask.ifMore(end, ask.with("cursor", "tok\(end)"))), "previous": null, "results": \(ask.rows(start, end - start))}
        """
    },
    NaturalServer(
      description: "pygeoapi", address: "/collections/lakes/items?limit=10&f=json",
      row: {
        """
        {"type": "Feature", "id": \($1), "geometry": {"type": "Point", "coordinates": [1, 2]}, "properties": {"name": "\($0)"}}
        """
      }
    ) { ask in
      let (start, size) = (ask.number("offset", 0), ask.number("limit", 10))
      let next =
        start + size < ask.count
        ? ", {\"type\": \"application/geo+json\", \"rel\": \"next\", \"title\": \"Items (next)\", \"href\": \"\(ask.with("offset", "\(start + size)"))\"}"
        : ""
      return """
        {"type": "FeatureCollection", "features": \(ask.rows(start, size)), "numberMatched": \(ask.count),
         "numberReturned": \(size), "timeStamp": "2026-01-01T00:00:00Z", "links": [
         {"type": "application/geo+json", "rel": "self", "title": "This document", "href": "\(ask.url)"},
         {"type": "text/html", "rel": "alternate", "title": "This document as HTML", "href": "https://x.org/a"}\(next)]}
        """
    },
    NaturalServer(
      description: "Prefect",
      address:
        "curl -X POST BASE/api/flows/filter -H 'Content-Type: application/json' -d '{\"limit\": 50, \"offset\": 0}'",
      row: {
        "{\"id\": \"7f0c-\($1)\", \"created\": \"2026-01-01T00:00:00Z\", \"name\": \"\($0)\", \"tags\": []}"
      }
    ) { ask in "\(ask.rows(ask.number("offset", 0), min(200, ask.number("limit", 200))))" },
    NaturalServer(
      description: "mlflow", address: "/api/2.0/mlflow/experiments/search?max_results=20",
      row: { "{\"experiment_id\": \"\($1)\", \"name\": \"\($0)\", \"lifecycle_stage\": \"active\"}" }
    ) { ask in
      let (start, size) = (position(ask.text("page_token")), ask.number("max_results", 20))
      let token = start + size < ask.count ? ", \"next_page_token\": \"tok\(start + size)\"" : ""
      return "{\"experiments\": \(ask.rows(start, size))\(token)}"
    },
    NaturalServer(
      description: "Redmine", address: "/issues.json?limit=25&status_id=*",
      row: {
        "{\"id\": \($1 + 70), \"project\": {\"id\": 1, \"name\": \"P\"}, \"subject\": \"\($0)\", \"done_ratio\": 0}"
      }
    ) { ask in
      let (start, size) = (ask.number("offset", 0), ask.number("limit", 25))
      return """
        {"issues": \(ask.rows(start, size)), "total_count": \(ask.count), "offset": \(start), "limit": \(size)}
        """
    },
    NaturalServer(
      description: "etcd",
      address: "curl -L BASE/v3/kv/range -X POST -d '{\"key\": \"Zm9v\", \"range_end\": \"Zm9w\"}'",
      count: 37,
      row: {
        "{\"key\": \"\($0)\", \"create_revision\": \"2\", \"mod_revision\": \"\($1)\", \"version\": \"1\", \"value\": \"YmFy\"}"
      }
    ) { ask in
      """
      {"header": {"cluster_id": "12585971608760269493", "member_id": "13847567121247652255", "revision": "40",
       "raft_term": "3"}, "kvs": \(ask.rows(0, 1_000)), "count": "\(ask.count)"}
      """
    },
    NaturalServer(
      description: "groonga", address: "/d/select?table=Entries&output_columns=_id,_key&limit=10",
      row: { "[\($1 + 1), \"\($0)\"]" }
    ) { ask in
      let rows = ask.rows(ask.number("offset", 0), ask.number("limit", 10)).dropFirst().dropLast()
      return """
        [[0, 1337566253.89858, 0.000355720520019531], [[[\(ask.count)], [["_id", "UInt32"], ["_key", "ShortText"]]\
        \(rows.isEmpty ? "" : ", ")\(rows)]]]
        """
    },
    NaturalServer(
      description: "CKAN", address: "/api/3/action/package_search?q=row&rows=20",
      row: {
        "{\"id\": \"9d-\($1)\", \"name\": \"\($0)\", \"title\": \"A set\", \"num_resources\": 2, \"tags\": []}"
      }
    ) { ask in
      """
      {"help": "https://x.org/help", "success": true, "result": {"count": \(ask.count), "facets": {}, "sort": "score desc",
       "results": \(ask.rows(ask.number("start", 0), ask.number("rows", 10))), "search_facets": {}}}
      """
    },
    NaturalServer(
      description: "Solr", address: "/solr/books/select?q=row&rows=10&facet=true&facet.field=genre"
    ) { ask in
      let start = ask.number("start", 0)
      return """
        {"responseHeader": {"status": 0, "QTime": 1, "params": {"q": "row", "rows": "10"}},
         "response": {"numFound": \(ask.count), "start": \(start), "numFoundExact": true, "docs": \(ask.rows(start, ask.number("rows", 10)))},
         "facet_counts": {"facet_queries": {}, "facet_fields": {"genre": ["a", 40, "b", 30, "c", 20, "d", 10, "e", 9]}}}
        """
    },
    NaturalServer(
      description: "Elasticsearch", address: "/books/_search?q=row&size=10",
      row: {
        "{\"_index\": \"books\", \"_id\": \"x\($1)\", \"_score\": 1.0, \"_source\": {\"title\": \"\($0)\", \"year\": 2020}}"
      }
    ) { ask in
      """
      {"took": 3, "timed_out": false, "_shards": {"total": 5, "successful": 5, "skipped": 0, "failed": 0},
       "hits": {"total": {"value": \(ask.count), "relation": "eq"}, "max_score": 1.0,
       "hits": \(ask.rows(ask.number("from", 0), ask.number("size", 10)))}}
      """
    },
    NaturalServer(
      description: "CouchDB", address: "/books/_all_docs?limit=20",
      row: { name, _ in "{\"id\": \"\(name)\", \"key\": \"\(name)\", \"value\": {\"rev\": \"1-967a\"}}" }
    ) { ask in
      let start = ask.number("skip", 0)
      return
        "{\"total_rows\": \(ask.count), \"offset\": \(start), \"rows\": \(ask.rows(start, ask.number("limit", 1_000)))}"
    },
    NaturalServer(
      description: "Consul", address: "/v1/catalog/nodes", count: 37,
      row: {
        "{\"ID\": \"40e4-\($1)\", \"Node\": \"\($0)\", \"Address\": \"10.1.10.12\", \"Meta\": {\"instance_type\": \"t2\"}}"
      }
    ) { ask in
      NaturalResponse(
        ask.rows(0, 1_000), ["X-Consul-Index": "871", "X-Consul-Effective-Consistency": "leader"])
    },
    NaturalServer(description: "Gitea", address: "/api/v1/repos/search?q=row&limit=50") { ask in
      let (page, size) = (ask.number("page", 1), ask.number("limit", 30))
      var headers = link(ask, page * size, "page", "\(page + 1)")
      headers["X-Total-Count"] = "\(ask.count)"
      return NaturalResponse("{\"ok\": true, \"data\": \(ask.rows((page - 1) * size, size))}", headers)
    },
    NaturalServer(description: "GitLab", address: "/api/v4/projects?per_page=20&search=row") { ask in
      let (page, size) = (ask.number("page", 1), ask.number("per_page", 20))
      var headers = link(ask, page * size, "page", "\(page + 1)")
      headers["X-Next-Page"] = page * size < ask.count ? "\(page + 1)" : ""
      headers["X-Page"] = "\(page)"
      headers["X-Total"] = "\(ask.count)"
      return NaturalResponse(ask.rows((page - 1) * size, size), headers)
    },
    NaturalServer(
      description: "Jenkins", address: "/api/json?tree=jobs[name,url,color]", count: 37,
      row: { name, _ in
        "{\"_class\": \"hudson.model.FreeStyleProject\", \"name\": \"\(name)\", \"url\": \"https://x.org/job/\(name)/\"}"
      }
    ) { ask in
      """
      {"_class": "hudson.model.Hudson", "mode": "NORMAL", "nodeName": "", "numExecutors": 2, "jobs": \(ask.rows(0, 1_000)),
       "primaryView": {"_class": "hudson.model.AllView", "name": "all", "url": "https://x.org/"}}
      """
    },
    NaturalServer(
      description: "Grafana", address: "/api/search?limit=50&page=2&type=dash-db",
      row: {
        "{\"id\": \($1 + 5), \"uid\": \"u\($1)\", \"title\": \"\($0)\", \"type\": \"dash-db\", \"tags\": []}"
      }
    ) { ask in
      let size = ask.number("limit", 1_000)
      return "\(ask.rows((max(1, ask.number("page", 1)) - 1) * size, size))"
    },
    NaturalServer(
      description: "JSON:API", address: "/articles?page[size]=10&include=author",
      row: { "{\"type\": \"articles\", \"id\": \"\($1)\", \"attributes\": {\"title\": \"\($0)\"}}" }
    ) { ask in
      let page = ask.number("page[number]", 1)
      let people = (0..<24).map {
        "{\"type\": \"people\", \"id\": \"\($0)\", \"attributes\": {\"name\": \"person \($0)\", \"about\": \"\(String(repeating: "w ", count: 40))\"}}"
      }
      return """
        {"data": \(ask.rows(page * 10 - 10, 10)), "included": [\(people.joined(separator: ", "))],
         "links": {"self": "\(ask.url)", "next": \(ask.ifMore(page * 10, ask.with("page[number]", "\(page + 1)")))},
         "meta": {"total": \(ask.count)}}
        """
    },
    NaturalServer(
      description: "OData, links", address: "/odata/Products?$count=true",
      row: { "{\"ProductID\": \($1 + 1), \"ProductName\": \"\($0)\", \"UnitPrice\": 18.0}" }
    ) { ask in
      let end = position(ask.text("$skiptoken")) + 20
      let next = end < ask.count ? ", \"@odata.nextLink\": \"\(ask.with("$skiptoken", "\(end)"))\"" : ""
      return """
        {"@odata.context": "https://x.org/$metadata#Products", "@odata.count": \(ask.count), "value": \(ask.rows(end - 20, 20))\(next)}
        """
    },
    NaturalServer(
      description: "OData, offsets", address: "/odata/People?$top=10&$skip=20",
      row: { "{\"UserName\": \"\($0)\", \"FirstName\": \"A\", \"Age\": \(20 + $1 % 50)}" }
    ) { ask in "{\"value\": \(ask.rows(ask.number("$skip", 0), ask.number("$top", 100)))}" },
    NaturalServer(
      description: "HAL of Spring", address: "/orders?page=0&size=20",
      row: {
        "{\"name\": \"\($0)\", \"total\": \($1), \"_links\": {\"self\": {\"href\": \"https://x.org/orders/\($1)\"}}}"
      }
    ) { ask in
      let (page, size) = (ask.number("page", 0), ask.number("size", 20))
      let next =
        (page + 1) * size < ask.count ? ", \"next\": {\"href\": \"\(ask.with("page", "\(page + 1)"))\"}" : ""
      return """
        {"_embedded": {"orders": \(ask.rows(page * size, size))}, "_links": {"self": {"href": "\(ask.url)"}\(next)},
         "page": {"size": \(size), "totalElements": \(ask.count), "totalPages": \((ask.count + size - 1) / size), "number": \(page)}}
        """
    },
    NaturalServer(
      description: "Slack", address: "/api/conversations.history?channel=C1&limit=10",
      row: {
        "{\"type\": \"message\", \"user\": \"U\($1)\", \"text\": \"\($0)\", \"ts\": \"17\(10_000 + $1).0001\"}"
      }
    ) { ask in
      let end = position(ask.text("cursor")) + ask.number("limit", 100)
      return """
        {"ok": true, "messages": \(ask.rows(end - ask.number("limit", 100), ask.number("limit", 100))), "has_more": \(end < ask.count),
         "channel": {"id": "C1", "name": "general", "is_channel": true},
         "response_metadata": {"next_cursor": \(ask.ifMore(end, "tok\(end)", else: "\"\""))}}
        """
    },
    NaturalServer(
      description: "Stripe", address: "/v1/charges?limit=10",
      row: { name, _ in
        "{\"id\": \"\(name)\", \"object\": \"charge\", \"amount\": 1099, \"currency\": \"usd\"}"
      }
    ) { ask in
      let start = ask.text("starting_after").map { position($0) + 1 } ?? 0
      let end = start + ask.number("limit", 10)
      return """
        {"object": "list", "url": "/v1/charges", "has_more": \(end < ask.count), "data": \(ask.rows(start, end - start))}
        """
    },
    NaturalServer(
      description: "Notion",
      address:
        "curl -X POST BASE/v1/databases/d1/query -H 'Notion-Version: 2022-06-28' --json '{\"page_size\": 50}'",
      row: {
        "{\"object\": \"page\", \"id\": \"59833787-\($1)\", \"url\": \"https://x.org/\($0)\", \"archived\": false}"
      }
    ) { ask in
      let (start, size) = (position(ask.text("start_cursor")), ask.number("page_size", 100))
      let end = start + size
      return """
        {"object": "list", "results": \(ask.rows(start, size)), "next_cursor": \(ask.ifMore(end, "tok-\(end)")),
         "has_more": \(end < ask.count), "type": "page_or_database", "page_or_database": {}}
        """
    },
    NaturalServer(
      description: "Airtable", address: "/v0/app1/Table?pageSize=50&offset=itr50/rec",
      row: {
        "{\"id\": \"rec\($1)\", \"createdTime\": \"2026-01-01T00:00:00.000Z\", \"fields\": {\"Name\": \"\($0)\"}}"
      }
    ) { ask in
      let (start, size) = (position(ask.text("offset")), ask.number("pageSize", 100))
      let offset = start + size < ask.count ? ", \"offset\": \"itr\(start + size)/rec\"" : ""
      return "{\"records\": \(ask.rows(start, size))\(offset)}"
    },
    NaturalServer(description: "Zendesk", address: "/api/v2/tickets.json?page[size]=50") { ask in
      let (start, size) = (position(ask.text("page[after]")), ask.number("page[size]", 100))
      let end = start + size
      return """
        {"tickets": \(ask.rows(start, size)), "meta": {"has_more": \(end < ask.count), "after_cursor": \(ask.ifMore(end, "tok\(end)")),
         "before_cursor": null}, "links": {"prev": null, "next": \(ask.ifMore(end, ask.with("page[after]", "tok\(end)")))}}
        """
    },
    NaturalServer(description: "Shopify", address: "/admin/api/2024-01/orders.json?limit=50&page_info=tok50")
    { ask in
      let (start, size) = (position(ask.text("page_info")), ask.number("limit", 50))
      return NaturalResponse(
        "{\"orders\": \(ask.rows(start, size))}", link(ask, start + size, "page_info", "tok\(start + size)"))
    },
    NaturalServer(description: "Sentry", address: "/api/0/projects/org/app/issues/?query=row") { ask in
      let end = position(ask.text("cursor").map { String($0.dropFirst(2).dropLast(2)) }) + 25
      let link =
        "<\(ask.with("cursor", "0:\(end):0"))>; rel=\"next\"; results=\"\(end < ask.count)\"; cursor=\"0:\(end):0\""
      return NaturalResponse(ask.rows(end - 25, 25), ["Link": link])
    },
    NaturalServer(description: "PagerDuty", address: "/incidents?limit=25") { ask in
      let (start, size) = (ask.number("offset", 0), ask.number("limit", 25))
      return """
        {"incidents": \(ask.rows(start, size)), "limit": \(size), "offset": \(start), "more": \(start + size < ask.count), "total": null}
        """
    },
    NaturalServer(
      description: "Jira", address: "/rest/api/2/search?jql=project=X&maxResults=50",
      row: {
        "{\"expand\": \"names\", \"id\": \"\($1)\", \"key\": \"X-\($1)\", \"fields\": {\"summary\": \"\($0)\"}}"
      }
    ) { ask in
      let (start, size) = (ask.number("startAt", 0), ask.number("maxResults", 50))
      return """
        {"expand": "schema,names", "startAt": \(start), "maxResults": \(size), "total": \(ask.count), "issues": \(ask.rows(start, size))}
        """
    },
    NaturalServer(description: "Confluence", address: "/rest/api/content?limit=25") { ask in
      let (start, size) = (ask.number("start", 0), ask.number("limit", 25))
      let next =
        start + size < ask.count ? ", \"next\": \"/rest/api/content?limit=25&start=\(start + size)\"" : ""
      return """
        {"results": \(ask.rows(start, size)), "start": \(start), "limit": \(size), "size": \(min(size, max(0, ask.count - start))),
         "_links": {"self": "\(ask.url)", "base": "https://api.example.org", "context": ""\(next)}}
        """
    },
    NaturalServer(description: "Bitbucket Server", address: "/rest/api/1.0/projects?limit=25") { ask in
      let (start, size) = (ask.number("start", 0), ask.number("limit", 25))
      let end = start + size
      return """
        {"size": \(size), "limit": \(size), "isLastPage": \(end >= ask.count), "values": \(ask.rows(start, size)), "start": \(start),
         "nextPageStart": \(end < ask.count ? "\(end)" : "null")}
        """
    },
    NaturalServer(
      description: "GitHub GraphQL",
      address: """
        curl BASE/graphql --json '{"query": "query($first: Int, $after: String) { search(query: \\"a\\", type: REPOSITORY, \
        first: $first, after: $after) { edges { node { id name } } pageInfo { hasNextPage endCursor } } }", \
        "variables": {"first": 10}}'
        """,
      row: { "{\"cursor\": \"c\($1)\", \"node\": {\"id\": \"R\($1)\", \"name\": \"\($0)\"}}" }
    ) { ask in
      let end = position(ask.text("after")) + ask.number("first", 5)
      return """
        {"data": {"search": {"repositoryCount": \(ask.count), "edges": \(ask.rows(end - ask.number("first", 5), ask.number("first", 5))),
         "pageInfo": {"hasNextPage": \(end < ask.count), "endCursor": "tok\(end)"}}}}
        """
    },
    NaturalServer(description: "Nomad, a token in a header", address: "/v1/jobs?per_page=20") { ask in
      let (start, size) = (position(ask.text("next_token")), ask.number("per_page", 100))
      let end = start + size
      return NaturalResponse(
        ask.rows(start, size),
        end < ask.count ? ["X-Nomad-NextToken": "tok\(end)", "X-Nomad-Index": "10"] : [:])
    },
  ]

  /// More servers.
  static let others: [NaturalServer] = [
    NaturalServer(description: "Meilisearch", address: "/indexes/movies/search?q=row&limit=20") { ask in
      let (start, size) = (ask.number("offset", 0), ask.number("limit", 20))
      return """
        {"hits": \(ask.rows(start, size)), "query": "row", "processingTimeMs": 1, "limit": \(size), "offset": \(start),
         "estimatedTotalHits": \(ask.count)}
        """
    },
    NaturalServer(description: "Mastodon", address: "/api/v1/timelines/public?limit=20") { ask in
      let start = ask.text("max_id").map { position($0) } ?? 0
      return NaturalResponse(
        ask.rows(start, ask.number("limit", 20)), link(ask, start + 20, "max_id", "\(start + 20)"))
    },
    NaturalServer(
      description: "Hacker News", address: "/api/v1/search?query=row&hitsPerPage=20",
      row: {
        "{\"objectID\": \"\($1)\", \"title\": \"\($0)\", \"points\": 5, \"_highlightResult\": {\"title\": {\"value\": \"x\"}}}"
      }
    ) { ask in
      let (page, size) = (ask.number("page", 0), ask.number("hitsPerPage", 20))
      return """
        {"hits": \(ask.rows(page * size, size)), "nbHits": \(ask.count), "page": \(page), "nbPages": \((ask.count + size - 1) / size),
         "hitsPerPage": \(size), "exhaustiveNbHits": true, "query": "row", "params": "query=row"}
        """
    },
    NaturalServer(
      description: "Kubernetes", address: "/api/v1/pods?limit=50",
      row: {
        "{\"metadata\": {\"name\": \"\($0)\", \"uid\": \"u\($1)\"}, \"status\": {\"phase\": \"Running\"}}"
      }
    ) { ask in
      let end = position(ask.text("continue")) + 50
      let next =
        end < ask.count ? "\"continue\": \"tok\(end)\", \"remainingItemCount\": \(ask.count - end), " : ""
      return """
        {"kind": "PodList", "apiVersion": "v1", "metadata": {\(next)"resourceVersion": "10245"}, "items": \(ask.rows(end - 50, 50))}
        """
    },
    NaturalServer(
      description: "npm", address: "/-/v1/search?text=row&size=20",
      row: { "{\"package\": {\"name\": \"\($0)\", \"version\": \"1.0.\($1)\"}, \"score\": {\"final\": 0.4}}" }
    ) { ask in
      "{\"objects\": \(ask.rows(ask.number("from", 0), ask.number("size", 20))), \"total\": \(ask.count), \"time\": \"Wed\"}"
    },
    NaturalServer(description: "Bitbucket Cloud", address: "/2.0/repositories/team?pagelen=25") { ask in
      let (page, size) = (ask.number("page", 1), ask.number("pagelen", 10))
      let next = page * size < ask.count ? ", \"next\": \"\(ask.with("page", "\(page + 1)"))\"" : ""
      return """
        {"values": \(ask.rows((page - 1) * size, size)), "pagelen": \(size), "size": \(ask.count), "page": \(page)\(next)}
        """
    },
    NaturalServer(description: "WordPress", address: "/wp-json/wp/v2/posts?per_page=10") { ask in
      let page = ask.number("page", 1)
      if page > 14 { return NaturalResponse("{\"code\": \"rest_post_invalid_page_number\"}", status: 400) }
      return NaturalResponse(
        ask.rows(page * 10 - 10, 10), ["X-WP-Total": "\(ask.count)", "X-WP-TotalPages": "14"])
    },
    NaturalServer(
      description: "Discourse", address: "/latest.json",
      row: {
        "{\"id\": \($1 + 3), \"title\": \"\($0)\", \"slug\": \"a\", \"posts_count\": 4, \"posters\": [{\"user_id\": 1}]}"
      }
    ) { ask in
      let page = ask.number("page", 0)
      let users = (0..<20).map {
        "{\"id\": \($0), \"username\": \"u\($0)\", \"avatar_template\": \"/a/\($0).png\"}"
      }
      let more = page * 30 + 30 < ask.count ? "\"more_topics_url\": \"/latest?page=\(page + 1)\", " : ""
      return """
        {"users": [\(users.joined(separator: ", "))], "topic_list": {\(more)"per_page": 30, "topics": \(ask.rows(page * 30, 30))}}
        """
    },
    NaturalServer(description: "Keycloak", address: "/admin/realms/x/users?first=0&max=50") { ask in
      "\(ask.rows(ask.number("first", 0), ask.number("max", 100)))"
    },
    NaturalServer(description: "one page with a null cursor", address: "/orders?limit=50", count: 50) { ask in
      "{\"data\": \(ask.rows(0, 50)), \"meta\": {\"next_cursor\": null, \"has_more\": false}}"
    },
    NaturalServer(description: "Asana", address: "/api/1.0/tasks?project=1&limit=50") { ask in
      let end = position(ask.text("offset")) + 50
      let next = ask.with("offset", "tok\(end)")
      return """
        {"data": \(ask.rows(end - 50, 50)), "next_page": \(end < ask.count ? "{\"offset\": \"tok\(end)\", \"path\": \"/tasks\", \"uri\": \"\(next)\"}" : "null")}
        """
    },
    NaturalServer(
      description: "Discord", address: "/api/v10/guilds/1/members?limit=100&after=4049", count: 450
    ) { ask in
      let after = ask.text("after").flatMap { Int($0) } ?? 0
      return "\(ask.rows(max(0, after - 3_999), ask.number("limit", 1)))"
    },
    NaturalServer(
      description: "Typesense",
      address: "/collections/books/documents/search?q=row&query_by=title&per_page=20"
    ) { ask in
      let page = ask.number("page", 1)
      return """
        {"facet_counts": [{"field_name": "a", "counts": [{"count": 3, "value": "x"}]}], "found": \(ask.count), "out_of": 5000, "page": \(page),
         "request_params": {"collection_name": "books", "per_page": 20, "q": "row"}, "search_time_ms": 1, "hits": \(ask.rows(page * 20 - 20, 20))}
        """
    },
  ]

  /// Servers that were written after the rules: 14 of the 15 were exact at first sight.
  static let unseen: [NaturalServer] = [
    NaturalServer(description: "HubSpot", address: "/crm/v3/objects/contacts?limit=10&archived=false") {
      ask in
      let end = position(ask.text("after")) + ask.number("limit", 10)
      let next = "{\"next\": {\"after\": \"tok\(end)\", \"link\": \"\(ask.with("after", "tok\(end)"))\"}}"
      let paging = end < ask.count ? ", \"paging\": \(next)" : ""
      return "{\"results\": \(ask.rows(end - ask.number("limit", 10), ask.number("limit", 10)))\(paging)}"
    },
    NaturalServer(description: "Intercom", address: "/contacts?per_page=50") { ask in
      let end = position(ask.text("starting_after")) + ask.number("per_page", 50)
      let next = end < ask.count ? ", \"next\": {\"page\": 2, \"starting_after\": \"tok\(end)\"}" : ""
      return """
        {"type": "list", "total_count": \(ask.count), "data": \(ask.rows(end - 50, 50)),
         "pages": {"type": "pages", "page": \(end / 50), "per_page": 50, "total_pages": 3\(next)}}
        """
    },
    NaturalServer(description: "Okta", address: "/api/v1/users?limit=25&after=tok25") { ask in
      let end = position(ask.text("after")) + ask.number("limit", 200)
      return NaturalResponse(
        ask.rows(end - ask.number("limit", 200), ask.number("limit", 200)),
        link(ask, end, "after", "tok\(end)"))
    },
    NaturalServer(description: "Twilio", address: "/2010-04-01/Accounts/AC1/Messages.json?PageSize=50") {
      ask in
      let page = ask.number("Page", 0)
      let next = ask.ifMore(
        page * 50 + 50, "/2010-04-01/Accounts/AC1/Messages.json?PageSize=50&Page=\(page + 1)")
      return """
        {"first_page_uri": "/2010-04-01/Accounts/AC1/Messages.json?PageSize=50&Page=0", "end": 49, "page": \(page), "start": 0,
         "previous_page_uri": null, "messages": \(ask.rows(page * 50, 50)), "uri": "/x.json", "page_size": 50,
         "next_page_uri": \(next)}
        """
    },
    NaturalServer(description: "Spotify", address: "/v1/search?q=row&type=track&limit=20&offset=20") { ask in
      let (start, size) = (ask.number("offset", 0), ask.number("limit", 20))
      return """
        {"tracks": {"href": "\(ask.url)", "limit": \(size), "offset": \(start), "previous": null, "total": \(ask.count),
         "next": \(ask.ifMore(start + size, ask.with("offset", "\(start + size)"))), "items": \(ask.rows(start, size))}}
        """
    },
    NaturalServer(
      description: "YouTube", address: "/youtube/v3/search?part=snippet&q=row&maxResults=25",
      row: {
        "{\"kind\": \"youtube#searchResult\", \"id\": {\"videoId\": \"v\($1)\"}, \"snippet\": {\"title\": \"\($0)\"}}"
      }
    ) { ask in
      let end = position(ask.text("pageToken")) + 25
      let next = end < ask.count ? "\"nextPageToken\": \"tok\(end)\", " : ""
      return """
        {"kind": "youtube#searchListResponse", \(next)"regionCode": "JP", "items": \(ask.rows(end - 25, 25)),
         "pageInfo": {"totalResults": 1000000, "resultsPerPage": 25}}
        """
    },
    NaturalServer(description: "Auth0", address: "/api/v2/users?per_page=50&include_totals=true") { ask in
      let page = ask.number("page", 0)
      return """
        {"start": \(page * 50), "limit": 50, "length": 50, "total": \(ask.count), "users": \(ask.rows(page * 50, 50))}
        """
    },
    NaturalServer(
      description: "Salesforce", address: "/services/data/v60.0/query?q=SELECT+Id+FROM+Account", count: 450
    ) { ask in
      let end = position(ask.text("at")) + 200
      let next = end < ask.count ? ", \"nextRecordsUrl\": \"/services/data/v60.0/query/01g?at=\(end)\"" : ""
      return """
        {"totalSize": \(ask.count), "done": \(end >= ask.count)\(next), "records": \(ask.rows(end - 200, 200))}
        """
    },
    NaturalServer(
      description: "Azure DevOps", address: "/org/project/_apis/build/builds?$top=50&api-version=7.1"
    ) { ask in
      let end = position(ask.text("continuationToken")) + ask.number("$top", 100)
      let size = ask.number("$top", 100)
      return NaturalResponse(
        "{\"count\": \(max(0, min(size, ask.count - end + size))), \"value\": \(ask.rows(end - size, size))}",
        end < ask.count ? ["x-ms-continuationtoken": "tok\(end)"] : [:])
    },
    NaturalServer(description: "OpenAlex", address: "/works?search=row&per-page=25") { ask in
      let page = ask.number("page", 1)
      return """
        {"meta": {"count": \(ask.count), "db_response_time_ms": 30, "page": \(page), "per_page": 25, "groups_count": null},
         "results": \(ask.rows(page * 25 - 25, 25)), "group_by": []}
        """
    },
    NaturalServer(
      description: "Crossref", address: "/works?query=row&rows=20",
      row: { "{\"DOI\": \"10.1/\($1)\", \"title\": [\"\($0)\"]}" }
    ) { ask in
      """
      {"status": "ok", "message-type": "work-list", "message-version": "1.0.0", "message": {"facets": {},
       "total-results": \(ask.count), "items": \(ask.rows(ask.number("offset", 0), ask.number("rows", 20))),
       "items-per-page": 20, "query": {"start-index": 0, "search-terms": "row"}}}
      """
    },
    NaturalServer(
      description: "Reddit", address: "/r/swift/new.json?limit=25&after=t3_25",
      row: { "{\"kind\": \"t3\", \"data\": {\"name\": \"t3_\($1)\", \"title\": \"\($0)\", \"score\": 5}}" }
    ) { ask in
      let end = position(ask.text("after").map { String($0.dropFirst(3)) }) + 25
      return """
        {"kind": "Listing", "data": {"after": \(ask.ifMore(end, "t3_\(end)")), "dist": 25, "modhash": "",
         "geo_filter": null, "children": \(ask.rows(end - 25, 25)), "before": null}}
        """
    },
    NaturalServer(
      description: "Stack Exchange", address: "/2.3/search?page=1&pagesize=30&intitle=row&site=stackoverflow"
    ) { ask in
      let page = ask.number("page", 1)
      if page < 1 { return NaturalResponse("{\"error_id\": 400, \"error_message\": \"page\"}", status: 400) }
      return """
        {"items": \(ask.rows(page * 30 - 30, 30)), "has_more": \(page * 30 < ask.count), "quota_max": 300, "quota_remaining": 290}
        """
    },
    NaturalServer(description: "Vimeo", address: "/channels/x/videos?per_page=25&page=1") { ask in
      let page = ask.number("page", 1)
      let next = ask.ifMore(page * 25, "/channels/x/videos?per_page=25&page=\(page + 1)")
      return """
        {"total": \(ask.count), "page": \(page), "per_page": 25, "paging": {"next": \(next), "previous": null,
         "first": "/channels/x/videos?page=1", "last": "/channels/x/videos?page=6"}, "data": \(ask.rows(page * 25 - 25, 25))}
        """
    },
    NaturalServer(
      description: "Zenodo", address: "/api/records?q=row&size=10",
      row: {
        "{\"id\": \($1), \"metadata\": {\"title\": \"\($0)\"}, \"links\": {\"self\": \"https://x.org/\($1)\"}}"
      }
    ) { ask in
      let page = ask.number("page", 1)
      let next = page * 10 < ask.count ? ", \"next\": \"\(ask.with("page", "\(page + 1)"))\"" : ""
      return """
        {"hits": {"hits": \(ask.rows(page * 10 - 10, 10)), "total": \(ask.count)}, "links": {"self": "\(ask.url)"\(next)},
         "aggregations": {"type": {"buckets": [{"key": "a", "doc_count": 90}, {"key": "b", "doc_count": 47}]}}}
        """
    },
  ]
}
