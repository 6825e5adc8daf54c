import TestSupport

/// Lists that are endless, inconsistent or lead elsewhere.
extension ServiceFault {
  static let lists =
    [
      ("another host", "http://other.invalid/list?page=2"), ("a file", "file:///etc/passwd"),
      ("a user name", "http://user:word@HOST/list?page=2"),
      ("another port", "http://127.0.0.1:9/list?page=2"),
      ("a script", "javascript:alert(1)"),
    ].map { name, link in
      ServiceFault("next link to \(name)") { visit in
        let host = visit.service.replacing("http://", with: "")
        return [.json(ListedPage(1).body(next: "\"\(link.replacing("HOST", with: host))\""))]
      }.with { $0.reach = .list }
    } + [
      ServiceFault("next is a number") { _ in [.json(ListedPage(1).body(next: "7"))] }
        .with {
          $0.reach = .list
          // It may be a token, which add sends back in each of the usual parameters.
          $0.requests = 11
        },
      ServiceFault("same cursor for ever, new rows") { visit in
        [.json(ListedPage(visit.earlier + 1).body(next: "null", #", "next_cursor": "AAAA""#))]
      }.with {
        $0.reach = .list; $0.tables = cursor
      },
      ServiceFault("same cursor for ever, same rows") { visit in
        [.json(ListedPage(1).body(next: "null", #", "next_cursor": "AAAA""#))]
      }.with {
        $0.reach = .list; $0.tables = cursor
      },
      ServiceFault("same page for ever") { visit in
        [.json(ListedPage(1).body(next: visit.nextLink))]
      }.with { $0.reach = .list },
      ServiceFault("empty pages for ever") { visit in
        [.json(visit.page == 1 ? visit.wholePage : ListedPage(ids: []).body(next: visit.nextLink))]
      }.with {
        $0.reach = .list; $0.requests = 105
      },
      ServiceFault("the total shrinks") { visit in
        let next = visit.page < 3 ? visit.nextLink : "null"
        return [.json(ListedPage(visit.page).body(next: next, ", \"total\": \(8 - 2 * visit.page)"))]
      }.with { $0.reach = .list },
      ServiceFault("the total is too large") { visit in
        let next = visit.page < 3 ? visit.nextLink : "null"
        return [.json(ListedPage(visit.page).body(next: next, ", \"total\": 100"))]
      }.with { $0.reach = .list },
      ServiceFault("each page begins with the last row before") { visit in
        let first = visit.page == 1 ? 1 : 2 * (visit.page - 1)
        let page = ListedPage(ids: Array(first...2 * visit.page))
        return [.json(page.body(next: visit.page < 3 ? visit.nextLink : "null"))]
      }.with { $0.reach = .list },
    ]

  private static let cursor = """
    [pagination]
    type = "cursor"
    next = "next_cursor"
    into = "query:cursor"
    """
}
