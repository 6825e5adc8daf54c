import HTTPValues
import JSON

/// More servers that the rules of detection were not written for, with names as a company's own service has them.
extension NaturalServer {
  /// The number of rows on a page.
  static func shown(_ ask: NaturalRequest, _ start: Int, _ size: Int) -> Int {
    max(0, min(size, ask.count - start))
  }

  /// 30 of the 40 were exact at first sight, and one was wrong and sure.
  static let house: [NaturalServer] = [
    NaturalServer(
      description: "Square, a search of orders",
      address: """
        curl BASE/v2/orders/search -H 'Content-Type: application/json' -d '{"location_ids": ["L1", "L2"], "limit": 25, \
        "query": {"sort": {"sort_field": "CREATED_AT", "sort_order": "DESC"}}}'
        """,
      row: {
        #"{"id": "CAIS\#($1)", "location_id": "L1", "state": "OPEN", "reference_id": "\#($0)", "version": 3}"#
      }
    ) { ask in
      let size = ask.number("limit", 500)
      let start = position(ask.text("cursor"))
      let more = start + size < ask.count ? #", "cursor": "tok\#(start + size)""# : ""
      return NaturalResponse(#"{"orders": \#(ask.rows(start, size))\#(more)}"#)
    },
    NaturalServer(
      description: "Strapi", address: "/api/articles?pagination[pageSize]=20&sort=title",
      row: { #"{"id": \#($1 + 3), "documentId": "d\#($1)", "title": "\#($0)", "locale": "en"}"# }
    ) { ask in
      let (page, start, size) = page(ask, "pagination[page]", "pagination[pageSize]", 25)
      return """
        {"data": \(ask.rows(start, size)), "meta": {"pagination": {"page": \(page), "pageSize": \(size),
         "pageCount": \(pages(ask, size)), "total": \(ask.count)}}}
        """
    },
    NaturalServer(
      description: "Directus", address: "/items/articles?limit=20&meta=filter_count&fields=id,name"
    ) {
      ask in
      let start = ask.number("offset", 0) + (ask.number("page", 1) - 1) * ask.number("limit", 100)
      return """
        {"meta": {"filter_count": \(ask.count)}, "data": \(ask.rows(start, ask.number("limit", 100)))}
        """
    },
    NaturalServer(
      description: "Firestore", address: "/v1/projects/p/databases/main/documents/cities?pageSize=30",
      row: {
        """
        {"name": "projects/p/databases/main/documents/cities/c\($1)", "fields": {"title": {"stringValue": "\($0)"},
         "size": {"integerValue": "\($1)"}}, "createTime": "2026-01-01T00:00:00.1Z", "updateTime": "2026-01-01T00:00:00.1Z"}
        """
      }
    ) { ask in
      let size = ask.number("pageSize", 20)
      let start = position(ask.text("pageToken"))
      let more = start + size < ask.count ? #", "nextPageToken": "AFTOeJ\#(start + size)""# : ""
      return NaturalResponse(#"{"documents": \#(ask.rows(start, size))\#(more)}"#)
    },
    NaturalServer(description: "Zoom", address: "/v2/users?status=active&page_size=30") { ask in
      let size = ask.number("page_size", 30)
      let start = position(ask.text("next_page_token"))
      return """
        {"page_count": \(pages(ask, size)), "page_number": 1, "page_size": \(size), "total_records": \(ask.count),
         "next_page_token": \(ask.ifMore(start + size, "tok\(start + size)", else: "\"\"")), "users": \(ask.rows(start, size))}
        """
    },
    NaturalServer(
      description: "ClickUp", address: "/api/v2/list/901/task?archived=false",
      row: {
        """
        {"id": "86\($1)", "name": "\($0)", "status": {"status": "open", "color": "#d3d3d3"}, "assignees": [{"id": 1, "username": "A"}],
         "tags": [], "list": {"id": "901", "name": "L"}, "url": "https://x.org/t/86\($1)"}
        """
      }
    ) { ask in
      let start = ask.number("page", 0) * 50
      return NaturalResponse(#"{"tasks": \#(ask.rows(start, 50)), "last_page": \#(start + 50 >= ask.count)}"#)
    },
    NaturalServer(description: "Socrata", address: "/resource/erm2-nwe9.json?$limit=20&$order=:id") { ask in
      NaturalResponse(ask.rows(ask.number("$offset", 0), ask.number("$limit", 1_000)))
    },
    NaturalServer(
      description: "ArcGIS",
      address:
        "/arcgis/rest/services/Parks/FeatureServer/0/query?where=1%3D1&outFields=*&f=json&resultRecordCount=30",
      row: {
        #"{"attributes": {"OBJECTID": \#($1 + 1), "NAME": "\#($0)"}, "geometry": {"x": 1.5, "y": 2.5}}"#
      }
    ) { ask in
      let (start, size) = (ask.number("resultOffset", 0), ask.number("resultRecordCount", 2_000))
      let more = start + size < ask.count ? #""exceededTransferLimit": true, "# : ""
      return """
        {"objectIdFieldName": "OBJECTID", "uniqueIdField": {"name": "OBJECTID", "isSystemMaintained": true}, "globalIdFieldName": "",
         "geometryType": "esriGeometryPoint", "spatialReference": {"wkid": 4326, "latestWkid": 4326},
         "fields": [{"name": "OBJECTID", "type": "esriFieldTypeOID", "alias": "OBJECTID"},
         {"name": "NAME", "type": "esriFieldTypeString", "alias": "NAME"}], \(more)"features": \(ask.rows(start, size))}
        """
    },
    NaturalServer(
      description: "NCBI, ids only",
      address: "/entrez/eutils/esearch.fcgi?db=pubmed&term=row&retmode=json&retmax=20",
      row: { name, _ in #""\#(name)""# }
    ) { ask in
      let (start, size) = (ask.number("retstart", 0), ask.number("retmax", 20))
      return """
        {"header": {"type": "esearch", "version": "0.3"}, "esearchresult": {"count": "\(ask.count)", "retmax": "\(shown(ask, start, size))",
         "retstart": "\(start)", "idlist": \(ask.rows(start, size)), "translationset": [{"from": "row", "to": "\\"row\\"[MeSH]"}],
         "querytranslation": "\\"row\\"[MeSH]"}}
        """
    },
    NaturalServer(
      description: "Crossref, a deep cursor", address: "/works?filter=has-orcid:true&rows=20&cursor=*",
      row: { #"{"DOI": "10.1/\#($1)", "title": ["\#($0)"], "type": "journal-article"}"# }
    ) { ask in
      let size = ask.number("rows", 20)
      let start = position(ask.text("cursor"))
      return """
        {"status": "ok", "message-type": "work-list", "message": {"facets": {}, "next-cursor": "DnFuZXJ\(min(ask.count, start + size))==",
         "total-results": \(ask.count), "items": \(ask.rows(start, size)), "items-per-page": \(size),
         "query": {"start-index": 0, "search-terms": null}}}
        """
    },
    NaturalServer(
      description: "CouchDB, a bookmark",
      address: """
        curl BASE/books/_find -H 'Content-Type: application/json' -d '{"selector": {"year": {"$gt": 1900}}, "limit": 25}'
        """,
      row: { #"{"_id": "b\#($1)", "_rev": "1-9\#($1)", "title": "\#($0)", "year": 1950}"# }
    ) { ask in
      let size = ask.number("limit", 25)
      let start = position(ask.text("bookmark"))
      return """
        {"docs": \(ask.rows(start, size)), "bookmark": "gxAAAA\(min(ask.count, start + size))", "warning": "No matching index found"}
        """
    },
    NaturalServer(
      description: "Qdrant, scroll",
      address: """
        curl BASE/collections/c/points/scroll -H 'Content-Type: application/json' -d '{"limit": 25, "with_payload": true}'
        """,
      row: { #"{"id": \#($1), "payload": {"title": "\#($0)", "color": "red"}, "vector": null}"# }
    ) { ask in
      let (start, size) = (ask.number("offset", 0), ask.number("limit", 10))
      return """
        {"result": {"points": \(ask.rows(start, size)), "next_page_offset": \(start + size < ask.count ? "\(start + size)" : "null")},
         "status": "ok", "time": 0.0004}
        """
    },
    NaturalServer(
      description: "OpenAI, files", address: "/v1/files?limit=20&order=desc",
      row: {
        #"{"id": "file-\#($1 + 1_000)", "object": "file", "bytes": 120, "filename": "\#($0)", "purpose": "batch"}"#
      }
    ) { ask in
      let size = ask.number("limit", 20)
      let start = ask.text("after").map { position($0) - 1_000 + 1 } ?? 0
      return """
        {"object": "list", "data": \(ask.rows(start, size)), "first_id": "file-\(start + 1_000)",
         "last_id": "file-\(min(ask.count, start + size) - 1 + 1_000)", "has_more": \(start + size < ask.count)}
        """
    },
    NaturalServer(description: "Cloudflare", address: "/client/v4/zones?per_page=20&status=active") { ask in
      let (page, start, size) = page(ask, "page", "per_page", 20)
      return """
        {"result": \(ask.rows(start, size)), "success": true, "errors": [], "messages": [{"code": 1000, "message": "a notice"}],
         "result_info": {"page": \(page), "per_page": \(size), "total_pages": \(pages(ask, size)), "count": \(shown(ask, start, size)),
         "total_count": \(ask.count)}}
        """
    },
    NaturalServer(
      description: "DigitalOcean", address: "/v2/droplets?per_page=20",
      row: {
        """
        {"id": \($1 + 3_000), "name": "\($0)", "memory": 1024, "features": ["ipv6", "backups"], "networks": {"v4": [{"ip_address": "10.0.0.1"}]}}
        """
      }
    ) { ask in
      let (page, start, size) = page(ask, "page", "per_page", 20)
      let links =
        start + size < ask.count
        ? #""pages": {"last": "\#(ask.with("page", "\(pages(ask, size))"))", "next": "\#(ask.with("page", "\(page + 1)"))"}"#
        : ""
      return NaturalResponse(
        #"{"droplets": \#(ask.rows(start, size)), "links": {\#(links)}, "meta": {"total": \#(ask.count)}}"#)
    },
    NaturalServer(
      description: "Vercel, times", address: "/v6/deployments?limit=20&state=READY",
      row: {
        #"{"uid": "dpl_\#($1)", "name": "\#($0)", "created": \#(1_700_000_900 - $1 * 60), "state": "READY"}"#
      }
    ) { ask in
      let size = ask.number("limit", 20)
      let start = ask.text("until").flatMap { Int($0) }.map { (1_700_000_900 - $0) / 60 + 1 } ?? 0
      let next = start + size < ask.count ? "\(1_700_000_900 - (start + size - 1) * 60)" : "null"
      return """
        {"deployments": \(ask.rows(start, size)), "pagination": {"count": \(shown(ask, start, size)), "next": \(next),
         "prev": \(1_700_000_900 - start * 60)}}
        """
    },
    NaturalServer(
      description: "Travis", address: "/repos?limit=25&sort_by=name",
      row: {
        #"{"@type": "repository", "@href": "/repo/\#($1)", "id": \#($1 + 9), "name": "\#($0)", "active": true}"#
      }
    ) { ask in
      let (start, size) = (ask.number("offset", 0), ask.number("limit", 100))
      let next =
        start + size < ask.count
        ? #"{"@href": "/repos?limit=\#(size)&sort_by=name&offset=\#(start + size)", "offset": \#(start + size), "limit": \#(size)}"#
        : "null"
      return """
        {"@type": "repositories", "@href": "/repos", "@representation": "standard", "@pagination": {"limit": \(size), "offset": \(start),
         "count": \(ask.count), "is_first": \(start == 0), "is_last": \(start + size >= ask.count), "next": \(next), "prev": null,
         "first": {"@href": "/repos?limit=25&sort_by=name", "offset": 0, "limit": 25}, "last": {"@href": "/repos?offset=125", "offset": 125, "limit": 25}},
         "repositories": \(ask.rows(start, size))}
        """
    },
    NaturalServer(
      description: "TeamCity, a place in a locator", address: "/app/rest/builds?locator=count:25",
      row: {
        #"{"id": \#($1 + 9), "number": "\#($1)", "status": "SUCCESS", "branchName": "\#($0)", "href": "/app/rest/builds/id:\#($1)"}"#
      }
    ) { ask in
      let start =
        ask.text("locator").flatMap { $0.firstMatch(of: /start:(\d+)/) }.flatMap { Int($0.1) } ?? 0
      let next =
        start + 25 < ask.count
        ? #""nextHref": "/app/rest/builds?locator=count:25,start:\#(start + 25)", "# : ""
      return """
        {"count": \(shown(ask, start, 25)), "href": "/app/rest/builds?locator=count:25", \(next)"build": \(ask.rows(start, 25))}
        """
    },
    NaturalServer(
      description: "Segment, dotted names", address: "/sources?pagination.count=20",
      row: {
        #"{"id": "qQ\#($1)", "slug": "\#($0)", "enabled": true, "metadata": {"id": "1", "categories": ["a", "b"]}}"#
      }
    ) { ask in
      let size = ask.number("pagination.count", 10)
      let start = position(ask.text("pagination.cursor"))
      let next = start + size < ask.count ? #", "next": "MQ\#(start + size)==""# : ""
      return """
        {"data": {"sources": \(ask.rows(start, size)), "pagination": {"current": "MQ\(start)==", "totalEntries": \(ask.count)\(next)}}}
        """
    },
    NaturalServer(
      description: "Plaid, options in the body",
      address: """
        curl BASE/transactions/get -H 'Content-Type: application/json' -d '{"client_id": "c", "start_date": "2026-01-01", \
        "end_date": "2026-02-01", "options": {"count": 50, "offset": 0}}'
        """,
      row: {
        #"{"transaction_id": "lPN\#($1)", "account_id": "BxB", "amount": 28.34, "name": "\#($0)", "category": ["Food"]}"#
      }
    ) { ask in
      let options = ask.body?.root["options"]
      let start = options?["offset"]?.text.flatMap { Int($0) } ?? 0
      let size = options?["count"]?.text.flatMap { Int($0) } ?? 100
      let accounts = (0..<3).map { #"{"account_id": "B\#($0)", "name": "Checking", "mask": "000\#($0)"}"# }
      return """
        {"accounts": [\(accounts.joined(separator: ", "))], "transactions": \(ask.rows(start, size)),
         "total_transactions": \(ask.count), "item": {"item_id": "e", "billed_products": ["a", "b"]}, "request_id": "45QSn"}
        """
    },
    NaturalServer(description: "BigCommerce", address: "/stores/h/v3/catalog/products?limit=20") { ask in
      let (page, start, size) = page(ask, "page", "limit", 50)
      let next = start + size < ask.count ? #""next": "?page=\#(page + 1)&limit=\#(size)", "# : ""
      return """
        {"data": \(ask.rows(start, size)), "meta": {"pagination": {"total": \(ask.count), "count": \(shown(ask, start, size)),
         "per_page": \(size), "current_page": \(page), "total_pages": \(pages(ask, size)),
         "links": {\(next)"current": "?page=\(page)&limit=\(size)"}, "too_many": false}}}
        """
    },
    NaturalServer(
      description: "Magento, the last page again",
      address: "/rest/V1/products?searchCriteria[pageSize]=20",
      row: {
        """
        {"id": \($1 + 1), "sku": "24-MB\($1)", "name": "\($0)", "status": 1, "custom_attributes": [{"attribute_code": "color", "value": "7"}]}
        """
      }
    ) { ask in
      let size = ask.number("searchCriteria[pageSize]", 20)
      let page = min(pages(ask, size), ask.number("searchCriteria[currentPage]", 1))
      return """
        {"items": \(ask.rows((page - 1) * size, size)), "search_criteria": {"filter_groups": [], "page_size": \(size), "current_page": \(page)},
         "total_count": \(ask.count)}
        """
    },
    NaturalServer(
      description: "Recurly, a path", address: "/accounts?limit=20&order=asc",
      row: { #"{"id": "h\#($1)", "object": "account", "code": "\#($0)", "state": "active"}"# }
    ) { ask in
      let size = ask.number("limit", 20)
      let start = position(ask.text("cursor"))
      let next = ask.ifMore(start + size, "/accounts?cursor=tok\(start + size)&limit=\(size)&order=asc")
      return """
        {"object": "list", "has_more": \(start + size < ask.count), "next": \(next), "data": \(ask.rows(start, size))}
        """
    },
    NaturalServer(
      description: "Chargebee, a list as the offset", address: "/api/v2/customers?limit=25",
      row: {
        #"{"customer": {"id": "c\#($1)", "first_name": "\#($0)", "auto_collection": "on", "object": "customer"}}"#
      }
    ) { ask in
      let size = ask.number("limit", 10)
      let start = position(ask.text("offset"))
      let next = start + size < ask.count ? #", "next_offset": "[\"\#(start + size)\",\"\"]""# : ""
      return NaturalResponse(#"{"list": \#(ask.rows(start, size))\#(next)}"#)
    },
    NaturalServer(
      description: "GoCardless", address: "/payments?limit=25",
      row: {
        #"{"id": "PM\#($1)", "amount": 100, "currency": "GBP", "description": "\#($0)", "links": {"mandate": "MD1"}}"#
      }
    ) { ask in
      let size = ask.number("limit", 50)
      let start = position(ask.text("after"))
      return """
        {"meta": {"cursors": {"before": null, "after": \(ask.ifMore(start + size, "ID\(start + size)"))}, "limit": \(size)},
         "payments": \(ask.rows(start, size))}
        """
    },
    NaturalServer(
      description: "The Guardian", address: "/search?q=row&page-size=20&show-tags=keyword",
      row: {
        """
        {"id": "world/\($1)", "type": "article", "sectionId": "world", "webTitle": "\($0)", "tags": [{"id": "a/b", "type": "keyword"}]}
        """
      }
    ) { ask in
      let (page, start, size) = page(ask, "page", "page-size", 10)
      if page > pages(ask, size) {
        return NaturalResponse(
          #"{"response": {"status": "error", "message": "requested page is beyond the number of available pages"}}"#,
          status: 400)
      }
      return """
        {"response": {"status": "ok", "userTier": "developer", "total": \(ask.count), "startIndex": \(start + 1), "pageSize": \(size),
         "currentPage": \(page), "pages": \(pages(ask, size)), "orderBy": "relevance", "results": \(ask.rows(start, size))}}
        """
    },
    NaturalServer(
      description: "The New York Times", address: "/svc/search/v2/articlesearch.json?q=row",
      row: {
        """
        {"_id": "nyt://a/\($1)", "snippet": "words", "headline": {"main": "\($0)"}, "keywords": [{"name": "a", "value": "b"}],
         "multimedia": []}
        """
      }
    ) { ask in
      let start = ask.number("page", 0) * 10
      return """
        {"status": "OK", "copyright": "Copyright (c) 2026", "response": {"docs": \(ask.rows(start, 10)),
         "meta": {"hits": \(ask.count), "offset": \(start), "time": 21}}}
        """
    },
    NaturalServer(
      description: "World Bank, the page before the rows", address: "/v2/country?format=json&per_page=25",
      row: {
        #"{"id": "A\#($1)", "iso2Code": "AW", "name": "\#($0)", "region": {"id": "LCN", "value": "Latin America"}}"#
      }
    ) { ask in
      let (page, start, size) = page(ask, "page", "per_page", 50)
      return """
        [{"page": \(page), "pages": \(pages(ask, size)), "per_page": "\(size)", "total": \(ask.count)}, \(ask.rows(start, size))]
        """
    },
    NaturalServer(
      description: "openFDA", address: "/drug/label.json?search=row&limit=20",
      row: {
        #"{"id": "f\#($1)", "set_id": "s\#($1)", "purpose": ["\#($0)"], "openfda": {"brand_name": ["X"]}}"#
      }
    ) { ask in
      let (start, size) = (ask.number("skip", 0), ask.number("limit", 1))
      if start >= ask.count {
        return NaturalResponse(
          #"{"error": {"code": "NOT_FOUND", "message": "No matches found!"}}"#, status: 404)
      }
      return """
        {"meta": {"disclaimer": "Do not rely on it.", "terms": "https://x.org/terms/", "license": "https://x.org/license/",
         "last_updated": "2026-01-01", "results": {"skip": \(start), "limit": \(size), "total": \(ask.count)}},
         "results": \(ask.rows(start, size))}
        """
    },
    NaturalServer(
      description: "USGS, offsets from 1", address: "/fdsnws/event/1/query?format=geojson&limit=20",
      row: {
        """
        {"type": "Feature", "properties": {"mag": 1.2, "place": "\($0)", "time": \(1_700_000_000 - $1)},
         "geometry": {"type": "Point", "coordinates": [1, 2, 3]}, "id": "us\($1)"}
        """
      }
    ) { ask in
      let offset = ask.number("offset", 1)
      if offset < 1 { return NaturalResponse("Error 400: Bad Request", status: 400) }
      let size = ask.number("limit", 20_000)
      return """
        {"type": "FeatureCollection", "metadata": {"generated": 1700000000000, "url": "\(ask.url)", "title": "USGS Earthquakes",
         "status": 200, "api": "1.14.1", "limit": \(size), "offset": \(offset), "count": \(shown(ask, offset - 1, size))},
         "features": \(ask.rows(offset - 1, size))}
        """
    },
    NaturalServer(description: "Twitch", address: "/helix/streams?first=20&language=en") { ask in
      let size = ask.number("first", 20)
      let start = position(ask.text("after"))
      let cursor = start + size < ask.count ? #""cursor": "eyJiIjp\#(start + size)""# : ""
      return NaturalResponse(#"{"data": \#(ask.rows(start, size)), "pagination": {\#(cursor)}}"#)
    },
    NaturalServer(
      description: "Google Custom Search", address: "/customsearch/v1?q=row&num=10&cx=1", count: 87,
      row: {
        #"{"kind": "customsearch#result", "title": "\#($0)", "link": "https://x.org/\#($1)", "displayLink": "x.org"}"#
      }
    ) { ask in
      let (start, size) = (ask.number("start", 1), ask.number("num", 10))
      if start < 1 || start + size > 101 {
        return NaturalResponse(#"{"error": {"code": 400, "message": "Invalid Value"}}"#, status: 400)
      }
      let next =
        start - 1 + size < ask.count
        ? #", "nextPage": [{"title": "row", "count": 10, "startIndex": \#(start + size), "searchTerms": "row"}]"#
        : ""
      return """
        {"kind": "customsearch#search", "url": {"type": "application/json", "template": "https://x.org/customsearch/v1?q={searchTerms}"},
         "queries": {"request": [{"title": "row", "totalResults": "\(ask.count)", "count": 10, "startIndex": \(start)}]\(next)},
         "searchInformation": {"searchTime": 0.2, "totalResults": "\(ask.count)"}, "items": \(ask.rows(start - 1, size))}
        """
    },
    NaturalServer(
      description: "Flickr",
      address:
        "/services/rest/?method=flickr.photos.search&format=json&nojsoncallback=1&per_page=25&text=row",
      row: {
        #"{"id": "5\#($1)", "owner": "77@N05", "secret": "s\#($1)", "farm": 66, "title": "\#($0)", "ispublic": 1}"#
      }
    ) { ask in
      let (page, start, size) = page(ask, "page", "per_page", 100)
      return """
        {"photos": {"page": \(page), "pages": \(pages(ask, size)), "perpage": \(size), "total": \(ask.count),
         "photo": \(ask.rows(start, size))}, "stat": "ok"}
        """
    },
    NaturalServer(
      description: "Bluesky", address: "/xrpc/app.bsky.actor.searchActors?q=row&limit=25",
      row: {
        #"{"did": "did:plc:\#($1)", "handle": "\#($0).bsky.social", "labels": [], "viewer": {"muted": false}}"#
      }
    ) { ask in
      let size = ask.number("limit", 25)
      let start = position(ask.text("cursor"))
      let more = start + size < ask.count ? #""cursor": "\#(start + size)", "# : ""
      return NaturalResponse(#"{\#(more)"actors": \#(ask.rows(start, size))}"#)
    },
    NaturalServer(
      description: "Clockify, Last-Page", address: "/api/v1/workspaces/w/projects?page-size=25&archived=false"
    ) { ask in
      let (_, start, size) = page(ask, "page", "page-size", 50)
      return NaturalResponse(ask.rows(start, size), ["Last-Page": "\(start + size >= ask.count)"])
    },
    NaturalServer(description: "Close", address: "/api/v1/lead/?_limit=20&query=row") { ask in
      let (start, size) = (ask.number("_skip", 0), ask.number("_limit", 100))
      return """
        {"has_more": \(start + size < ask.count), "total_results": \(ask.count), "data": \(ask.rows(start, size))}
        """
    },
    NaturalServer(
      description: "Help Scout, pages from 1 in HAL", address: "/v2/conversations?status=active",
      row: {
        """
        {"id": \($1 + 9), "number": \($1), "subject": "\($0)", "tags": [{"id": 1, "tag": "a"}],
         "_links": {"self": {"href": "https://x.org/v2/conversations/\($1)"}}}
        """
      }
    ) { ask in
      let (page, start, size) = page(ask, "page", "none", 25)
      let next = start + size < ask.count ? #""next": {"href": "\#(ask.with("page", "\(page + 1)"))"}, "# : ""
      return """
        {"_embedded": {"conversations": \(ask.rows(start, size))}, "page": {"size": 25, "totalElements": \(ask.count),
         "totalPages": \(pages(ask, size)), "number": \(page)}, "_links": {\(next)"self": {"href": "\(ask.url)"},
         "first": {"href": "\(ask.with("page", "1"))"}, "page": {"href": "https://x.org/v2/conversations{?page}", "templated": true}}}
        """
    },
    NaturalServer(description: "Lever", address: "/v1/opportunities?limit=25&expand=owner") { ask in
      let size = ask.number("limit", 100)
      let start = position(ask.text("offset").map { String($0.dropFirst(5)) })
      let next = start + size < ask.count ? #", "next": "%5B15\#(start + size)""# : ""
      return NaturalResponse(
        #"{"data": \#(ask.rows(start, size))\#(next), "hasNext": \#(start + size < ask.count)}"#)
    },
    NaturalServer(
      description: "SCIM", address: "/scim/v2/Users?count=20",
      row: {
        """
        {"schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "id": "2819-\($1)", "userName": "\($0)",
         "emails": [{"value": "a@x.org", "primary": true}], "meta": {"resourceType": "User"}}
        """
      }
    ) { ask in
      let (start, size) = (max(1, ask.number("startIndex", 1)), ask.number("count", 100))
      return """
        {"schemas": ["urn:ietf:params:scim:api:messages:2.0:ListResponse"], "totalResults": \(ask.count), "startIndex": \(start),
         "itemsPerPage": \(shown(ask, start - 1, size)), "Resources": \(ask.rows(start - 1, size))}
        """
    },
    NaturalServer(
      description: "OpenProject, the offset is a page", address: "/api/v3/projects?pageSize=20",
      row: {
        """
        {"_type": "Project", "id": \($1 + 6), "identifier": "p\($1)", "name": "\($0)", "_links": {"self": {"href": "/api/v3/projects/\($1)"}}}
        """
      }
    ) { ask in
      let (page, start, size) = page(ask, "offset", "pageSize", 20)
      let next =
        start + size < ask.count
        ? #", "nextByOffset": {"href": "/api/v3/projects?pageSize=\#(size)&offset=\#(page + 1)"}"# : ""
      return """
        {"_type": "Collection", "total": \(ask.count), "count": \(shown(ask, start, size)), "pageSize": \(size), "offset": \(page),
         "_embedded": {"elements": \(ask.rows(start, size))}, "_links": {"self": {"href": "\(ask.url)"},
         "jumpTo": {"href": "/api/v3/projects?pageSize=20&offset=%7Boffset%7D", "templated": true},
         "changeSize": {"href": "/api/v3/projects?pageSize=%7Bsize%7D&offset=1", "templated": true}\(next)}}
        """
    },
  ]
}
