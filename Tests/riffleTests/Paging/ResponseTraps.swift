/// Responses that refuse, fail, lead elsewhere, are too slow or invalid. The meaning of a response does not depend on
/// the pagination style, so one route is enough.
enum ResponseTraps {
  private static func trap(
    _ query: String, _ arguments: [String] = [], _ tables: String = "", _ picture: String
  ) -> Trap {
    Trap(
      path: "/cursor", query: query, arguments: arguments, tables: tables, picture: picture)
  }

  private static let impatient = ["--max-wait", "1s"]

  private static let message = """
    [errors]
    message = 'message'
    """

  private static let secondaryLimit = """
    [errors]
    message = 'message'
    [[errors.rate_limited]]
    status = 403
    match = { path = 'message', contains = 'secondary rate limit' }
    """

  private static let reset = """
    [limits]
    remaining = 'header:X-RateLimit-Remaining'
    reset = { from = 'header:X-RateLimit-Reset', kind = 'epoch' }
    """

  /// Temporary faults are waited out or retried without a message.
  static let recovered = [
    ("fault=429&from=2&times=1", "", 4), ("fault=429-reset&from=2&times=1&retry_after=0", reset, 4),
    ("fault=503&from=2&times=1&retry_after=0", "", 4), ("fault=500&from=2&times=1", "", 4),
    ("fault=truncate&from=2&times=1", "", 4), ("fault=redirect&from=1&times=2", "", 5),
    ("fault=badutf8", "", 3), ("fault=escapes", "", 3),
  ].map { query, tables, requests in
    trap(
      query, [], tables,
      """
      rows 1 2 3 4 5 6 7 8 9 10
      requests \(requests), status 0
      """)
  }

  /// Waits longer than the user allows.
  static let limits = [
    trap(
      "fault=429&retry_after=3600", impatient, "",
      """
      rows
      requests 1, status 5
      page 1 failed: \
      rate limited by http://127.0.0.1:PORT/cursor (429 Too Many Requests): a fault was requested. Wait 3600 s. The service asks you to \
      wait 1 h. To wait, use --max-wait 1h
      """),
    trap(
      "fault=429&from=2&retry_after=3600", impatient, message,
      """
      rows 1 2 3 4
      requests 2, status 3
      stopped after 4 rows: page 2 failed: \
      rate limited by http://127.0.0.1:PORT/cursor (429 Too Many Requests): a fault was requested. \
      Wait 3600 s. The service asks you to wait 1 h. To wait, use --max-wait 1h
      """),
    // The wait requested by the service is respected each time, for as many attempts as a page has.
    trap(
      "fault=429&from=2&retry_after=0", impatient, "",
      """
      rows 1 2 3 4
      requests 7, status 3
      stopped after 4 rows: page 2 failed: \
      rate limited by http://127.0.0.1:PORT/cursor (429 Too Many Requests): a fault was requested. \
      Wait 0 s
      """),
    trap(
      "fault=secondary&from=2", impatient, secondaryLimit,
      """
      rows 1 2 3 4
      requests 2, status 3
      stopped after 4 rows: page 2 failed: \
      rate limited by http://127.0.0.1:PORT/cursor (403 Forbidden): You have exceeded a secondary \
      rate limit. Please wait a few minutes before you try again. The next request must wait 60 s. \
      To wait, use --max-wait 1m
      """),
    // A 403 that matches no rule is a rate limit when its message says so.
    trap(
      "fault=secondary&from=2", ["--retries", "0"], "",
      """
      rows 1 2 3 4
      requests 2, status 3
      stopped after 4 rows: page 2 failed: \
      rate limited by http://127.0.0.1:PORT/cursor (403 Forbidden): You have exceeded a secondary \
      rate limit. Please wait a few minutes before you try again.
      """),
    trap(
      "fault=503&from=2&retry_after=3600", impatient, "",
      """
      rows 1 2 3 4
      requests 2, status 3
      stopped after 4 rows: page 2 failed: \
      http://127.0.0.1:PORT/cursor returned 503 Service Unavailable: a fault was \
      requested. See Retry-After. The service asks you to wait 1 h. To wait, use --max-wait 1h
      """),
  ]

  static let failures = [
    trap(
      "fault=500&from=2", ["--retries", "1"], message,
      """
      rows 1 2 3 4
      requests 3, status 3
      stopped after 4 rows: page 2 failed: \
      http://127.0.0.1:PORT/cursor returned 500 Internal Server Error: a fault was requested
      """),
    // A damaged body is requested once more, regardless of the number of retries.
    trap(
      "fault=truncate&from=2", [], "",
      """
      rows 1 2 3 4
      requests 3, status 3
      stopped after 4 rows: page 2 failed: \
      connection to http://127.0.0.1:PORT lost after 446 bytes of application/json
      """),
    trap(
      "fault=redirect-away", [], "",
      """
      rows
      requests 1, status 1
      page 1 failed: \
      http://127.0.0.1:PORT/cursor sent a redirect that leads to another origin, http://localhost:PORT. \
      To allow it, add its host to pagination.hosts of source demo-cursor
      """),
    trap(
      "fault=redirect-away&from=2", [], "",
      """
      rows 1 2 3 4
      requests 2, status 3
      stopped after 4 rows: page 2 failed: \
      http://127.0.0.1:PORT/cursor sent a redirect that leads to another origin, \
      http://localhost:PORT. To allow it, add its host to pagination.hosts of source demo-cursor
      """),
  ]

  /// A retry would give the same response, so there is none.
  static let bodies =
    [
      trap(
        "fault=html&from=2", [], "",
        """
        rows 1 2 3 4
        requests 2, status 3
        stopped after 4 rows: page 2 failed: \
        http://127.0.0.1:PORT/cursor returned HTML, not JSON: probably a sign-in page or a wrong \
        URL (its title: "Sign in"). Open it in a browser, or correct request.url in source demo-cursor
        """),
      trap(
        "fault=deep&from=2", [], "",
        """
        rows 1 2 3 4
        requests 2, status 3
        stopped after 4 rows: page 2 failed: \
        http://127.0.0.1:PORT/cursor returned invalid JSON (200000 bytes, application/json; \
        charset=utf-8): line 1, column 65 (byte 64): expected at most 64 levels of nesting, found "[" near \
        …[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[…
        """),
    ]
    + ["gzipbomb", "huge", "endless"].map { fault in
      trap(
        "fault=\(fault)&from=2", [], "",
        """
        rows 1 2 3 4
        requests 2, status 3
        stopped after 4 rows: page 2 failed: \
        http://127.0.0.1:PORT sent a page larger than 32 MiB. Use --page-size to \
        request smaller pages
        """)
    }

  static let timeouts = [
    trap(
      "fault=hang&from=2", ["--timeout", "8s", "--retries", "0"], "",
      """
      rows 1 2 3 4
      requests 2, status 3
      stopped after 4 rows: page 2 failed: \
      http://127.0.0.1:PORT did not respond within 8 s. Use --timeout to allow more
      """)
  ]
}
