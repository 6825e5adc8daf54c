import HTTPValues
import JSON

extension NaturalServer {
  /// Servers that were written after the rules had been mended for those of `foreign`, and read after that: 24 of the 30
  /// were exact at first sight. Of the others, five could not read their own tokens, which had digits (mended here).
  static let novel: [NaturalServer] = [
    NaturalServer(description: "Panache", address: "/plants?pageSize=20&pageIndex=0") { ask in
      let (page, start, size) = page(ask, "pageIndex", "pageSize", 50, first: 0)
      return """
        {"list": \(ask.rows(start, size)), "pageIndex": \(page), "pageCount": \(pages(ask, size)), "totalRecords": \(ask.count)}
        """
    },
    NaturalServer(description: "Keysets of Spring", address: "/api/ledger/postings?size=25") { ask in
      let size = ask.number("size", 50)
      let start = position(ask.text("nextToken"))
      return """
        {"data": \(ask.rows(start, size)), "paging": {"size": \(size), "nextToken": \(ask.ifMore(start + size, "cVx\(start + size)"))}}
        """
    },
    NaturalServer(description: "Grape with Kaminari headers", address: "/api/v3/parts") { ask in
      let (page, start, size) = page(ask, "page", "per_page", 20)
      let next = start + size < ask.count ? "\(page + 1)" : ""
      return NaturalResponse(
        ask.rows(start, size),
        [
          "X-Total": "\(ask.count)", "X-Total-Pages": "\(pages(ask, size))", "X-Per-Page": "\(size)",
          "X-Page": "\(page)",
          "X-Next-Page": next, "X-Prev-Page": "", "X-Offset": "0",
        ])
    },
    NaturalServer(description: "Laravel, own names", address: "/api/v2/vendors?per_page=20") { ask in
      let (page, start, size) = page(ask, "page", "per_page", 15)
      return """
        {"success": true, "message": "OK", "data": {"vendors": \(ask.rows(start, size)), "paginator": {"total": \(ask.count),
         "perPage": \(size), "currentPage": \(page), "lastPage": \(pages(ask, size))}}}
        """
    },
    NaturalServer(description: "TypeORM, cursors", address: "/api/visits?limit=20&order=ASC") { ask in
      let size = ask.number("limit", 100)
      let start = position(ask.text("afterCursor"))
      return """
        {"data": \(ask.rows(start, size)), "cursor": {"beforeCursor": \(start > 0 ? "\"aWQ\(start)\"" : "null"),
         "afterCursor": \(ask.ifMore(start + size, "aWQ\(start + size)"))}}
        """
    },
    NaturalServer(
      description: "Express, the tours of a course", address: "/api/v1/tours?limit=20&fields=name",
      row: { #"{"_id": "5c88\#($1)", "name": "\#($0)", "id": "5c88\#($1)"}"# }
    ) { ask in
      let (_, start, size) = page(ask, "page", "limit", 100)
      return """
        {"status": "success", "requestedAt": "2026-01-01T00:00:00.000Z", "results": \(shown(ask, start, size)),
         "data": {"tours": \(ask.rows(start, size))}}
        """
    },
    NaturalServer(
      description: "OData 2",
      address: "/sap/opu/odata/sap/SRV/Orders?$top=25&$inlinecount=allpages&$format=json",
      row: {
        #"{"__metadata": {"id": "x", "uri": "u", "type": "SRV.Order"}, "OrderID": "\#($1 + 70)", "Customer": "\#($0)"}"#
      }
    ) { ask in
      let (start, size) = (ask.number("$skip", 0), ask.number("$top", 1_000))
      return NaturalResponse(#"{"d": {"__count": "\#(ask.count)", "results": \#(ask.rows(start, size))}}"#)
    },
    NaturalServer(
      description: "A paginated list of clean architecture", address: "/api/TodoItems?ListId=1&PageSize=20"
    ) {
      ask in
      let (page, start, size) = page(ask, "PageNumber", "PageSize", 10)
      return """
        {"items": \(ask.rows(start, size)), "pageNumber": \(page), "totalPages": \(pages(ask, size)), "totalCount": \(ask.count),
         "hasPreviousPage": \(page > 1), "hasNextPage": \(start + size < ask.count)}
        """
    },
    NaturalServer(description: "Echo, an id to begin at", address: "/v1/accounts?limit=25") { ask in
      let size = ask.number("limit", 25)
      let start = position(ask.text("from_id"))
      return """
        {"accounts": \(ask.rows(start, size)), "next_id": \(ask.ifMore(start + size, "acc_\(start + size)"))}
        """
    },
    NaturalServer(description: "Phoenix with Flop", address: "/api/pets?page_size=20") { ask in
      let (page, start, size) = page(ask, "page", "page_size", 50)
      let more = start + size < ask.count
      return """
        {"data": \(ask.rows(start, size)), "meta": {"current_offset": \(start), "current_page": \(page), "errors": [], "has_next_page?": \(more),
         "has_previous_page?": \(page > 1), "next_page": \(more ? "\(page + 1)" : "null"), "page_size": \(size), "total_count": \(ask.count),
         "total_pages": \(pages(ask, size))}}
        """
    },
    NaturalServer(description: "Ecto, a paginator", address: "/api/payouts?limit=20") { ask in
      let size = ask.number("limit", 50)
      let start = position(ask.text("after"))
      return """
        {"entries": \(ask.rows(start, size)), "metadata": {"after": \(ask.ifMore(start + size, "gQAAAAB\(start + size)=")), "before": null,
         "limit": \(size), "total_count": \(ask.count), "total_count_cap_exceeded": false}}
        """
    },
    NaturalServer(
      description: "GraphQL, an input object",
      address: """
        curl BASE/graphql -H 'Content-Type: application/json' -d '{"query": "query S($input: SearchInput!) { search(input: $input) { \
        total results { id title } } }", "variables": {"input": {"text": "row", "page": 1, "size": 20}}}'
        """,
      row: { #"{"id": "\#($1)", "title": "\#($0)"}"# }
    ) { ask in
      let input = ask.body?.root["variables"]?["input"]
      let page = max(1, input?["page"]?.text.flatMap { Int($0) } ?? 1)
      let size = input?["size"]?.text.flatMap { Int($0) } ?? 10
      return """
        {"data": {"search": {"total": \(ask.count), "results": \(ask.rows((page - 1) * size, size))}}}
        """
    },
    NaturalServer(description: "Axum, a page with a cursor", address: "/v1/sensors?limit=25") { ask in
      let size = ask.number("limit", 50)
      let start = position(ask.text("cursor"))
      return """
        {"data": \(ask.rows(start, size)), "page": {"cursor": \(ask.ifMore(start + size, "HQ\(start + size)")), "hasMore": \(start + size < ask.count)}}
        """
    },
    NaturalServer(description: "Play, pages from 0", address: "/computers?p=0&s=name") { ask in
      let page = ask.number("p", 0)
      let next = page * 10 + 10 < ask.count ? "\(page + 1)" : "null"
      return """
        {"items": \(ask.rows(page * 10, 10)), "page": \(page), "offset": \(page * 10), "total": \(ask.count), "prev": null, "next": \(next)}
        """
    },
    NaturalServer(description: "An own API in Spanish", address: "/api/clientes?pagina=1&registros=20") {
      ask in
      let (page, start, size) = page(ask, "pagina", "registros", 10)
      return """
        {"datos": \(ask.rows(start, size)), "pagina": \(page), "totalPaginas": \(pages(ask, size)), "totalRegistros": \(ask.count)}
        """
    },
    NaturalServer(
      description: "An own wrapper of pages", address: "/gateway/catalog/products?pageNo=1&pageSize=20"
    ) { ask in
      let (page, start, size) = page(ask, "pageNo", "pageSize", 10)
      return """
        {"success": true, "errorCode": null, "result": {"pageNo": \(page), "pageSize": \(size), "totalRecord": \(ask.count),
         "totalPage": \(pages(ask, size)), "rows": \(ask.rows(start, size))}, "timestamp": 1767225600000}
        """
    },
    NaturalServer(
      description: "Bitly", address: "/v4/groups/g/bitlinks?size=25",
      row: {
        #"{"id": "bit.ly/\#($1)", "title": "\#($0)", "tags": [], "references": {"group": "https://x.org/g"}}"#
      }
    ) { ask in
      let size = ask.number("size", 50)
      let start = position(ask.text("search_after"))
      return """
        {"links": \(ask.rows(start, size)), "pagination": {"next": \(ask.ifMore(start + size, ask.with("search_after", "MTY\(start + size)"), else: "\"\"")),
         "search_after": \(ask.ifMore(start + size, "MTY\(start + size)", else: "\"\"")), "size": \(size), "total": \(ask.count)}}
        """
    },
    NaturalServer(
      description: "Podio",
      address: """
        curl BASE/item/app/1/filter/ -H 'Content-Type: application/json' -d '{"limit": 20, "sort_desc": true, "filters": {}}'
        """,
      row: {
        #"{"item_id": \#($1 + 90), "title": "\#($0)", "fields": [{"type": "text"}], "app": {"app_id": 1}}"#
      }
    ) { ask in
      let (start, size) = (ask.number("offset", 0), ask.number("limit", 20))
      return """
        {"total": \(ask.count + 40), "filtered": \(ask.count), "items": \(ask.rows(start, size))}
        """
    },
    NaturalServer(
      description: "SoundCloud", address: "/tracks?q=row&limit=25&linked_partitioning=true",
      row: { #"{"kind": "track", "id": \#($1 + 8), "title": "\#($0)", "user": {"id": 1, "username": "u"}}"# }
    ) { ask in
      let (start, size) = (ask.number("offset", 0), ask.number("limit", 50))
      return """
        {"collection": \(ask.rows(start, size)), "next_href": \(ask.ifMore(start + size, ask.with("offset", "\(start + size)")))}
        """
    },
    NaturalServer(
      description: "Deezer", address: "/search?q=row&limit=25",
      row: { #"{"id": \#($1 + 31), "readable": true, "title": "\#($0)", "artist": {"id": 2, "name": "A"}}"# }
    ) { ask in
      let (start, size) = (ask.number("index", 0), ask.number("limit", 25))
      let next = start + size < ask.count ? #", "next": "\#(ask.with("index", "\(start + size)"))""# : ""
      return NaturalResponse(#"{"data": \#(ask.rows(start, size)), "total": \#(ask.count)\#(next)}"#)
    },
    NaturalServer(description: "TVmaze, not found behind the end", address: "/shows?page=0", count: 437) {
      ask in
      let start = ask.number("page", 0) * 100
      if start >= ask.count {
        return NaturalResponse(#"{"name": "Not Found", "code": 0, "status": 404}"#, status: 404)
      }
      return NaturalResponse(ask.rows(start, 100))
    },
    NaturalServer(
      description: "NVD", address: "/rest/json/cves/2.0?keywordSearch=row&resultsPerPage=20",
      row: {
        #"{"cve": {"id": "CVE-2026-\#($1)", "sourceIdentifier": "\#($0)", "descriptions": [{"lang": "en"}]}}"#
      }
    ) { ask in
      let (start, size) = (ask.number("startIndex", 0), ask.number("resultsPerPage", 2_000))
      return """
        {"resultsPerPage": \(shown(ask, start, size)), "startIndex": \(start), "totalResults": \(ask.count), "format": "NVD_CVE",
         "version": "2.0", "timestamp": "2026-01-01T00:00:00.000", "vulnerabilities": \(ask.rows(start, size))}
        """
    },
    NaturalServer(
      description: "ClinicalTrials", address: "/api/v2/studies?query.term=row&pageSize=20",
      row: {
        #"{"protocolSection": {"identificationModule": {"nctId": "NCT\#($1)", "briefTitle": "\#($0)"}}, "hasResults": false}"#
      }
    ) { ask in
      let size = ask.number("pageSize", 10)
      let start = position(ask.text("pageToken"))
      let more = start + size < ask.count ? #", "nextPageToken": "ZVNj\#(start + size)""# : ""
      return NaturalResponse(#"{"studies": \#(ask.rows(start, size))\#(more)}"#)
    },
    NaturalServer(
      description: "OpenAQ", address: "/v3/locations?limit=25",
      row: {
        #"{"id": \#($1 + 2), "name": "\#($0)", "country": {"id": 1, "code": "GH"}, "sensors": [{"id": 6}]}"#
      }
    ) { ask in
      let (page, start, size) = page(ask, "page", "limit", 100)
      let found = start + size < ask.count ? "\">\(size)\"" : "\(ask.count)"
      return """
        {"meta": {"name": "openaq-api", "website": "/", "page": \(page), "limit": \(size), "found": \(found)}, "results": \(ask.rows(start, size))}
        """
    },
    NaturalServer(
      description: "GitBook", address: "/v1/orgs/o/spaces?limit=25",
      row: { #"{"object": "space", "id": "s\#($1)", "title": "\#($0)", "urls": {"app": "https://x.org/s"}}"# }
    ) { ask in
      let size = ask.number("limit", 50)
      let start = position(ask.text("page"))
      let next = start + size < ask.count ? #""next": {"page": "aGk\#(start + size)"}, "# : ""
      return NaturalResponse(#"{\#(next)"items": \#(ask.rows(start, size)), "count": \#(ask.count)}"#)
    },
    NaturalServer(description: "Zammad", address: "/api/v1/users?per_page=25&expand=true") { ask in
      let (_, start, size) = page(ask, "page", "per_page", 100)
      return NaturalResponse(ask.rows(start, size))
    },
    NaturalServer(
      description: "MangaDex", address: "/manga?title=row&limit=20&includes[]=author",
      row: {
        #"{"id": "32d-\#($1)", "type": "manga", "attributes": {"title": {"en": "\#($0)"}}, "relationships": [{"id": "a"}]}"#
      }
    ) { ask in
      let (start, size) = (ask.number("offset", 0), ask.number("limit", 10))
      return """
        {"result": "ok", "response": "collection", "data": \(ask.rows(start, size)), "limit": \(size), "offset": \(start), "total": \(ask.count)}
        """
    },
    NaturalServer(
      description: "Jikan", address: "/v4/anime?q=row&limit=20",
      row: {
        #"{"mal_id": \#($1 + 20), "url": "https://x.org/a/\#($1)", "title": "\#($0)", "genres": [{"mal_id": 1}]}"#
      }
    ) { ask in
      let (page, start, size) = page(ask, "page", "limit", 25)
      return """
        {"pagination": {"last_visible_page": \(pages(ask, size)), "has_next_page": \(start + size < ask.count), "current_page": \(page),
         "items": {"count": \(shown(ask, start, size)), "total": \(ask.count), "per_page": \(size)}}, "data": \(ask.rows(start, size))}
        """
    },
    NaturalServer(
      description: "Metabase", address: "/api/search?q=row&models=card&limit=20",
      row: { #"{"id": \#($1 + 1), "name": "\#($0)", "model": "card", "collection": {"id": 2, "name": "C"}}"# }
    ) { ask in
      let (start, size) = (ask.number("offset", 0), ask.number("limit", 50))
      return """
        {"total": \(ask.count), "data": \(ask.rows(start, size)), "models": ["card"], "available_models": ["card", "dashboard", "table"],
         "limit": \(size), "offset": \(start), "table_db_id": null, "engine": "search.engine/in-place"}
        """
    },
    NaturalServer(
      description: "Lago", address: "/api/v1/customers?per_page=20",
      row: {
        #"{"lago_id": "1a9-\#($1)", "external_id": "e\#($1)", "name": "\#($0)", "billing": {"vat_rate": 12.5}}"#
      }
    ) { ask in
      let (page, start, size) = page(ask, "page", "per_page", 100)
      return """
        {"customers": \(ask.rows(start, size)), "meta": {"current_page": \(page), "next_page": \(start + size < ask.count ? "\(page + 1)" : "null"),
         "prev_page": null, "total_pages": \(pages(ask, size)), "total_count": \(ask.count)}}
        """
    },
  ]
}
