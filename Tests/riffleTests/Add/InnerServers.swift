import HTTPValues
import JSON

extension NaturalServer {
  /// Servers that read the position from a part of a string: a range, JSON in a parameter, or the path.
  static let inner: [NaturalServer] = [
    NaturalServer(
      description: "PostgREST", address: "curl 'BASE/films?order=id' -H 'Range-Unit: items' -H 'Range: 0-24'"
    ) {
      ask in
      let range = ask.headers.first("Range")?.split(separator: "-").compactMap { Int($0) } ?? [0, 999]
      guard range[0] < ask.count else {
        return NaturalResponse(
          #"{"code": "PGRST103", "message": "Requested range not satisfiable"}"#, status: 416)
      }
      return NaturalResponse(
        ask.rows(range[0], range[1] - range[0] + 1),
        ["Content-Range": "\(range[0])-\(min(range[1], ask.count - 1))/*"], status: 206)
    },
    NaturalServer(
      description: "react-admin, a simple REST server",
      address: "/posts?sort=[\"id\",\"ASC\"]&range=[0,24]&filter={}"
    ) {
      ask in
      let range = ask.text("range")?.split { "[,]".contains($0) }.compactMap { Int($0) } ?? [0, 9]
      return NaturalResponse(
        ask.rows(range[0], range[1] - range[0] + 1),
        ["Content-Range": "posts \(range[0])-\(min(range[1], ask.count - 1))/\(ask.count)"])
    },
    NaturalServer(description: "json-server of before", address: "/comments?_start=0&_end=20") { ask in
      let start = ask.number("_start", 0)
      return NaturalResponse(
        ask.rows(start, max(0, ask.number("_end", start + 10) - start)), ["X-Total-Count": "\(ask.count)"])
    },
    NaturalServer(
      description: "a pair of numbers, as in MySQL", address: "/export.json?limit=0,20&order=name"
    ) { ask in
      let pair = ask.text("limit")?.split(separator: ",").compactMap { Int($0) } ?? [0, 20]
      return "{\"records\": \(ask.rows(pair[0], pair[1]))}"
    },
    NaturalServer(description: "a slice", address: "/datasets/rows?slice=0:20") { ask in
      let pair = ask.text("slice")?.split(separator: ":").compactMap { Int($0) } ?? [0, 20]
      return "{\"slice\": \(ask.rows(pair[0], max(0, pair[1] - pair[0]))), \"total_rows\": \(ask.count)}"
    },
    NaturalServer(
      description: "LoopBack, a filter",
      address: "/api/notes?filter={\"limit\":20,\"skip\":0,\"order\":\"id\"}"
    ) {
      ask in
      let filter = (try? JSONDocument(Array((ask.text("filter") ?? "{}").utf8)))?.root
      return NaturalResponse(
        ask.rows(
          filter?["skip"]?.text.flatMap { Int($0) } ?? 0, filter?["limit"]?.text.flatMap { Int($0) } ?? 100))
    },
    NaturalServer(
      description: "LoopBack, a limit alone",
      address: "/api/notes?filter={\"where\":{\"kind\":\"a\"},\"limit\":20}"
    ) {
      ask in
      let filter = (try? JSONDocument(Array((ask.text("filter") ?? "{}").utf8)))?.root
      return NaturalResponse(
        ask.rows(
          filter?["skip"]?.text.flatMap { Int($0) } ?? 0, filter?["limit"]?.text.flatMap { Int($0) } ?? 100))
    },
    NaturalServer(
      description: "OpenSearch, the body as a parameter",
      address:
        "/logs/_search?source_content_type=application/json&source={\"query\":{\"match_all\":{}},\"size\":20,\"from\":40}"
    ) { ask in
      let source = (try? JSONDocument(Array((ask.text("source") ?? "{}").utf8)))?.root
      let start = source?["from"]?.text.flatMap { Int($0) } ?? 0
      return """
        {"took": 3, "timed_out": false, "hits": {"total": {"value": \(ask.count), "relation": "eq"}, "max_score": 1.0,
         "hits": \(ask.rows(start, source?["size"]?.text.flatMap { Int($0) } ?? 10))}}
        """
    },
    NaturalServer(description: "Adzuna", address: "/v1/api/jobs/gb/search/1?results_per_page=20&what=nurse") {
      ask in
      let (page, size) = (
        ask.url.path.split(separator: "/").last.flatMap { Int($0) } ?? 1, ask.number("results_per_page", 10)
      )
      return
        "{\"count\": \(ask.count), \"mean\": 33415.2, \"results\": \(ask.rows((page - 1) * size, size)), \"__CLASS__\": \"Results\"}"
    },
    NaturalServer(description: "WordPress of a theme", address: "/feed/news/page/2.json") { ask in
      let name = ask.url.path.split(separator: "/").last?.split(separator: ".").first ?? "1"
      return "{\"posts\": \(ask.rows(((Int(name) ?? 1) - 1) * 15, 15)), \"pages\": \((ask.count + 14) / 15)}"
    },
    NaturalServer(description: "offset and size in the path", address: "/rest/entries/list/0/30") { ask in
      let numbers = ask.url.path.split(separator: "/").compactMap { Int($0) }
      return "{\"entries\": \(ask.rows(numbers.first ?? 0, numbers.last ?? 10))}"
    },
    NaturalServer(
      description: "a number of the path that is no page", address: "/v2/users/1/things?per_page=20"
    ) { ask in
      let (page, start, size) = page(ask, "page", "per_page", 20)
      return "{\"page\": \(page), \"total\": \(ask.count), \"things\": \(ask.rows(start, size))}"
    },
  ]
}

extension NaturalServer {
  /// Lists of a set of documented servers that were unsure at first sight: 3 of its 24.
  static let heldOut: [NaturalServer] = [
    NaturalServer(description: "page and total under other names in headers", address: "/v2/items?page=0") {
      ask in
      let size = ask.number("page_size", 50)
      guard let page = ask.text("page").flatMap({ Int($0) }) else {
        return NaturalResponse("[\((0..<ask.count).map { "\($0)" }.joined(separator: ", "))]")
      }
      guard page < pages(ask, size) else {
        return NaturalResponse(#"{"text": "page out of range. Use page values 0 - 2."}"#, status: 400)
      }
      return NaturalResponse(
        ask.rows(page * size, size),
        [
          "X-Page-Size": "\(size)", "X-Page-Total": "\(pages(ask, size))",
          "X-Result-Count": "\(shown(ask, page * size, size))",
          "X-Result-Total": "\(ask.count)",
        ])
    },
    NaturalServer(
      description: "the next page as a string, the total of a page",
      address:
        "curl BASE/search/metadata -H 'Content-Type: application/json' -d '{\"size\": 30, \"type\": \"IMAGE\"}'"
    ) { ask in
      guard ask.body?.root["page"].map({ $0.kind == .number }) ?? true else {
        return NaturalResponse(#"{"message": ["page must be an integer number"]}"#, status: 400)
      }
      let (page, start, size) = page(ask, "page", "size", 250)
      return """
        {"albums": {"total": 0, "count": 0, "items": []}, "assets": {"total": \(shown(ask, start, size)), "count": \(shown(ask, start, size)),
         "items": \(ask.rows(start, size)), "nextPage": \(ask.ifMore(start + size, "\(page + 1)"))}}
        """
    },
    NaturalServer(
      description: "the names of one framework",
      address: "/api/resource/Item?fields=[\"name\",\"item_name\"]",
      row: { "{\"name\": \"\($0)\", \"item_name\": \"Item \($1)\"}" }
    ) { ask in
      "{\"data\": \(ask.rows(ask.number("limit_start", 0), ask.number("limit_page_length", 20)))}"
    },
  ]
}
