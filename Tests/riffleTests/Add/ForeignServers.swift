import HTTPValues
import JSON

extension NaturalServer {
  /// Servers that were written beside those of `office` and first read after the rules had been mended for those: 32 of
  /// the 40 were exact at first sight, and two were wrong and sure. Three of the others had mistakes of their own, mended
  /// here. No source can say that a position is a part of a value (GLPI, PrestaShop, LoopBack).
  static let foreign: [NaturalServer] = [
    NaturalServer(description: "CakePHP", address: "/api/articles.json?limit=20") { ask in
      let (page, start, size) = page(ask, "page", "limit", 20)
      guard page <= pages(ask, size) else {
        return NaturalResponse(#"{"message": "Not Found", "code": 404}"#, status: 404)
      }
      return """
        {"success": true, "articles": \(ask.rows(start, size)), "pagination": {"page_count": \(pages(ask, size)), "current_page": \(page),
         "has_next_page": \(start + size < ask.count), "has_prev_page": \(page > 1), "count": \(ask.count), "limit": null}}
        """
    },
    NaturalServer(description: "Yii, the last page again", address: "/users?per-page=25") { ask in
      let (asked, _, size) = page(ask, "page", "per-page", 20)
      let page = min(asked, pages(ask, size))
      let next =
        page < pages(ask, size)
        ? #""next": {"href": "\#(ask.with("page", "\(page + 1)"))"}, "last": {"href": "\#(ask.with("page", "6"))"}, "#
        : ""
      return """
        {"items": \(ask.rows((page - 1) * size, size)), "_links": {\(next)"self": {"href": "\(ask.url)"}},
         "_meta": {"totalCount": \(ask.count), "pageCount": \(pages(ask, size)), "currentPage": \(page), "perPage": \(size)}}
        """
    },
    NaturalServer(description: "Micronaut", address: "/inventory?size=25") { ask in
      let (page, start, size) = page(ask, "page", "size", 100, first: 0)
      return """
        {"content": \(ask.rows(start, size)), "pageable": {"size": \(size), "number": \(page), "sort": {"orderBy": []}, "mode": "OFFSET"},
         "totalSize": \(ask.count), "totalPages": \(pages(ask, size)), "empty": false, "size": \(size), "offset": \(start),
         "numberOfElements": \(shown(ask, start, size)), "pageNumber": \(page)}
        """
    },
    NaturalServer(description: "Grails, no total", address: "/loans?max=20") { ask in
      NaturalResponse(ask.rows(ask.number("offset", 0), min(100, ask.number("max", 10))))
    },
    NaturalServer(
      description: "LoopBack, a filter of JSON",
      address: "/api/coffees?filter={\"limit\":20,\"order\":\"name\"}"
    ) { ask in
      let filter = ask.text("filter").flatMap { try? JSONDocument(Array($0.utf8)) }?.root
      let start = (filter?["skip"] ?? filter?["offset"])?.text.flatMap { Int($0) } ?? 0
      return NaturalResponse(ask.rows(start, filter?["limit"]?.text.flatMap { Int($0) } ?? 1_000))
    },
    NaturalServer(description: "Feathers", address: "/messages?$limit=20&$sort[createdAt]=-1") { ask in
      let (start, size) = (ask.number("$skip", 0), min(50, ask.number("$limit", 10)))
      return """
        {"total": \(ask.count), "limit": \(size), "skip": \(start), "data": \(ask.rows(start, size))}
        """
    },
    NaturalServer(description: "json-server 1", address: "/posts?_page=1&_per_page=20") { ask in
      let (page, start, size) = page(ask, "_page", "_per_page", 10)
      let next = start + size < ask.count ? "\(page + 1)" : "null"
      return """
        {"first": 1, "prev": \(page > 1 ? "\(page - 1)" : "null"), "next": \(next), "last": \(pages(ask, size)),
         "pages": \(pages(ask, size)), "items": \(ask.count), "data": \(ask.rows(start, size))}
        """
    },
    NaturalServer(
      description: "Eve", address: "/people?max_results=25",
      row: {
        #"{"_id": "5a\#($1)", "name": "\#($0)", "_etag": "e", "_links": {"self": {"title": "person", "href": "people/5a"}}}"#
      }
    ) { ask in
      let (page, start, size) = page(ask, "page", "max_results", 25)
      let next =
        start + size < ask.count
        ? #""next": {"title": "next page", "href": "people?max_results=\#(size)&page=\#(page + 1)"}, "# : ""
      return """
        {"_items": \(ask.rows(start, size)), "_links": {"parent": {"title": "home", "href": "/"}, \(next)"self": {"title": "people",
         "href": "people"}}, "_meta": {"page": \(page), "max_results": \(size), "total": \(ask.count)}}
        """
    },
    NaturalServer(description: "Flask, a path to the next page", address: "/api/microposts?per_page=20") {
      ask in
      let (page, start, size) = page(ask, "page", "per_page", 10)
      return """
        {"items": \(ask.rows(start, size)), "_meta": {"page": \(page), "per_page": \(size), "total_pages": \(pages(ask, size)),
         "total_items": \(ask.count)}, "_links": {"self": "/api/microposts?page=\(page)&per_page=\(size)",
         "next": \(ask.ifMore(start + size, "/api/microposts?page=\(page + 1)&per_page=\(size)")), "prev": null}}
        """
    },
    NaturalServer(description: "Django Ninja", address: "/api/trips?limit=25") { ask in
      let (start, size) = (ask.number("offset", 0), ask.number("limit", 100))
      return NaturalResponse(#"{"items": \#(ask.rows(start, size)), "count": \#(ask.count)}"#)
    },
    NaturalServer(description: "Tastypie", address: "/api/v1/entry/?limit=20&format=json") { ask in
      let (start, size) = (ask.number("offset", 0), ask.number("limit", 20))
      return """
        {"meta": {"limit": \(size), "next": \(ask.ifMore(start + size, "/api/v1/entry/?offset=\(start + size)&limit=\(size)&format=json")),
         "offset": \(start), "previous": null, "total_count": \(ask.count)}, "objects": \(ask.rows(start, size))}
        """
    },
    NaturalServer(
      description: "PocketBase without a total",
      address: "/api/collections/posts/records?perPage=25&skipTotal=1",
      row: {
        #"{"collectionId": "a9", "collectionName": "posts", "id": "ae\#($1)", "title": "\#($0)", "expand": {}}"#
      }
    ) { ask in
      let (page, start, size) = page(ask, "page", "perPage", 30)
      return """
        {"page": \(page), "perPage": \(size), "totalItems": -1, "totalPages": -1, "items": \(ask.rows(start, size))}
        """
    },
    NaturalServer(description: "Parse", address: "/parse/classes/GameScore?limit=20&order=score") { ask in
      NaturalResponse(#"{"results": \#(ask.rows(ask.number("skip", 0), ask.number("limit", 100)))}"#)
    },
    NaturalServer(
      description: "Cosmos SDK, dotted parameters",
      address: "/cosmos/staking/v1beta1/validators?status=BONDED&pagination.limit=25",
      row: {
        #"{"operator_address": "cosmosvaloper\#($1)", "jailed": false, "description": {"moniker": "\#($0)"}}"#
      }
    ) { ask in
      let size = ask.number("pagination.limit", 100)
      let start = ask.number("pagination.offset", position(ask.text("pagination.key")))
      return """
        {"validators": \(ask.rows(start, size)), "pagination": {"next_key": \(ask.ifMore(start + size, "FPo\(start + size)+w==")),
         "total": "\(ask.count)"}}
        """
    },
    NaturalServer(description: "gRPC gateway", address: "/v1/workspaces/w/tasks?page_size=25") { ask in
      let size = ask.number("page_size", 50)
      let start = position(ask.text("page_token"))
      return """
        {"tasks": \(ask.rows(start, size)), "nextPageToken": \(ask.ifMore(start + size, "CBkQ\(start + size)", else: "\"\"")),
         "totalSize": \(ask.count)}
        """
    },
    NaturalServer(description: "KnpPaginator", address: "/api/offers?limit=20") { ask in
      let (page, start, size) = page(ask, "page", "limit", 10)
      return """
        {"current_page_number": \(page), "num_items_per_page": \(size), "items": \(ask.rows(start, size)), "total_count": \(ask.count),
         "paginator_options": {"pageParameterName": "page", "sortFieldParameterName": "sort"}, "page_range": 5, "page_count": \(pages(ask, size))}
        """
    },
    NaturalServer(
      description: "An own JSON-RPC",
      address: """
        curl BASE/rpc -H 'Content-Type: application/json' -d '{"jsonrpc": "2.0", "id": 1, "method": "orders.list", \
        "params": {"state": "paid", "page": 1, "per_page": 25}}'
        """
    ) { ask in
      let params = ask.body?.root["params"]
      let page = max(1, params?["page"]?.text.flatMap { Int($0) } ?? 1)
      let size = params?["per_page"]?.text.flatMap { Int($0) } ?? 20
      return """
        {"jsonrpc": "2.0", "id": 1, "result": {"orders": \(ask.rows(page * size - size, size)), "count": \(ask.count)}}
        """
    },
    NaturalServer(description: "An own API in German", address: "/api/kunden?seite=1&anzahl=25") { ask in
      let (page, start, size) = page(ask, "seite", "anzahl", 10)
      return """
        {"kunden": \(ask.rows(start, size)), "gesamt": \(ask.count), "seite": \(page), "seiten": \(pages(ask, size))}
        """
    },
    NaturalServer(description: "An own next offset in a header", address: "/feed/items?limit=20") { ask in
      let (start, size) = (ask.number("offset", 0), ask.number("limit", 20))
      return NaturalResponse(
        ask.rows(start, size), start + size < ask.count ? ["X-Next-Offset": "\(start + size)"] : [:])
    },
    NaturalServer(
      description: "An own list before a time", address: "/api/timeline?limit=20",
      row: { #"{"uid": "a\#($1)", "text": "\#($0)", "createdAt": \#(1_767_225_600_000 - $1 * 1_000)}"# }
    ) { ask in
      let size = ask.number("limit", 50)
      let start = ask.text("before").flatMap { Int($0) }.map { (1_767_225_600_000 - $0) / 1_000 + 1 } ?? 0
      let last = min(ask.count, start + size)
      return """
        {"events": \(ask.rows(start, size)), "next_before": \(last < ask.count ? "\(1_767_225_600_000 - (last - 1) * 1_000)" : "null")}
        """
    },
    NaturalServer(
      description: "GraphQL, relay in the query",
      address: """
        curl BASE/api/graphql -H 'Content-Type: application/json' -d '{"query": "{ catalog { vehicles(first: 25) { nodes { vin model } \
        totalCount pageInfo { hasNextPage endCursor } } } }"}'
        """,
      row: { #"{"vin": "WVW\#($1)", "model": "\#($0)"}"# }
    ) { ask in
      let start = position(ask.text("after"))
      return """
        {"data": {"catalog": {"vehicles": {"nodes": \(ask.rows(start, 25)), "totalCount": \(ask.count), "pageInfo": {"hasNextPage":
         \(start + 25 < ask.count), "endCursor": "bmV\(min(ask.count, start + 25))"}}}}}
        """
    },
    NaturalServer(
      description: "NASA images", address: "/search?q=row&media_type=image&page_size=50",
      row: {
        #"{"href": "https://x.org/\#($1)", "data": [{"nasa_id": "N\#($1)", "title": "\#($0)"}], "links": [{"href": "h", "rel": "preview"}]}"#
      }
    ) { ask in
      let (page, start, size) = page(ask, "page", "page_size", 100)
      let next =
        start + size < ask.count
        ? #", "links": [{"rel": "next", "prompt": "Next", "href": "\#(ask.with("page", "\(page + 1)"))"}]"#
        : ""
      return """
        {"collection": {"version": "1.1", "href": "\(ask.url)", "items": \(ask.rows(start, size)), "metadata": {"total_hits": \(ask.count)}\(next)}}
        """
    },
    NaturalServer(
      description: "Misskey, until an id",
      address: """
        curl BASE/api/notes/global-timeline -H 'Content-Type: application/json' -d '{"limit": 20, "withFiles": false}'
        """,
      row: {
        #"{"id": "9x\#(9_000 - $1)", "createdAt": "2026-01-01T00:00:00Z", "text": "\#($0)", "user": {"id": "u1"}}"#
      }
    ) { ask in
      let size = ask.number("limit", 10)
      let start = ask.text("untilId").flatMap { Int($0.dropFirst(2)) }.map { 9_000 - $0 + 1 } ?? 0
      return NaturalResponse(ask.rows(start, size))
    },
    NaturalServer(description: "GLPI, a range", address: "/apirest.php/Computer?range=0-24") { ask in
      let bounds = (ask.text("range") ?? "0-49").split(separator: "-").compactMap { Int($0) }
      guard bounds.count == 2, bounds[0] < ask.count else {
        return NaturalResponse(
          #"["ERROR_RANGE_EXCEED_TOTAL", "Provided range exceed total count of data"]"#, status: 400)
      }
      let end = min(ask.count, bounds[1] + 1)
      return NaturalResponse(
        ask.rows(bounds[0], end - bounds[0]),
        ["Content-Range": "\(bounds[0])-\(end - 1)/\(ask.count)", "Accept-Range": "Computer 1000"],
        status: end < ask.count ? 206 : 200)
    },
    NaturalServer(
      description: "PrestaShop, both numbers in one",
      address: "/api/products?output_format=JSON&display=full&limit=0,25",
      row: { #"{"id": \#($1 + 1), "reference": "demo_\#($1)", "name": "\#($0)", "price": "35.9"}"# }
    ) { ask in
      let parts = (ask.text("limit") ?? "0,1000").split(separator: ",").compactMap { Int($0) }
      let (start, size) = parts.count == 2 ? (parts[0], parts[1]) : (0, parts.first ?? 1_000)
      if start >= ask.count { return "[]" }
      return NaturalResponse(#"{"products": \#(ask.rows(start, size))}"#)
    },
    NaturalServer(
      description: "Shopware",
      address: """
        curl BASE/api/search/product -H 'Content-Type: application/json' -d '{"limit": 25, "total-count-mode": 1, \
        "includes": {"product": ["id", "name"]}}'
        """
    ) { ask in
      let (_, start, size) = page(ask, "page", "limit", 100)
      return NaturalResponse(
        #"{"total": \#(ask.count), "data": \#(ask.rows(start, size)), "aggregations": []}"#)
    },
    NaturalServer(
      description: "VirusTotal", address: "/api/v3/comments?limit=20&filter=tag:row",
      row: {
        #"{"id": "f-\#($1)", "type": "comment", "links": {"self": "https://x.org/c"}, "attributes": {"text": "\#($0)"}}"#
      }
    ) { ask in
      let size = ask.number("limit", 10)
      let start = position(ask.text("cursor"))
      let more = start + size < ask.count
      let cursor = more ? #", "cursor": "Cr8BCrE\#(start + size)""# : ""
      let next = more ? #", "next": "\#(ask.with("cursor", "Cr8BCrE\(start + size)"))""# : ""
      return """
        {"data": \(ask.rows(start, size)), "meta": {"count": \(ask.count)\(cursor)}, "links": {"self": "\(ask.url)"\(next)}}
        """
    },
    NaturalServer(
      description: "Trakt", address: "/movies/popular?limit=20",
      row: {
        #"{"title": "\#($0)", "year": 2015, "ids": {"trakt": \#($1), "slug": "s\#($1)", "imdb": "tt1"}}"#
      }
    ) { ask in
      let (page, start, size) = page(ask, "page", "limit", 10)
      return NaturalResponse(
        ask.rows(start, size),
        [
          "X-Pagination-Page": "\(page)", "X-Pagination-Limit": "\(size)",
          "X-Pagination-Page-Count": "\(pages(ask, size))", "X-Pagination-Item-Count": "\(ask.count)",
        ])
    },
    NaturalServer(
      description: "InfluxDB", address: "/api/v2/buckets?limit=20",
      row: {
        #"{"id": "08\#($1)", "orgID": "aa", "name": "\#($0)", "retentionRules": [{"type": "expire"}], "links": {"self": "/api/v2/buckets/08"}}"#
      }
    ) { ask in
      let (start, size) = (ask.number("offset", 0), ask.number("limit", 20))
      let next =
        start + size < ask.count
        ? #", "next": "/api/v2/buckets?descending=false&limit=\#(size)&offset=\#(start + size)""# : ""
      return """
        {"links": {"self": "/api/v2/buckets?limit=\(size)&offset=\(start)"\(next)}, "buckets": \(ask.rows(start, size))}
        """
    },
    NaturalServer(
      description: "Lemmy", address: "/api/v3/post/list?limit=20&sort=New",
      row: {
        #"{"post": {"id": \#($1 + 2), "name": "\#($0)"}, "creator": {"id": 4}, "counts": {"post_id": 2, "score": 1}}"#
      }
    ) { ask in
      let size = ask.number("limit", 10)
      let start = ask.text("page_cursor").map { position($0) } ?? (ask.number("page", 1) - 1) * size
      return """
        {"posts": \(ask.rows(start, size)), "next_page": \(ask.ifMore(start + size, "P1f\(start + size)"))}
        """
    },
    NaturalServer(
      description: "Snipe-IT", address: "/api/v1/hardware?limit=25&sort=name",
      row: {
        #"{"id": \#($1 + 1), "name": "\#($0)", "model": {"id": 1, "name": "M"}, "available_actions": {"checkout": true}}"#
      }
    ) { ask in
      let (start, size) = (ask.number("offset", 0), ask.number("limit", 50))
      // An offset behind the end is the first page.
      return NaturalResponse(
        #"{"total": \#(ask.count), "rows": \#(ask.rows(start >= ask.count ? 0 : start, size))}"#)
    },
    NaturalServer(
      description: "Frappe", address: "/api/resource/Customer?limit_page_length=25&fields=[\"name\"]",
      row: { name, _ in #"{"name": "\#(name)"}"# }
    ) { ask in
      NaturalResponse(
        #"{"data": \#(ask.rows(ask.number("limit_start", 0), ask.number("limit_page_length", 20)))}"#)
    },
    NaturalServer(
      description: "Hetzner", address: "/v1/servers?per_page=25",
      row: {
        #"{"id": \#($1 + 42), "name": "\#($0)", "status": "running", "volumes": [], "labels": {"env": "dev"}}"#
      }
    ) { ask in
      let (page, start, size) = page(ask, "page", "per_page", 25)
      let next = start + size < ask.count ? "\(page + 1)" : "null"
      return """
        {"servers": \(ask.rows(start, size)), "meta": {"pagination": {"page": \(page), "per_page": \(size), "previous_page": null,
         "next_page": \(next), "last_page": \(pages(ask, size)), "total_entries": \(ask.count)}}}
        """
    },
    NaturalServer(
      description: "LaunchDarkly", address: "/api/v2/flags/p?limit=20&summary=true",
      row: {
        #"{"key": "k\#($1)", "name": "\#($0)", "_links": {"self": {"href": "/api/v2/flags/p/k"}}, "tags": ["a"]}"#
      }
    ) { ask in
      let (start, size) = (ask.number("offset", 0), ask.number("limit", 20))
      let next =
        start + size < ask.count
        ? #", "next": {"href": "/api/v2/flags/p?limit=\#(size)&offset=\#(start + size)", "type": "application/json"}"#
        : ""
      return """
        {"_links": {"self": {"href": "/api/v2/flags/p", "type": "application/json"}\(next)}, "items": \(ask.rows(start, size)),
         "totalCount": \(ask.count)}
        """
    },
    NaturalServer(
      description: "Internet Archive",
      address: "/advancedsearch.php?q=row&fl[]=identifier&rows=25&output=json",
      row: { name, _ in #"{"identifier": "\#(name)"}"# }
    ) { ask in
      let (page, start, size) = page(ask, "page", "rows", 50)
      return """
        {"responseHeader": {"status": 0, "QTime": 15, "params": {"query": "row", "fields": "identifier", "rows": \(size), "page": \(page)}},
         "response": {"numFound": \(ask.count), "start": \(start), "docs": \(ask.rows(start, size))}}
        """
    },
    NaturalServer(
      description: "Immich",
      address: """
        curl BASE/api/search/metadata -H 'Content-Type: application/json' -d '{"size": 25, "type": "IMAGE"}'
        """,
      row: { #"{"id": "0b-\#($1)", "originalFileName": "\#($0)", "type": "IMAGE", "people": []}"# }
    ) { ask in
      let (page, start, size) = page(ask, "page", "size", 250)
      return """
        {"albums": {"total": 0, "count": 0, "items": [], "facets": []}, "assets": {"total": \(shown(ask, start, size)),
         "count": \(shown(ask, start, size)), "items": \(ask.rows(start, size)), "facets": [], "nextPage": \(ask.ifMore(start + size, "\(page + 1)"))}}
        """
    },
    NaturalServer(
      description: "Shodan, a hundred a page", address: "/shodan/host/search?query=row", count: 237,
      row: {
        #"{"ip_str": "10.0.0.1", "port": 80, "hash": -\#($1), "hostnames": ["\#($0)"], "location": {"city": null}}"#
      }
    ) { ask in
      let page = ask.number("page", 1)
      return NaturalResponse(#"{"matches": \#(ask.rows(page * 100 - 100, 100)), "total": \#(ask.count)}"#)
    },
    NaturalServer(
      description: "Bugzilla", address: "/rest/bug?product=P&limit=25&include_fields=id,summary",
      row: { #"{"id": \#($1 + 100), "summary": "\#($0)"}"# }
    ) { ask in
      NaturalResponse(#"{"bugs": \#(ask.rows(ask.number("offset", 0), ask.number("limit", 20)))}"#)
    },
    NaturalServer(
      description: "Canvas, bookmarks in a header", address: "/api/v1/courses/1/users?per_page=20"
    ) { ask in
      let size = ask.number("per_page", 10)
      let start = position(ask.text("page"))
      var links = ["<\(ask.url)>; rel=\"current\"", "<\(ask.with("page", "first"))>; rel=\"first\""]
      if start + size < ask.count {
        links.append("<\(ask.with("page", "bookmark:WzE\(start + size)"))>; rel=\"next\"")
      }
      return NaturalResponse(ask.rows(start, size), ["Link": links.joined(separator: ",")])
    },
    NaturalServer(
      description: "CouchDB, changes", address: "/db/_changes?limit=25",
      row: { #"{"seq": "\#($1 + 1)-g1AAA", "id": "\#($0)", "changes": [{"rev": "1-0a"}]}"# }
    ) { ask in
      let size = ask.number("limit", 1_000)
      let start = ask.text("since").flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
      let end = min(ask.count, start + size)
      return """
        {"results": \(ask.rows(start, size)), "last_seq": "\(end)-g1AAA", "pending": \(ask.count - end)}
        """
    },
  ]
}
