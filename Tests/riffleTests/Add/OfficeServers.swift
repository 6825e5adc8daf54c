import HTTPValues
import JSON

extension NaturalServer {
  /// Servers of common frameworks, as companies run them, and of public services: 37 of the 41 were exact at first
  /// sight, and none was wrong and sure. One of the others lacked a parameter that its service documents.
  static let office: [NaturalServer] = [
    NaturalServer(description: "MyBatis-Plus in an envelope", address: "/admin-api/crm/customer/page?size=20")
    {
      ask in
      let (page, start, size) = page(ask, "current", "size", 10)
      return """
        {"code": 0, "msg": "success", "data": {"records": \(ask.rows(start, size)), "total": \(ask.count), "size": \(size),
         "current": \(page), "orders": [], "optimizeCountSql": true, "searchCount": true, "pages": \(pages(ask, size))}}
        """
    },
    NaturalServer(
      description: "RuoYi, the last page again", address: "/system/user/list?pageSize=20&status=0"
    ) {
      ask in
      let (asked, _, size) = page(ask, "pageNum", "pageSize", 10)
      let page = max(1, min(asked, pages(ask, size)))
      return """
        {"total": \(ask.count), "rows": \(ask.rows((page - 1) * size, size)), "code": 200, "msg": "OK"}
        """
    },
    NaturalServer(description: "Spring, a paged model", address: "/api/v2/shipments?size=25&sort=id,desc") {
      ask in
      let (page, start, size) = page(ask, "page", "size", 20, first: 0)
      return """
        {"content": \(ask.rows(start, size)), "page": {"size": \(size), "number": \(page), "totalElements": \(ask.count),
         "totalPages": \(pages(ask, size))}}
        """
    },
    NaturalServer(description: "Django REST Framework, own names", address: "/api/v1/patients/?ward=3") {
      ask in
      let (page, start, size) = page(ask, "p", "page_size", 30)
      guard page <= pages(ask, size) else {
        return NaturalResponse(#"{"detail": "Invalid page."}"#, status: 404)
      }
      return """
        {"pagination": {"next": \(ask.ifMore(start + size, ask.with("p", "\(page + 1)"))), "previous": null, "current": \(page),
         "last": \(pages(ask, size)), "hits": \(ask.count)}, "patients": \(ask.rows(start, size))}
        """
    },
    NaturalServer(description: "Rails with Pagy headers", address: "/api/invoices?items=25") { ask in
      let (page, start, size) = page(ask, "page", "items", 20)
      return NaturalResponse(
        ask.rows(start, size),
        [
          "current-page": "\(page)", "page-items": "\(size)", "total-pages": "\(pages(ask, size))",
          "total-count": "\(ask.count)",
        ])
    },
    NaturalServer(description: "Rails with Kaminari", address: "/api/v1/bookings") { ask in
      let (page, start, size) = page(ask, "page", "per", 25)
      return """
        {"bookings": \(ask.rows(start, size)), "meta": {"current_page": \(page), "next_page": \(start + size < ask.count ? "\(page + 1)" : "null"),
         "prev_page": \(page > 1 ? "\(page - 1)" : "null"), "total_pages": \(pages(ask, size)), "total_count": \(ask.count)}}
        """
    },
    NaturalServer(description: "Laravel, simplePaginate", address: "/api/tickets?status=open") { ask in
      let (page, start, _) = page(ask, "page", "-", 15)
      return """
        {"current_page": \(page), "data": \(ask.rows(start, 15)), "first_page_url": "\(ask.with("page", "1"))", "from": \(start + 1),
         "next_page_url": \(ask.ifMore(start + 15, ask.with("page", "\(page + 1)"))), "path": "https://api.example.org/api/tickets",
         "per_page": 15, "prev_page_url": null, "to": \(start + shown(ask, start, 15))}
        """
    },
    NaturalServer(description: "fastapi-pagination, pages", address: "/devices?size=25") { ask in
      let (page, start, size) = page(ask, "page", "size", 50)
      guard page >= 1, size <= 100 else {
        return NaturalResponse(
          #"{"detail": [{"type": "less_than_equal", "loc": ["query", "size"], "msg": "Input should be less than 101"}]}"#,
          status: 422)
      }
      return """
        {"items": \(ask.rows(start, size)), "total": \(ask.count), "page": \(page), "size": \(size), "pages": \(pages(ask, size))}
        """
    },
    NaturalServer(description: "fastapi-pagination, a cursor called next_page", address: "/readings?size=25")
    { ask in
      let size = ask.number("size", 50)
      let start = position(ask.text("cursor"))
      return """
        {"items": \(ask.rows(start, size)), "total": null, "current_page": "Kg%3D%3D", "current_page_backwards": "Pg%3D%3D",
         "previous_page": null, "next_page": \(ask.ifMore(start + size, "PmR0OjIw\(start + size)"))}
        """
    },
    NaturalServer(description: "nestjs-paginate", address: "/v1/contracts?limit=25&sortBy=name:ASC") { ask in
      let (page, start, size) = page(ask, "page", "limit", 20)
      let next = start + size < ask.count ? #", "next": "\#(ask.with("page", "\(page + 1)"))""# : ""
      return """
        {"data": \(ask.rows(start, size)), "meta": {"itemsPerPage": \(size), "totalItems": \(ask.count), "currentPage": \(page),
         "totalPages": \(pages(ask, size)), "sortBy": [["name", "ASC"]]}, "links": {"current": "\(ask.url)"\(next)}}
        """
    },
    NaturalServer(description: "nestjs-typeorm-paginate", address: "/api/machines") { ask in
      let (page, start, size) = page(ask, "page", "limit", 10)
      return """
        {"items": \(ask.rows(start, size)), "meta": {"totalItems": \(ask.count), "itemCount": \(shown(ask, start, size)),
         "itemsPerPage": \(size), "totalPages": \(pages(ask, size)), "currentPage": \(page)}}
        """
    },
    NaturalServer(
      description: "mongoose-paginate with own labels", address: "/api/v1/courses?perPage=20",
      row: { #"{"_id": "65af\#($1)", "title": "\#($0)", "__v": 0, "teachers": [{"_id": "1", "name": "A"}]}"# }
    ) { ask in
      let (page, start, size) = page(ask, "currentPage", "perPage", 10)
      let more = start + size < ask.count
      return """
        {"itemsList": \(ask.rows(start, size)), "paginator": {"itemCount": \(ask.count), "perPage": \(size), "pageCount": \(pages(ask, size)),
         "currentPage": \(page), "slNo": \(start + 1), "hasPrev": \(page > 1), "hasNext": \(more), "prev": null,
         "next": \(more ? "\(page + 1)" : "null")}}
        """
    },
    NaturalServer(description: "Express, a tutorial's pagination", address: "/api/v1/bootcamps?limit=20") {
      ask in
      let (page, start, size) = page(ask, "page", "limit", 25)
      let next = start + size < ask.count ? #""next": {"page": \#(page + 1), "limit": \#(size)}"# : ""
      return """
        {"success": true, "count": \(shown(ask, start, size)), "pagination": {\(next)}, "data": \(ask.rows(start, size))}
        """
    },
    NaturalServer(
      description: "ASP.NET with JSON in a header", address: "/api/employees?PageSize=20",
      row: { #"{"id": "3fa85f64-\#($1)", "fullName": "\#($0)", "department": {"id": 1, "name": "D"}}"# }
    ) { ask in
      let (page, start, size) = page(ask, "PageNumber", "PageSize", 10)
      return NaturalResponse(
        ask.rows(start, size),
        [
          "X-Pagination": """
          {"CurrentPage":\(page),"TotalPages":\(pages(ask, size)),"PageSize":\(size),"TotalCount":\(ask.count),"HasPrevious":\(page > 1),\
          "HasNext":\(start + size < ask.count)}
          """
        ])
    },
    NaturalServer(description: "ABP", address: "/api/app/book?MaxResultCount=20&Sorting=name") { ask in
      let (start, size) = (ask.number("SkipCount", 0), ask.number("MaxResultCount", 10))
      return NaturalResponse(#"{"totalCount": \#(ask.count), "items": \#(ask.rows(start, size))}"#)
    },
    NaturalServer(
      description: "Gin with an admin template", address: "/api/order/getOrderList?pageSize=20&page=1"
    ) {
      ask in
      let (page, start, size) = page(ask, "page", "pageSize", 10)
      return """
        {"code": 0, "data": {"list": \(ask.rows(start, size)), "total": \(ask.count), "page": \(page), "pageSize": \(size)}, "msg": "ok"}
        """
    },
    NaturalServer(description: "Phoenix with Scrivener", address: "/api/assets?page_size=20") { ask in
      let (page, start, size) = page(ask, "page", "page_size", 10)
      return """
        {"data": \(ask.rows(start, size)), "page_number": \(page), "page_size": \(size), "total_entries": \(ask.count),
         "total_pages": \(pages(ask, size))}
        """
    },
    NaturalServer(
      description: "API Platform, Hydra", address: "/api/reviews?itemsPerPage=20",
      row: {
        ##"{"@id": "/api/reviews/\##($1)", "@type": "Review", "id": \##($1), "author": "\##($0)", "rating": 4}"##
      }
    ) { ask in
      let (page, start, size) = page(ask, "page", "itemsPerPage", 30)
      let next =
        start + size < ask.count
        ? #", "hydra:next": "/api/reviews?itemsPerPage=\#(size)&page=\#(page + 1)""# : ""
      return """
        {"@context": "/api/contexts/Review", "@id": "/api/reviews", "@type": "hydra:Collection", "hydra:totalItems": \(ask.count),
         "hydra:member": \(ask.rows(start, size)), "hydra:view": {"@id": "/api/reviews?page=\(page)", "@type": "hydra:PartialCollectionView",
         "hydra:first": "/api/reviews?itemsPerPage=\(size)&page=1", "hydra:last": "/api/reviews?page=\(pages(ask, size))"\(next)},
         "hydra:search": {"@type": "hydra:IriTemplate", "hydra:mapping": [{"@type": "IriTemplateMapping", "variable": "author"}]}}
        """
    },
    NaturalServer(
      description: "GraphQL, skip and take",
      address: """
        curl BASE/graphql -H 'Content-Type: application/json' -d '{"query": "query P($skip: Int, $take: Int) { parcels(skip: $skip, \
        take: $take) { totalCount items { id label } } }", "variables": {"skip": 0, "take": 20}}'
        """,
      row: { #"{"id": "\#($1)", "label": "\#($0)"}"# }
    ) { ask in
      let (start, size) = (ask.number("skip", 0), ask.number("take", 50))
      return """
        {"data": {"parcels": {"totalCount": \(ask.count), "items": \(ask.rows(start, size))}}}
        """
    },
    NaturalServer(
      description: "GraphQL, relay with a variable not given yet",
      address: """
        curl BASE/graphql -H 'Content-Type: application/json' -d '{"query": "query V($first: Int!, $after: String) { viewer { \
        wishlists(first: $first, after: $after) { edges { cursor node { id title } } pageInfo { endCursor hasNextPage } } } }", \
        "variables": {"first": 20}}'
        """,
      row: { #"{"cursor": "YXJyYXk6\#($1)", "node": {"id": "\#($1)", "title": "\#($0)"}}"# }
    ) { ask in
      let size = ask.number("first", 10)
      let start = ask.text("after").map { position(String($0.dropFirst(8))) + 1 } ?? 0
      return """
        {"data": {"viewer": {"wishlists": {"edges": \(ask.rows(start, size)), "pageInfo": {"endCursor":
         "YXJyYXk6\(min(ask.count, start + size) - 1)", "hasNextPage": \(start + size < ask.count)}}}}}
        """
    },
    NaturalServer(description: "DataTables", address: "/ajax/members?draw=1&start=0&length=25") { ask in
      let (start, size) = (ask.number("start", 0), ask.number("length", 10))
      return """
        {"draw": \(ask.number("draw", 1)), "recordsTotal": \(ask.count), "recordsFiltered": \(ask.count), "data": \(ask.rows(start, size))}
        """
    },
    NaturalServer(
      description: "Ktor with a content range", address: "/internal/jobs?count=20"
    ) { ask in
      let (start, size) = (ask.number("offset", 0), ask.number("count", 50))
      return NaturalResponse(
        ask.rows(start, size),
        ["Content-Range": "items \(start)-\(start + shown(ask, start, size) - 1)/\(ask.count)"], status: 206)
    },
    NaturalServer(
      description: "An own list after a sequence number", address: "/audit/entries?batch=25",
      row: { #"{"seq": \#($1 + 1), "actor": "\#($0)", "action": "login", "at": "2026-01-01T00:00:00Z"}"# }
    ) { ask in
      let (start, size) = (ask.number("after_seq", 0), ask.number("batch", 100))
      return NaturalResponse(
        #"{"entries": \#(ask.rows(start, size)), "more": \#(start + size < ask.count)}"#)
    },
    NaturalServer(
      description: "A POST with a nested page",
      address: """
        curl BASE/rest/search/articles -H 'Content-Type: application/json' -d '{"filter": {"brand": "x"}, \
        "paging": {"pageIndex": 0, "pageSize": 20}}'
        """
    ) { ask in
      let paging = ask.body?.root["paging"]
      let page = paging?["pageIndex"]?.text.flatMap { Int($0) } ?? 0
      let size = paging?["pageSize"]?.text.flatMap { Int($0) } ?? 10
      return """
        {"payload": {"entries": \(ask.rows(page * size, size)), "pageInfo": {"pageIndex": \(page), "pageCount": \(pages(ask, size)),
         "hits": \(ask.count)}}, "errors": []}
        """
    },
    NaturalServer(
      description: "Freshdesk", address: "/api/v2/tickets?per_page=30",
      row: {
        #"{"id": \#($1 + 20), "subject": "\#($0)", "cc_emails": ["a@x.org"], "custom_fields": {}, "priority": 1}"#
      }
    ) { ask in
      let (page, start, size) = page(ask, "page", "per_page", 30)
      return NaturalResponse(ask.rows(start, size), link(ask, start + size, "page", "\(page + 1)"))
    },
    NaturalServer(
      description: "Webflow", address: "/v2/collections/580e/items?limit=25",
      row: { #"{"id": "62b\#($1)", "isDraft": false, "fieldData": {"name": "\#($0)", "slug": "s\#($1)"}}"# }
    ) { ask in
      let (start, size) = (ask.number("offset", 0), ask.number("limit", 100))
      return """
        {"items": \(ask.rows(start, size)), "pagination": {"limit": \(size), "offset": \(start), "total": \(ask.count)}}
        """
    },
    NaturalServer(
      description: "Typeform", address: "/forms?page_size=20",
      row: { #"{"id": "f\#($1)", "title": "\#($0)", "_links": {"display": "https://x.org/to/f\#($1)"}}"# }
    ) { ask in
      let (_, start, size) = page(ask, "page", "page_size", 10)
      return """
        {"total_items": \(ask.count), "page_count": \(pages(ask, size)), "items": \(ask.rows(start, size))}
        """
    },
    NaturalServer(
      description: "Calendly", address: "/scheduled_events?count=20&status=active",
      row: {
        #"{"uri": "https://x.org/scheduled_events/\#($1)", "name": "\#($0)", "event_memberships": [{"user": "u"}]}"#
      }
    ) { ask in
      let size = ask.number("count", 20)
      let start = position(ask.text("page_token"))
      return """
        {"collection": \(ask.rows(start, size)), "pagination": {"count": \(shown(ask, start, size)),
         "next_page": \(ask.ifMore(start + size, ask.with("page_token", "sNjq\(start + size)"))), "previous_page": null,
         "next_page_token": \(ask.ifMore(start + size, "sNjq\(start + size)")), "previous_page_token": null}}
        """
    },
    NaturalServer(
      description: "TMDB", address: "/3/search/movie?query=row&include_adult=false",
      row: {
        #"{"adult": false, "genre_ids": [18, 53], "id": \#($1 + 550), "title": "\#($0)", "vote_average": 8.4}"#
      }
    ) { ask in
      let page = ask.number("page", 1)
      return """
        {"page": \(page), "results": \(ask.rows(page * 20 - 20, 20)), "total_pages": \(pages(ask, 20)), "total_results": \(ask.count)}
        """
    },
    NaturalServer(
      description: "Rick and Morty", address: "/api/character",
      row: {
        #"{"id": \#($1 + 1), "name": "\#($0)", "origin": {"name": "Earth", "url": ""}, "episode": ["a", "b"]}"#
      }
    ) { ask in
      let (page, start, _) = page(ask, "page", "-", 20)
      guard start < ask.count else {
        return NaturalResponse(#"{"error": "There is nothing here"}"#, status: 404)
      }
      return """
        {"info": {"count": \(ask.count), "pages": \(pages(ask, 20)), "next": \(ask.ifMore(start + 20, ask.with("page", "\(page + 1)"))),
         "prev": null}, "results": \(ask.rows(start, 20))}
        """
    },
    NaturalServer(
      description: "eBay Browse", address: "/buy/browse/v1/item_summary/search?q=row&limit=25",
      row: {
        #"{"itemId": "v1|\#($1)|0", "title": "\#($0)", "price": {"value": "5.00", "currency": "USD"}, "categories": [{"categoryId": "9"}]}"#
      }
    ) { ask in
      let (start, size) = (ask.number("offset", 0), ask.number("limit", 50))
      let next = start + size < ask.count ? #""next": "\#(ask.with("offset", "\(start + size)"))", "# : ""
      return """
        {"href": "\(ask.url)", "total": \(ask.count), \(next)"limit": \(size), "offset": \(start), "itemSummaries": \(ask.rows(start, size))}
        """
    },
    NaturalServer(
      description: "Ticketmaster", address: "/discovery/v2/events.json?keyword=row&size=20",
      row: {
        #"{"name": "\#($0)", "type": "event", "id": "vv\#($1)", "images": [{"url": "u", "width": 3}], "_links": {"self": {"href": "/e"}}}"#
      }
    ) { ask in
      let (page, start, size) = page(ask, "page", "size", 20, first: 0)
      let next =
        start + size < ask.count
        ? #", "next": {"href": "/discovery/v2/events.json?keyword=row&page=\#(page + 1)&size=\#(size)"}"# : ""
      return """
        {"_embedded": {"events": \(ask.rows(start, size))}, "_links": {"self": {"href": "/discovery/v2/events.json"}\(next)},
         "page": {"size": \(size), "totalElements": \(ask.count), "totalPages": \(pages(ask, size)), "number": \(page)}}
        """
    },
    NaturalServer(
      description: "Datadog", address: "/api/v2/logs/events?filter[query]=row&page[limit]=25",
      row: {
        #"{"id": "AwAA\#($1)", "type": "log", "attributes": {"service": "web", "message": "\#($0)", "tags": ["a"]}}"#
      }
    ) { ask in
      let size = ask.number("page[limit]", 10)
      let start = position(ask.text("page[cursor]"))
      let more = start + size < ask.count
      let next =
        more ? #", "links": {"next": "\#(ask.with("page[cursor]", "eyJzdGFy\(start + size)"))"}"# : ""
      let after = more ? #", "page": {"after": "eyJzdGFy\#(start + size)"}"# : ""
      return """
        {"data": \(ask.rows(start, size)), "meta": {"elapsed": 132, "request_id": "MWlF", "status": "done"\(after)}\(next)}
        """
    },
    NaturalServer(
      description: "Harvest", address: "/v2/time_entries?per_page=25",
      row: {
        #"{"id": \#($1 + 636), "spent_date": "2026-01-01", "client": {"id": 5, "name": "C"}, "notes": "\#($0)"}"#
      }
    ) { ask in
      let (page, start, size) = page(ask, "page", "per_page", 2_000)
      let more = start + size < ask.count
      return """
        {"time_entries": \(ask.rows(start, size)), "per_page": \(size), "total_pages": \(pages(ask, size)), "total_entries": \(ask.count),
         "next_page": \(more ? "\(page + 1)" : "null"), "previous_page": null, "page": \(page), "links": {"first": "\(ask.with("page", "1"))",
         "next": \(ask.ifMore(start + size, ask.with("page", "\(page + 1)"))), "previous": null, "last": "\(ask.with("page", "6"))"}}
        """
    },
    NaturalServer(description: "Basecamp, growing pages", address: "/195539477/projects.json") { ask in
      let page = ask.number("page", 1)
      let start = [0, 15, 45, 95][min(page, 4) - 1] + max(0, page - 4) * 100
      let size = [15, 30, 50, 100][min(page, 4) - 1]
      var headers = link(ask, start + size, "page", "\(page + 1)")
      headers["X-Total-Count"] = "\(ask.count)"
      return NaturalResponse(ask.rows(start, size), headers)
    },
    NaturalServer(description: "CircleCI, page-token", address: "/api/v2/pipeline?org-slug=gh/o") { ask in
      let start = position(ask.text("page-token"))
      return """
        {"next_page_token": \(ask.ifMore(start + 20, "AARLwwV\(start + 20)")), "items": \(ask.rows(start, 20))}
        """
    },
    NaturalServer(
      description: "crates.io", address: "/api/v1/crates?q=row&per_page=20",
      row: {
        #"{"id": "\#($0)", "name": "\#($0)", "downloads": \#($1), "versions": null, "links": {"owners": "/api/v1/crates/x/owners"}}"#
      }
    ) { ask in
      let (page, start, size) = page(ask, "page", "per_page", 10)
      return """
        {"crates": \(ask.rows(start, size)), "meta": {"next_page": \(ask.ifMore(start + size, "?q=row&per_page=\(size)&page=\(page + 1)")),
         "prev_page": null, "total": \(ask.count)}}
        """
    },
    NaturalServer(
      description: "Etherscan, the size is called offset",
      address: "/api?module=account&action=txlist&address=0xdd&page=1&offset=25&sort=asc",
      row: { #"{"blockNumber": "47\#($1)", "timeStamp": "1438948984", "hash": "0x\#($0)", "isError": "0"}"# }
    ) { ask in
      let (_, start, size) = page(ask, "page", "offset", 10_000)
      let found = start < ask.count
      return """
        {"status": "\(found ? 1 : 0)", "message": "\(found ? "OK" : "No transactions found")", "result": \(ask.rows(start, size))}
        """
    },
    NaturalServer(
      description: "Coinbase Exchange, ids in headers", address: "/products/BTC-USD/trades?limit=25",
      row: {
        #"{"trade_id": \#(9_000 - $1), "side": "sell", "size": "0.1", "price": "\#($0)", "time": "2026-01-01T00:00:00Z"}"#
      }
    ) { ask in
      let size = ask.number("limit", 100)
      let start = ask.text("after").flatMap { Int($0) }.map { 9_000 - $0 + 1 } ?? 0
      let last = min(ask.count, start + size)
      return NaturalResponse(
        ask.rows(start, size),
        last > start ? ["cb-before": "\(9_000 - start)", "cb-after": "\(9_000 - last + 1)"] : [:])
    },
    NaturalServer(
      description: "Gerrit, more is said by the last row", address: "/changes/?q=status:open&n=25",
      row: {
        #"{"id": "app~\#($1)", "_number": \#($1 + 30), "subject": "\#($0)", "owner": {"_account_id": 1}}"#
      }
    ) { ask in
      let (start, size) = (ask.number("S", ask.number("start", 0)), ask.number("n", 100))
      var rows = ask.rows(start, size)
      if start + size < ask.count { rows = String(rows.dropLast(2)) + #", "_more_changes": true}]"# }
      return NaturalResponse(")]}'\n" + rows)
    },
    NaturalServer(
      description: "Paperless, all ids before the rows",
      address: "/api/documents/?page_size=25&ordering=-added",
      row: { #"{"id": \#($1 + 1), "correspondent": 2, "title": "\#($0)", "tags": [1, 2], "notes": []}"# }
    ) { ask in
      let (page, start, size) = page(ask, "page", "page_size", 25)
      guard page <= pages(ask, size) else {
        return NaturalResponse(#"{"detail": "Invalid page."}"#, status: 404)
      }
      let all = (1...ask.count).map { "\($0)" }.joined(separator: ", ")
      return """
        {"count": \(ask.count), "next": \(ask.ifMore(start + size, ask.with("page", "\(page + 1)"))), "previous": null,
         "all": [\(all)], "results": \(ask.rows(start, size))}
        """
    },
  ]
}
