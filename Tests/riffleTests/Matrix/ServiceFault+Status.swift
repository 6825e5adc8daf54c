import TestSupport

/// Statuses that end a run or carry no page.
extension ServiceFault {
  static let statuses = [
    ServiceFault("103 before the response") { visit in
      [.send("HTTP/1.1 103 Early Hints\nLink: </style.css>\n\n"), .json(visit.wholePage)]
    },
    ServiceFault("103 and nothing more") { _ in [.send("HTTP/1.1 103 Early Hints\n\n")] }
      .with { $0.timeout = slow },
    ServiceFault("204") { _ in [.send("HTTP/1.1 204 No Content\n\n")] },
    ServiceFault("304 unasked") { _ in [.send("HTTP/1.1 304 Not Modified\nETag: \"1\"\n\n")] },
    ServiceFault("400") { _ in [.refusal("400 Bad Request")] },
    ServiceFault("401") { _ in [.refusal("401 Unauthorized")] },
    ServiceFault("403") { _ in [.refusal("403 Forbidden")] },
    ServiceFault("404") { _ in [.refusal("404 Not Found")] },
    ServiceFault("408") { _ in [.refusal("408 Request Timeout")] },
    ServiceFault("410") { _ in [.refusal("410 Gone")] },
    ServiceFault("422") { _ in [.refusal("422 Unprocessable Content")] },
    ServiceFault("500") { _ in [.refusal("500 Internal Server Error")] },
    ServiceFault("502 with HTML") { _ in
      [.response(Array("<h1>Bad gateway</h1>".utf8), status: "502 Bad Gateway", ["Content-Type: text/html"])]
    },
    ServiceFault("an unknown status") { _ in [.refusal("799 Whatever")] },
  ]

  static let redirects = [
    ServiceFault("redirect loop") { visit in
      [.refusal("302 Found", "Location: \(visit.service)/list?page=\(visit.page)")]
    }.with { $0.requests = 8 },
    ServiceFault("redirect to another host") { _ in
      [.refusal("302 Found", "Location: http://other.invalid/list")]
    },
    ServiceFault("redirect from https to http") { visit in
      [.refusal("302 Found", "Location: \(visit.service.replacing("https:", with: "http:"))/list")]
    }.with { $0.place = .secureService },
    ServiceFault("redirect to a file") { _ in [.refusal("302 Found", "Location: file:///etc/passwd")] },
    ServiceFault("redirect to nowhere") { _ in [.refusal("302 Found")] },
  ]
}
