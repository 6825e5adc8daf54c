import HTTPValues
import JSON

/// Servers in the shapes of documented services that the rules of detection were not written for.
extension NaturalServer {
  /// The first row and the number of rows of a page.
  static func page(
    _ ask: NaturalRequest, _ page: String, _ size: String, _ standard: Int, first: Int = 1
  ) -> (number: Int, start: Int, size: Int) {
    let (number, size) = (ask.number(page, first), ask.number(size, standard))
    return (number, max(0, number - first) * size, size)
  }

  static func pages(_ ask: NaturalRequest, _ size: Int) -> Int { (ask.count + size - 1) / size }

  /// Servers that were written after the rules: 34 of the 40 were exact at first sight, and one was wrong and sure.
  static let documented: [NaturalServer] = [
    NaturalServer(
      description: "JSON:API, offsets (Kitsu)", address: "/api/edge/anime?page[limit]=10&filter[text]=row",
      row: {
        """
        {"id": "\($1)", "type": "anime", "links": {"self": "https://kitsu.io/api/edge/anime/\($1)"},
         "attributes": {"slug": "\($0)", "canonicalTitle": "\($0)", "averageRating": "82.1", "status": "finished"},
         "relationships": {"genres": {"links": {"self": "https://kitsu.io/api/edge/anime/\($1)/relationships/genres"}}}}
        """
      }
    ) { ask in
      let (start, size) = (ask.number("page[offset]", 0), ask.number("page[limit]", 10))
      let next =
        start + size < ask.count
        ? "\"next\": \"\(ask.with("page[offset]", "\(start + size)"))\", " : ""
      return """
        {"data": \(ask.rows(start, size)), "meta": {"count": \(ask.count)},
         "links": {"first": "\(ask.with("page[offset]", "0"))", \(next)"last": "\(ask.with("page[offset]", "130"))"}}
        """
    },
    NaturalServer(description: "Laravel, paginate", address: "/api/posts?page=2") { ask in
      let (page, start, size) = page(ask, "page", "none", 15)
      return """
        {"current_page": \(page), "data": \(ask.rows(start, size)), "first_page_url": "\(ask.with("page", "1"))",
         "from": \(start + 1), "last_page": 10, "last_page_url": "\(ask.with("page", "10"))",
         "links": [{"url": null, "label": "&laquo; Previous", "active": false}, {"url": "\(ask.with("page", "1"))", "label": "1", "active": true},
         {"url": "\(ask.with("page", "2"))", "label": "2", "active": false}, {"url": "\(ask.with("page", "2"))", "label": "Next &raquo;", "active": false}],
         "next_page_url": \(ask.ifMore(start + size, ask.with("page", "\(page + 1)"))), "path": "https://api.example.org/api/posts",
         "per_page": 15, "prev_page_url": null, "to": \(start + size), "total": \(ask.count)}
        """
    },
    NaturalServer(description: "Laravel, a resource collection", address: "/api/users") { ask in
      let (page, start, size) = page(ask, "page", "none", 15)
      return """
        {"data": \(ask.rows(start, size)), "links": {"first": "\(ask.with("page", "1"))", "last": "\(ask.with("page", "10"))",
         "prev": null, "next": \(ask.ifMore(start + size, ask.with("page", "\(page + 1)")))},
         "meta": {"current_page": \(page), "from": \(start + 1), "last_page": 10, "links": [{"url": null, "label": "1", "active": true}],
         "path": "https://api.example.org/api/users", "per_page": 15, "to": \(start + size), "total": \(ask.count)}}
        """
    },
    NaturalServer(description: "Laravel, cursorPaginate", address: "/api/events?sort=id") { ask in
      let end = position(ask.text("cursor")) + 15
      return """
        {"data": \(ask.rows(end - 15, 15)), "path": "https://api.example.org/api/events", "per_page": 15,
         "next_cursor": \(ask.ifMore(end, "tok\(end)")), "next_page_url": \(ask.ifMore(end, ask.with("cursor", "tok\(end)"))),
         "prev_cursor": null, "prev_page_url": null}
        """
    },
    NaturalServer(description: "Spring, a page", address: "/api/customers?size=20&sort=name,asc") { ask in
      let (page, start, size) = page(ask, "page", "size", 20, first: 0)
      let sort = "{\"empty\": false, \"sorted\": true, \"unsorted\": false}"
      return """
        {"content": \(ask.rows(start, size)), "pageable": {"pageNumber": \(page), "pageSize": \(size), "sort": \(sort),
         "offset": \(start), "paged": true, "unpaged": false}, "last": \(start + size >= ask.count), "totalPages": \(pages(ask, size)),
         "totalElements": \(ask.count), "size": \(size), "number": \(page), "sort": \(sort), "first": \(page == 0),
         "numberOfElements": \(max(0, min(size, ask.count - start))), "empty": false}
        """
    },
    NaturalServer(description: "Spring, a slice", address: "/api/logs?page=0&size=25") { ask in
      let (page, start, size) = page(ask, "page", "size", 20, first: 0)
      return """
        {"content": \(ask.rows(start, size)), "pageable": {"pageNumber": \(page), "pageSize": \(size), "offset": \(start), "paged": true},
         "last": \(start + size >= ask.count), "size": \(size), "number": \(page), "first": \(page == 0),
         "numberOfElements": \(max(0, min(size, ask.count - start))), "empty": \(start >= ask.count)}
        """
    },
    NaturalServer(description: "Rails with api-pagination", address: "/movies?per_page=25") { ask in
      let (page, start, size) = page(ask, "page", "per_page", 25)
      var headers = link(ask, start + size, "page", "\(page + 1)")
      (headers["Total"], headers["Per-Page"]) = ("\(ask.count)", "\(size)")
      return NaturalResponse(ask.rows(start, size), headers)
    },
    NaturalServer(description: "Django REST Framework, offsets", address: "/api/v1/vehicles/?limit=20") {
      ask in
      let (start, size) = (ask.number("offset", 0), ask.number("limit", 20))
      return """
        {"count": \(ask.count), "next": \(ask.ifMore(start + size, ask.with("offset", "\(start + size)"))), "previous": null,
         "results": \(ask.rows(start, size))}
        """
    },
    NaturalServer(
      description: "Elasticsearch, sorted",
      address: """
        curl -X POST BASE/books/_search -H 'Content-Type: application/json' -d '{"size": 20, "query": {"match_all": {}}, \
        "sort": [{"year": "asc"}, {"id": "asc"}]}'
        """,
      row: {
        """
        {"_index": "books", "_id": "x\($1)", "_score": null, "_source": {"title": "\($0)", "year": \(1_900 + $1 / 2)},
         "sort": [\(1_900 + $1 / 2), "x\($1)"]}
        """
      }
    ) { ask in
      let last = ask.body?.root["search_after"]?.elements.last?.text
      let start = last.map { position($0) + 1 } ?? ask.number("from", 0)
      return """
        {"took": 2, "timed_out": false, "_shards": {"total": 1, "successful": 1, "skipped": 0, "failed": 0},
         "hits": {"total": {"value": \(ask.count), "relation": "eq"}, "max_score": null, "hits": \(ask.rows(start, ask.number("size", 10)))}}
        """
    },
    NaturalServer(
      description: "MediaWiki, a generator",
      address: "/w/api.php?action=query&generator=allpages&gaplimit=20&prop=info&format=json",
      row: {
        """
        "\($1 + 9)": {"pageid": \($1 + 9), "ns": 0, "title": "\($0)", "contentmodel": "wikitext", "length": 51}
        """
      }
    ) { ask in
      let end = position(ask.text("gapcontinue")) + ask.number("gaplimit", 10)
      let rows = ask.rows(end - ask.number("gaplimit", 10), ask.number("gaplimit", 10))
      let more =
        end < ask.count
        ? "\"continue\": {\"gapcontinue\": \"\(name(end))\", \"continue\": \"gapcontinue||\"}, " : ""
      return """
        {"batchcomplete": "", \(more)"query": {"pages": {\(rows.dropFirst().dropLast())}}}
        """
    },
    NaturalServer(
      description: "Solr, cursorMark",
      address: "/solr/books/select?q=row&rows=20&sort=id+asc&cursorMark=*&wt=json"
    ) { ask in
      let start = position(ask.text("cursorMark"))
      let end = min(ask.count, start + ask.number("rows", 10))
      return """
        {"responseHeader": {"status": 0, "QTime": 1, "params": {"q": "row", "rows": "20", "cursorMark": "*"}},
         "response": {"numFound": \(ask.count), "start": 0, "numFoundExact": true, "docs": \(ask.rows(start, end - start))},
         "nextCursorMark": "AoE\(end)"}
        """
    },
    NaturalServer(
      description: "CKAN, a data store",
      address: "/api/3/action/datastore_search?resource_id=5a1c&limit=25&q=row",
      row: { "{\"_id\": \($1 + 1), \"station\": \"\($0)\", \"value\": \"3.4\", \"rank\": 0.05}" }
    ) { ask in
      let (start, size) = (ask.number("offset", 0), ask.number("limit", 100))
      return """
        {"help": "https://x.org/api/3/action/help_show?name=datastore_search", "success": true, "result": {"include_total": true,
         "limit": \(size), "q": "row", "records_format": "objects", "resource_id": "5a1c", "total_estimation_threshold": null,
         "records": \(ask.rows(start, size)), "fields": [{"type": "int", "id": "_id"}, {"type": "text", "id": "station"},
         {"type": "numeric", "id": "value"}, {"type": "float", "id": "rank"}],
         "_links": {"start": "/api/3/action/datastore_search?resource_id=5a1c&limit=25&q=row",
         "next": "/api/3/action/datastore_search?resource_id=5a1c&limit=25&q=row&offset=\(start + size)"},
         "total": \(ask.count), "total_was_estimated": false}}
        """
    },
    NaturalServer(
      description: "Google Drive", address: "/drive/v3/files?pageSize=50&q=name+contains+'row'",
      row: {
        "{\"kind\": \"drive#file\", \"id\": \"1x\($1)\", \"name\": \"\($0)\", \"mimeType\": \"text/plain\"}"
      }
    ) { ask in
      let end = position(ask.text("pageToken")) + ask.number("pageSize", 100)
      let size = ask.number("pageSize", 100)
      return """
        {"kind": "drive#fileList", "incompleteSearch": false, \(end < ask.count ? "\"nextPageToken\": \"~!!~tok\(end)\", " : "")\
        "files": \(ask.rows(end - size, size))}
        """
    },
    NaturalServer(
      description: "AWS, NextToken in the body",
      address: """
        curl -X POST BASE/ -H 'X-Amz-Target: AmazonSSM.DescribeParameters' \
        -H 'Content-Type: application/x-amz-json-1.1' -d '{"MaxResults": 50}'
        """,
      row: { "{\"Name\": \"/app/\($0)\", \"Type\": \"String\", \"Version\": \($1), \"Tier\": \"Standard\"}" }
    ) { ask in
      let size = ask.number("MaxResults", 10)
      let end = position(ask.text("NextToken")) + size
      let next = end < ask.count ? ", \"NextToken\": \"AAEA\(end)\"" : ""
      return "{\"Parameters\": \(ask.rows(end - size, size))\(next)}"
    },
    NaturalServer(
      description: "DynamoDB, a key as an object",
      address: """
        curl -X POST BASE/ -H 'X-Amz-Target: DynamoDB_20120810.Scan' -H 'Content-Type: application/x-amz-json-1.0' \
        -d '{"TableName": "Music", "Limit": 25}'
        """,
      row: { "{\"Artist\": {\"S\": \"\($0)\"}, \"Year\": {\"N\": \"\(1_900 + $1)\"}}" }
    ) { ask in
      let size = ask.number("Limit", 100)
      let last = ask.body?.root["ExclusiveStartKey"]?["Artist"]?["S"]?.text
      let start = last.map { position($0) + 1 } ?? 0
      let next =
        start + size < ask.count
        ? ", \"LastEvaluatedKey\": {\"Artist\": {\"S\": \"\(name(start + size - 1))\"}}" : ""
      let count = max(0, min(size, ask.count - start))
      return "{\"Count\": \(count), \"Items\": \(ask.rows(start, size)), \"ScannedCount\": \(count)\(next)}"
    },
    NaturalServer(
      description: "Azure Resource Manager", address: "/subscriptions/1/resources?api-version=2021-04-01",
      row: {
        "{\"id\": \"/subscriptions/1/r\($1)\", \"name\": \"\($0)\", \"type\": \"Microsoft.Web/sites\", \"location\": \"japaneast\"}"
      }
    ) { ask in
      let end = position(ask.text("$skiptoken")) + 50
      let next = end < ask.count ? ", \"nextLink\": \"\(ask.with("$skiptoken", "tok\(end)"))\"" : ""
      return "{\"value\": \(ask.rows(end - 50, 50))\(next)}"
    },
    NaturalServer(
      description: "Azure Data Factory, continuationToken in the body",
      address: """
        curl BASE/factories/f/queryPipelineRuns?api-version=2018-06-01 -H 'Content-Type: application/json' \
        -d '{"lastUpdatedAfter": "2026-01-01T00:00:00Z", "lastUpdatedBefore": "2026-02-01T00:00:00Z"}'
        """,
      row: {
        "{\"runId\": \"f8-\($1)\", \"pipelineName\": \"\($0)\", \"status\": \"Succeeded\", \"durationInMs\": 412}"
      }
    ) { ask in
      let end = position(ask.text("continuationToken")) + 40
      return
        "{\"value\": \(ask.rows(end - 40, 40))\(end < ask.count ? ", \"continuationToken\": \"tok\(end)\"" : "")}"
    },
    NaturalServer(
      description: "Odoo, JSON-RPC",
      address: """
        curl BASE/web/dataset/call_kw -H 'Content-Type: application/json' -d '{"jsonrpc": "2.0", "method": "call", \
        "params": {"model": "res.partner", "method": "search_read", "args": [], \
        "kwargs": {"fields": ["name"], "limit": 40, "offset": 0}}}'
        """,
      row: { "{\"id\": \($1 + 7), \"name\": \"\($0)\"}" }
    ) { ask in
      """
      {"jsonrpc": "2.0", "id": null, "result": \(ask.rows(ask.number("offset", 0), ask.number("limit", 1_000)))}
      """
    },
    NaturalServer(
      description: "SharePoint, verbose", address: "/_api/web/lists/getbytitle('Docs')/items?$top=50",
      row: {
        """
        {"__metadata": {"id": "4f-\($1)", "uri": "https://x.org/_api/Web/Lists(1)/Items(\($1))", "type": "SP.Data.DocsItem"},
         "Id": \($1 + 1), "ID": \($1 + 1), "Title": "\($0)", "Author": {"__deferred": {"uri": "https://x.org/a"}}}
        """
      }
    ) { ask in
      let start = position(ask.text("$skiptoken"))
      let end = start + ask.number("$top", 100)
      let token = ask.with("$skiptoken", "Paged=TRUE&p_ID=\(end)")
      let next = end < ask.count ? ", \"__next\": \"\(token)\"" : ""
      return "{\"d\": {\"results\": \(ask.rows(start, end - start))\(next)}}"
    },
    NaturalServer(
      description: "JSON translated from SOAP", address: "/ws/orders?EntriesPerPage=25&PageNumber=1",
      row: {
        "{\"OrderID\": \"11-\($1)\", \"OrderStatus\": \"Completed\", \"BuyerUserID\": \"\($0)\", \"Total\": {\"@currencyID\": \"USD\", \"#text\": \"4.00\"}}"
      }
    ) { ask in
      let (page, start, size) = page(ask, "PageNumber", "EntriesPerPage", 25)
      return """
        {"GetOrdersResponse": {"@xmlns": "urn:ebay:apis:eBLBaseComponents", "Timestamp": "2026-01-01T00:00:00.000Z", "Ack": "Success",
         "Version": "1193", "PaginationResult": {"TotalNumberOfPages": "\(pages(ask, size))", "TotalNumberOfEntries": "\(ask.count)"},
         "HasMoreOrders": "\(start + size < ask.count)", "OrderArray": {"Order": \(ask.rows(start, size))},
         "OrdersPerPage": "\(size)", "PageNumber": "\(page)", "ReturnedOrderCountActual": "\(max(0, min(size, ask.count - start)))"}}
        """
    },
    NaturalServer(
      description: "Adzuna, a page in the path",
      address: "/v1/api/jobs/gb/search/1?results_per_page=20&what=row",
      row: {
        "{\"id\": \"\($1)\", \"title\": \"\($0)\", \"company\": {\"display_name\": \"C\"}, \"redirect_url\": \"https://x.org/land/\($1)\"}"
      }
    ) { ask in
      let number = Int(ask.url.path.split(separator: "/").last ?? "") ?? 0
      let size = ask.number("results_per_page", 10)
      if number < 1 { return NaturalResponse("{\"exception\": \"INVALID_PAGE\"}", status: 400) }
      return """
        {"__CLASS__": "Adzuna::API::Response::JobSearchResults", "count": \(ask.count), "mean": 42000.5,
         "results": \(ask.rows((number - 1) * size, size))}
        """
    },
    NaturalServer(
      description: "Heroku, a range of ids", address: "curl BASE/apps -H 'Range: id ..; max=50'",
      row: { "{\"id\": \"01\($1 + 1_000)\", \"name\": \"\($0)\", \"stack\": {\"name\": \"heroku-24\"}}" }
    ) { ask in
      let range = ask.headers.first("Range") ?? ""
      let start = range.firstMatch(of: /id \](\d+)\.\./).flatMap { Int($0.1) }.map { $0 - 1_000 + 1 } ?? 0
      let headers =
        start + 50 < ask.count ? ["Next-Range": "id ]\(start + 50 - 1 + 1_000)..; max=50"] : [:]
      return NaturalResponse(ask.rows(start, 50), headers, status: headers.isEmpty ? 200 : 206)
    },
    NaturalServer(
      description: "PostgREST", address: "curl BASE/people?limit=20 -H 'Prefer: count=exact'"
    ) { ask in
      let (start, size) = (ask.number("offset", 0), ask.number("limit", 1_000))
      let end = max(start, min(ask.count, start + size))
      let range = start < end ? "\(start)-\(end - 1)/\(ask.count)" : "*/\(ask.count)"
      return NaturalResponse(
        ask.rows(start, size), ["Content-Range": range], status: end < ask.count || start > 0 ? 206 : 200)
    },
    NaturalServer(
      description: "Shopify, GraphQL with a number in it",
      address: """
        curl BASE/admin/api/2026-01/graphql.json --json '{"query": "{ products(first: 25) { edges { node { id title } } \
        pageInfo { hasNextPage endCursor } } }"}'
        """,
      row: { "{\"node\": {\"id\": \"gid://shopify/Product/\($1)\", \"title\": \"\($0)\"}}" }
    ) { ask in
      let start = position(ask.text("after"))
      let size = ask.number("first", 25)
      return """
        {"data": {"products": {"edges": \(ask.rows(start, size)),
         "pageInfo": {"hasNextPage": \(start + size < ask.count), "endCursor": "tok\(min(ask.count, start + size))"}}},
         "extensions": {"cost": {"requestedQueryCost": 12, "actualQueryCost": 8}}}
        """
    },
    NaturalServer(
      description: "Hasura, GraphQL with numbers in it",
      address: """
        curl BASE/v1/graphql --json '{"query": "query People { people(limit: 20, offset: 0, order_by: {id: asc}) { id name } }"}'
        """
    ) { ask in
      "{\"data\": {\"people\": \(ask.rows(ask.number("offset", 0), ask.number("limit", 20)))}}"
    },
    NaturalServer(
      description: "AniList, GraphQL with page numbers",
      address: """
        curl BASE/ --json '{"query": "query ($search: String) { Page(page: 1, perPage: 25) { pageInfo { total currentPage \
        lastPage hasNextPage perPage } media(search: $search) { id title { romaji } } } }", "variables": {"search": "row"}}'
        """,
      row: { "{\"id\": \($1 + 1), \"title\": {\"romaji\": \"\($0)\"}}" }
    ) { ask in
      let (page, start, size) = page(ask, "page", "perPage", 25)
      return """
        {"data": {"Page": {"pageInfo": {"total": \(ask.count), "currentPage": \(page), "lastPage": \(pages(ask, size)),
         "hasNextPage": \(start + size < ask.count), "perPage": \(size)}, "media": \(ask.rows(start, size))}}}
        """
    },
    NaturalServer(description: "Pipedrive", address: "/v1/deals?limit=50&status=open") { ask in
      let (start, size) = (ask.number("start", 0), ask.number("limit", 100))
      let next = start + size < ask.count ? ", \"next_start\": \(start + size)" : ""
      return """
        {"success": true, "data": \(ask.rows(start, size)), "additional_data": {"pagination": {"start": \(start), "limit": \(size),
         "more_items_in_collection": \(start + size < ask.count)\(next)}},
         "related_objects": {"user": {"1": {"id": 1, "name": "A"}}, "organization": {"2": {"id": 2, "name": "B"}}}}
        """
    },
    NaturalServer(
      description: "Mailchimp", address: "/3.0/lists?count=20",
      row: {
        "{\"id\": \"a\($1)\", \"web_id\": \($1), \"name\": \"\($0)\", \"stats\": {\"member_count\": 4}, \"_links\": [{\"rel\": \"self\", \"href\": \"https://x.org\", \"method\": \"GET\"}]}"
      }
    ) { ask in
      """
      {"lists": \(ask.rows(ask.number("offset", 0), ask.number("count", 10))), "total_items": \(ask.count),
       "constraints": {"may_create": true, "max_instances": 100, "current_total_instances": \(ask.count)},
       "_links": [{"rel": "self", "href": "https://x.org/3.0/lists", "method": "GET", "targetSchema": "https://x.org/Response.json"},
       {"rel": "parent", "href": "https://x.org/3.0/", "method": "GET"}]}
      """
    },
    NaturalServer(
      description: "ServiceNow",
      address: "/api/now/table/incident?sysparm_limit=20&sysparm_query=active=true",
      row: {
        "{\"sys_id\": \"9d\($1)\", \"number\": \"INC00\($1)\", \"short_description\": \"\($0)\", \"state\": \"1\"}"
      }
    ) { ask in
      let (start, size) = (ask.number("sysparm_offset", 0), ask.number("sysparm_limit", 10_000))
      var headers = link(ask, start + size, "sysparm_offset", "\(start + size)")
      headers["X-Total-Count"] = "\(ask.count)"
      return NaturalResponse("{\"result\": \(ask.rows(start, size))}", headers)
    },
    NaturalServer(
      description: "Jira Cloud, tokens", address: "/rest/api/3/search/jql?jql=project=A&maxResults=50",
      row: {
        "{\"id\": \"\($1 + 10_000)\", \"key\": \"A-\($1)\", \"self\": \"https://x.org/i/\($1)\", \"fields\": {\"summary\": \"\($0)\"}}"
      }
    ) { ask in
      let size = ask.number("maxResults", 50)
      let end = position(ask.text("nextPageToken")) + size
      return """
        {"issues": \(ask.rows(end - size, size)), \(end < ask.count ? "\"nextPageToken\": \"CAEaAg\(end)\", " : "")\
        "isLast": \(end >= ask.count)}
        """
    },
    NaturalServer(
      description: "Facebook Graph", address: "/v19.0/me/posts?fields=message&limit=25",
      row: {
        "{\"id\": \"10_\($1)\", \"message\": \"\($0)\", \"created_time\": \"2026-01-01T00:00:00+0000\"}"
      }
    ) { ask in
      let size = ask.number("limit", 25)
      let start = position(ask.text("after"))
      let next =
        start + size < ask.count ? ", \"next\": \"\(ask.with("after", "QVFIUk\(start + size)"))\"" : ""
      let paging =
        start < ask.count
        ? ", \"paging\": {\"cursors\": {\"before\": \"QVFIUb\(start)\", \"after\": \"QVFIUk\(min(ask.count, start + size))\"}\(next)}"
        : ""
      return "{\"data\": \(ask.rows(start, size))\(paging)}"
    },
    NaturalServer(
      description: "Twitter", address: "/2/tweets/search/recent?query=row&max_results=50",
      row: { "{\"id\": \"18\($1 + 1_000)\", \"text\": \"\($0)\", \"edit_history_tweet_ids\": [\"18\($1)\"]}" }
    ) { ask in
      let size = ask.number("max_results", 10)
      let first = position(ask.text("next_token") ?? ask.text("pagination_token"))
      let last = first + size
      let users = (0..<20).map { "{\"id\": \"\($0)\", \"name\": \"user \($0)\", \"username\": \"u\($0)\"}" }
      let more = last < ask.count ? ", \"next_token\": \"bvwx\(last)\"" : ""
      return """
        {"data": \(ask.rows(first, size)), "includes": {"users": [\(users.joined(separator: ", "))]},
         "meta": {"newest_id": "18\(first + 1_000)", "oldest_id": "18\(last + 999)", "result_count": \(max(0, min(size, ask.count - first)))\(more)}}
        """
    },
    NaturalServer(
      description: "Contentful", address: "/spaces/x/environments/master/entries?limit=25",
      row: {
        "{\"sys\": {\"id\": \"6x\($1)\", \"type\": \"Entry\"}, \"fields\": {\"title\": {\"en-US\": \"\($0)\"}}}"
      }
    ) { ask in
      let (start, size) = (ask.number("skip", 0), ask.number("limit", 100))
      let assets = (0..<12).map { "{\"sys\": {\"id\": \"as\($0)\", \"type\": \"Asset\"}, \"fields\": {}}" }
      return """
        {"sys": {"type": "Array"}, "total": \(ask.count), "skip": \(start), "limit": \(size), "items": \(ask.rows(start, size)),
         "includes": {"Asset": [\(assets.joined(separator: ", "))]}}
        """
    },
    NaturalServer(
      description: "DSpace", address: "/server/api/discover/search/objects?query=row&size=20",
      row: {
        """
        {"hitHighlights": null, "type": "discover", "_links": {"indexableObject": {"href": "https://x.org/items/\($1)"}},
         "_embedded": {"indexableObject": {"id": "u\($1)", "name": "\($0)", "handle": "10/\($1)", "type": "item"}}}
        """
      }
    ) { ask in
      let (page, start, size) = page(ask, "page", "size", 20, first: 0)
      let next =
        start + size < ask.count ? "\"next\": {\"href\": \"\(ask.with("page", "\(page + 1)"))\"}, " : ""
      return """
        {"id": null, "query": "row", "scope": null, "type": "discover", "appliedFilters": null,
         "_links": {"self": {"href": "\(ask.url)"}}, "_embedded": {"searchResult": {"_embedded": {"objects": \(ask.rows(start, size))},
         "_links": {\(next)"self": {"href": "\(ask.url)"}},
         "page": {"number": \(page), "size": \(size), "totalPages": \(pages(ask, size)), "totalElements": \(ask.count)}},
         "facets": {"_embedded": {"values": [{"label": "a", "count": 4}, {"label": "b", "count": 3}]}}}}
        """
    },
    NaturalServer(
      description: "Europe PMC", address: "/rest/search?query=row&format=json&pageSize=25&cursorMark=*",
      row: {
        "{\"id\": \"3\($1 + 1_000)\", \"source\": \"MED\", \"title\": \"\($0)\", \"pubYear\": \"2020\"}"
      }
    ) { ask in
      let size = ask.number("pageSize", 25)
      let start = position(ask.text("cursorMark"))
      let next =
        start + size < ask.count
        ? "\"nextCursorMark\": \"AoIII\(start + size)\", \"nextPageUrl\": \"\(ask.with("cursorMark", "AoIII\(start + size)"))\", "
        : ""
      return """
        {"version": "6.9", "hitCount": \(ask.count), \(next)"request": {"queryString": "row", "resultType": "lite",
         "cursorMark": "*", "pageSize": \(size), "sort": "", "synonym": false}, "resultList": {"result": \(ask.rows(start, size))}}
        """
    },
    NaturalServer(
      description: "Tableau", address: "/api/3.22/sites/1/projects?pageSize=50",
      row: { "{\"id\": \"1f-\($1)\", \"name\": \"\($0)\", \"contentPermissions\": \"ManagedByOwner\"}" }
    ) { ask in
      let (page, start, size) = page(ask, "pageNumber", "pageSize", 100)
      if start >= ask.count {
        return NaturalResponse(
          "{\"error\": {\"code\": \"400006\", \"summary\": \"Bad Request\"}}", status: 400)
      }
      return """
        {"pagination": {"pageNumber": "\(page)", "pageSize": "\(size)", "totalAvailable": "\(ask.count)"},
         "projects": {"project": \(ask.rows(start, size))}}
        """
    },
    NaturalServer(
      description: "SonarQube", address: "/api/issues/search?ps=50&statuses=OPEN",
      row: {
        "{\"key\": \"AZ\($1)\", \"rule\": \"java:S1\", \"message\": \"\($0)\", \"severity\": \"MAJOR\"}"
      }
    ) { ask in
      let (page, start, size) = page(ask, "p", "ps", 100)
      let components = (0..<30).map {
        "{\"key\": \"c\($0)\", \"name\": \"File\($0).java\", \"enabled\": true}"
      }
      return """
        {"total": \(ask.count), "p": \(page), "ps": \(size), "paging": {"pageIndex": \(page), "pageSize": \(size), "total": \(ask.count)},
         "effortTotal": 311, "issues": \(ask.rows(start, size)), "components": [\(components.joined(separator: ", "))], "facets": []}
        """
    },
    NaturalServer(
      description: "Nexus", address: "/service/rest/v1/components?repository=maven-central",
      row: {
        "{\"id\": \"bWF\($1)\", \"repository\": \"maven-central\", \"format\": \"maven2\", \"name\": \"\($0)\", \"version\": \"1.0\"}"
      }
    ) { ask in
      let end = position(ask.text("continuationToken")) + 10
      return """
        {"items": \(ask.rows(end - 10, 10)), "continuationToken": \(ask.ifMore(end, "tok\(end)"))}
        """
    },
    NaturalServer(
      description: "Trello, before the last id", address: "/1/boards/b1/actions?limit=50",
      row: {
        "{\"id\": \"5a\($1 + 10_000)\", \"idMemberCreator\": \"m1\", \"data\": {\"text\": \"\($0)\"}, \"type\": \"commentCard\", \"date\": \"2026-01-01T00:00:00.000Z\"}"
      }
    ) { ask in
      let start = ask.text("before").flatMap { Int($0.dropFirst(2)) }.map { $0 - 10_000 + 1 } ?? 0
      return "\(ask.rows(start, ask.number("limit", 50)))"
    },
    NaturalServer(
      description: "BigQuery, rows of cells",
      address: "/bigquery/v2/projects/p/datasets/d/tables/t/data?maxResults=50",
      row: { "{\"f\": [{\"v\": \"\($1)\"}, {\"v\": \"\($0)\"}]}" }
    ) { ask in
      let size = ask.number("maxResults", 100)
      let start = position(ask.text("pageToken"))
      let next = start + size < ask.count ? ", \"pageToken\": \"BEAA\(start + size)\"" : ""
      return """
        {"kind": "bigquery#tableDataList", "etag": "x==", "totalRows": "\(ask.count)", "rows": \(ask.rows(start, size))\(next)}
        """
    },
  ]
}
