/// The names that services use in responses, in the form that `ParameterRole.word` produces. Lists are in order of
/// precedence.
enum ResponseWords {
  /// Names of lists of rows.
  static let rows: Set = [
    "items", "results", "data", "hits", "rows", "docs", "entries", "records", "value", "values", "content",
    "nodes", "objects", "members", "hydramember", "features", "resources", "entities", "list", "result",
  ]

  /// Names of keys of rows.
  static let keys = [
    "id", "uuid", "guid", "pk", "objectid", "key", "sid", "gid", "pageid", "itemid", "doi", "sha", "slug",
  ]

  /// Names of the number of rows in the whole list.
  static let totals = [
    "totalcount", "totalresults", "totalhits", "totalitems", "totalelements", "totalrecords", "totalmatches",
    "totalentries", "totalavailable", "totalsize", "totalmatched", "totalobjects", "totalrows", "total",
    "nbhits", "hitcount",
    "numfound", "odatacount", "hydratotalitems", "numbermatched", "matched", "recordstotal", "recordcount",
    "resultcount", "resultscount", "itemcount", "itemscount", "filteredtablerowscount", "found", "count",
  ]

  /// Headers with that number.
  static let totalHeaders = [
    "X-Total-Count", "X-Total", "X-Count-Total", "Total-Objects", "X-Total-Objects", "X-WP-Total",
    "Total-Count", "X-Total-Results", "X-Pagination-Total-Count",
    "Content-Range",
  ]

  /// Whether a header has such a name: `X-Result-Total`.
  static func isTotalHeader(_ name: String) -> Bool {
    let words = ParameterFamilies.words(of: name)
    return words.contains("total")
      && !words.contains { ["page", "pages", "limit", "time", "ms"].contains($0) }
  }

  /// Whether a header may have the number of pages: `X-Page-Total`.
  static func isPageCountHeader(_ name: String) -> Bool {
    let words = ParameterFamilies.words(of: name)
    return words.contains { ["page", "pages"].contains($0) }
      && words.contains { ["total", "count", "last", "max"].contains($0) }
      && !words.contains { ["per", "size", "rows", "items", "results", "limit"].contains($0) }
  }

  /// Names of the number of pages.
  static let pageCounts = [
    "totalpages", "nbpages", "numpages", "pagecount", "pagescount", "lastpage", "pages", "pagetotal",
    "maxpage",
  ]

  /// Headers with that number.
  static let pageCountHeaders = [
    "X-Total-Pages", "X-WP-TotalPages", "X-Page-Count", "X-Pagination-Page-Count", "X-Pagination-Total-Pages",
  ]

  /// Names of the URL of the next page; `href` and `url` are in an object with one of these names.
  static let nextAddresses: Set = [
    "next", "nexturl", "nextlink", "nextpage", "nextpageurl", "nextpagelink", "nexthref", "nextrecordsurl",
    "odatanextlink", "hydranext", "nextpath", "nexturi", "nextpageuri",
  ]

  /// Names of a flag that says that more rows follow.
  static let mores = [
    "hasmore", "hasnext", "hasnextpage", "moreresults", "hasmoreresults", "istruncated", "more",
    "moreresultsavailable", "ismore", "morepages", "morerecords", "hasmoreitems", "hasmorepages",
    "moreavailable", "truncated",
  ]

  /// Names of a flag that says that the response lacks rows.
  static let incomplete: Set = ["incompleteresults", "incomplete", "isincomplete", "timedout"]

  /// Names of a flag that says that no more rows follow.
  static let dones = [
    "islast", "lastpage", "islastpage", "last", "isdone", "done", "complete", "completed",
  ]

  /// Whether a flag with this name says that more rows follow.
  static func saysMore(_ word: String) -> Bool {
    mores.contains(word) || !word.hasPrefix("no") && (word.contains("more") || word.hasPrefix("hasnext"))
  }
}
