import Demo
import Glibc
import HTTPValues
import NIOHTTP1

/// A defect of a response, requested with the parameter `fault`.
struct Fault: Sendable {
  var name: String
  /// A one-line description, including the fault's own parameters.
  var summary: String
  /// The text after `fault=NAME` in an example: `"&retry_after=2"`.
  var example: String
  private let mislead: @Sendable (inout Request) -> Void
  private let change: @Sendable (inout ResponsePlan, Request) throws(DemoError) -> Void

  /// A fault that changes the response or its delivery.
  init(
    _ name: String, _ summary: String, example: String = "",
    change: @escaping @Sendable (inout ResponsePlan, Request) throws(DemoError) -> Void
  ) {
    self.name = name
    self.summary = summary
    self.example = example
    self.mislead = { _ in }
    self.change = change
  }

  /// A fault that makes the route itself return a wrong response.
  init(_ name: String, _ summary: String, mislead: @escaping @Sendable (inout Request) -> Void) {
    self.name = name
    self.summary = summary
    self.example = "&per_page=5"
    self.mislead = mislead
    self.change = { _, _ in }
  }

  /// The fault with a name.
  init(named name: String) throws(DemoError) {
    guard let fault = Self.all.first(where: { $0.name == name }) else {
      let names = Self.all.map(\.name).joined(separator: ", ")
      throw DemoError(422, "unknown fault '\(name)'. Faults are \(names)")
    }
    self = fault
  }

  /// The request as the route receives it.
  func misled(_ request: Request) -> Request {
    var request = request
    mislead(&request)
    return request
  }

  func plan(instead plan: ResponsePlan, for request: Request) throws(DemoError) -> ResponsePlan {
    var plan = plan
    try change(&plan, request)
    return plan
  }

  /// All faults. To add one, write it next to similar ones and add it here.
  static let all: [Fault] = [
    serverError, rateLimited, rateLimitedUntil, secondaryLimit, unavailable, redirect, redirectAway,
    html, truncate, deep, badUTF8, escapes,
    loop, duplicates, empty, crossLink,
    hang, drip, huge, endless, gzipBomb,
  ]
}

/// Responses with a status other than 200.
extension Fault {
  static let serverError = Fault("500", "internal server error") { plan, _ in
    plan.response = DemoError(500, "a fault was requested").response
  }

  static let rateLimited = Fault(
    "429", "too many requests, with Retry-After: retry_after in seconds (1)",
    example: "&retry_after=2&times=1"
  ) { plan, request throws(DemoError) in
    let seconds = try request.wait
    plan.response = DemoError(429, "a fault was requested. Wait \(seconds) s").response
    plan.response.headers.add(name: "Retry-After", value: String(seconds))
  }

  static let rateLimitedUntil = Fault(
    "429-reset", "too many requests, with only X-RateLimit-Reset: retry_after in seconds (1)",
    example: "&retry_after=2&times=1"
  ) { plan, request throws(DemoError) in
    plan.response = DemoError(429, "a fault was requested. See X-RateLimit-Reset").response
    plan.response.headers.add(name: "X-RateLimit-Remaining", value: "0")
    plan.response.headers.add(name: "X-RateLimit-Reset", value: String(plan.time + (try request.wait)))
  }

  static let secondaryLimit = Fault(
    "secondary", "a 403 whose message mentions a rate limit, as in GitHub", example: "&times=1"
  ) { plan, _ in
    let message = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
    plan.response = DemoError(403, message).response
  }

  static let unavailable = Fault(
    "503", "unavailable until the date in Retry-After: retry_after in seconds (1)",
    example: "&retry_after=2&times=1"
  ) { plan, request throws(DemoError) in
    plan.response = DemoError(503, "a fault was requested. See Retry-After").response
    plan.response.headers.add(name: "Date", value: HTTPDate.text(plan.time))
    plan.response.headers.add(name: "Retry-After", value: HTTPDate.text(plan.time + (try request.wait)))
  }

  static let redirect = Fault("redirect", "a 307 to the same address without the fault") { plan, request in
    plan.response = .redirect(to: request.baseURL + request.targetWithoutFault)
  }

  static let redirectAway = Fault(
    "redirect-away", "a 307 to the same path on another origin, this server as localhost"
  ) {
    plan, request in
    plan.response = .redirect(to: request.otherBaseURL + request.targetWithoutFault)
  }
}

extension Request {
  /// The parameter `retry_after`, in seconds, at most a day.
  fileprivate var wait: Int {
    get throws(DemoError) { try number("retry_after", from: 0, to: 86_400, standard: 1) }
  }

  fileprivate var targetWithoutFault: String {
    var url = url
    url.removeQueryItems(named: "fault")
    return url.requestTarget
  }

  /// This server under its other name, which is a different origin.
  var otherBaseURL: String { baseURL.replacing("127.0.0.1", with: "localhost") }
}

extension Response {
  fileprivate static func redirect(to location: String) -> Response {
    var response = DemoError(307, "a fault was requested. See Location").response
    response.headers.add(name: "Location", value: location)
    return response
  }
}

/// Responses with status 200 and a wrong body.
extension Fault {
  static let html = Fault("html", "a sign-in page instead of JSON") { plan, _ in
    plan.response.headers = ["Content-Type": "text/html; charset=utf-8"]
    plan.response.body = Array("<!doctype html>\n<title>Sign in</title>\n<p>Please sign in.</p>\n".utf8)
  }

  static let truncate = Fault("truncate", "the connection closes in the middle of the body") { plan, _ in
    plan.delivery = .truncated(bytes: plan.response.body.count / 2)
  }

  static let deep = Fault("deep", "100,000 nested brackets") { plan, _ in
    plan.response.body = Array(repeating: UInt8(ascii: "["), count: 100_000)
    plan.response.body += Array(repeating: UInt8(ascii: "]"), count: 100_000)
  }

  static let badUTF8 = Fault("badutf8", "names that start with bytes that are not UTF-8") { plan, _ in
    // A truncated sequence, a byte that is never valid, an encoded surrogate, an overlong slash.
    plan.response.body.insert([0xE2, 0x86, 0xFF, 0xED, 0xA0, 0x80, 0xC0, 0xAF], after: "\"name\":\"")
  }

  static let escapes = Fault(
    "escapes", "names that start with terminal sequences, bidi controls and many combining accents"
  ) { plan, _ in
    let colour = #"\u001b[41m"#
    let title = #"\u001b]0;title\u0007"#
    let clipboard = #"\u001b]52;c;cmlmZmxl\u001b\\"#
    let bidi = "\u{202E}right to left\u{2069}"
    let accents = "a" + String(repeating: "\u{301}\u{316}", count: 30)
    let text = colour + title + clipboard + bidi + accents + #"\u009b2J\r\b"#
    plan.response.body.insert(Array(text.utf8), after: "\"name\":\"")
  }
}

extension [UInt8] {
  /// Inserts bytes after each occurrence of a text, which must not be empty.
  fileprivate mutating func insert(_ bytes: [UInt8], after text: String) {
    let mark = Array(text.utf8)
    var result: [UInt8] = []
    var rest = self[...]
    while let found = rest.firstRange(of: mark) {
      result += rest[..<found.upperBound] + bytes
      rest = rest[found.upperBound...]
    }
    self = result + rest
  }
}

/// Responses that are slow, missing, or endless.
extension Fault {
  static let hang = Fault("hang", "no response") { plan, _ in plan.delivery = .hanging }

  static let drip = Fault("drip", "32 bytes of the body every 100 ms") { plan, _ in
    plan.delivery = .dripping(bytes: 32, pause: 100)
  }

  static let huge = Fault("huge", "an array of numbers of 2 GiB (or mebibytes=N), with Content-Length") {
    plan, request throws(DemoError) in
    let size = try request.number("mebibytes", from: 1, to: 1_000_000, standard: 2048)
    plan.response.body = Array("[0".utf8)
    plan.delivery = .repeating(piece: zeros, times: size << 20 / zeros.count, end: Array("]".utf8))
  }

  static let endless = Fault("endless", "an array of numbers that never ends") { plan, _ in
    plan.response.body = Array("[0".utf8)
    plan.delivery = .endless(piece: zeros)
  }

  /// 64 KiB of `,0`.
  private static let zeros = (0..<32_768).flatMap { _ in ",0".utf8 }

  static let gzipBomb = Fault("gzipbomb", "1 MiB of gzip that decodes to 1 GiB of zeros") { plan, _ in
    plan.response.headers.add(name: "Content-Encoding", value: "gzip")
    plan.response.body = GzipBomb.start
    plan.delivery = .repeating(piece: GzipBomb.piece, times: GzipBomb.pieces, end: GzipBomb.end)
  }
}

/// Zeros compressed as far as deflate allows (RFC 1951, 1952): one block with a one-bit code for the longest
/// match and one for its distance, so that each zero byte represents four matches, which is 1,032 zeros.
enum GzipBomb {
  static let start: [UInt8] = [
    0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0x02, 0xFF,
    0xED, 0xC1, 0x31, 0x01, 0, 0, 0, 0xC2, 0xA0, 0xF5, 0x4F, 0x6D, 0x08, 0x5F, 0xA0,
  ]
  static let piece = [UInt8](repeating: 0, count: 65_536)
  static let pieces = 16
  /// The end of the block, the checksum, and the size: 1,082,130,496.
  static let end: [UInt8] = [0x3E, 0x03, 0x0F, 0x63, 0xF5, 0x86, 0x40, 0, 0x80, 0x40]
}

extension Paging {
  /// The first page forever; its next page is itself.
  static let looping = Paging { start, size, count in PageSpan(rows: 0..<min(size, count), next: start) }

  /// Each page begins with the last rows of the previous one.
  static let overlapping = Paging { start, size, count in
    PageSpan(from: start - overlap, to: start + size, next: start + size, count: count)
  }

  /// Every second page is empty but has a next page. Positions count both rows and gaps.
  static let gapped = Paging { start, size, count in
    let slot = start / size
    if slot % 2 == 1 { return PageSpan(rows: 0..<0, next: start + size) }
    let first = slot / 2 * size
    var span = PageSpan(from: first, to: first + size, next: first + size, count: count)
    if span.next != nil { span.next = start + size }
    return span
  }

  /// The number of rows that an overlapping page repeats.
  static let overlap = 3
}

/// Lists that do not end, are inconsistent, or lead to another host.
extension Fault {
  static let loop = Fault("loop", "the first page forever; its next page is itself") { $0.paging = .looping }

  static let duplicates = Fault(
    "duplicates", "each page starts with the last \(Paging.overlap) rows of the previous one"
  ) { $0.paging = .overlapping }

  static let empty = Fault("empty", "every second page is empty and has a next page") { $0.paging = .gapped }

  static let crossLink = Fault(
    "crosslink", "absolute next URLs lead to another origin, this server as localhost"
  ) { request in
    if let url = try? WebURL(request.otherBaseURL + request.url.requestTarget) { request.url = url }
  }
}

/// The number of requests in each sequence, for faults that apply only to some of them.
struct RunRequestCounts: Sendable {
  private var counts: [String: Int] = [:]

  /// The maximum number of sequences to track; beyond that, all counts are reset.
  private static let most = 1_000

  /// Counts one more request of a sequence and returns its number, from 1.
  mutating func add(_ runID: String) -> Int {
    if counts.count == Self.most, counts[runID] == nil { counts = [:] }
    counts[runID, default: 0] += 1
    return counts[runID, default: 1]
  }
}

/// Dates in HTTP format (RFC 9110 section 5.6.7).
enum HTTPDate {
  /// `"Sun, 06 Nov 1994 08:49:37 GMT"` for 784111777, in seconds since 1970.
  static func text(_ time: Int) -> String {
    var seconds = time_t(time)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let day = [parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec].map(twoDigits)
    let date = "\(day[0]) \(months[Int(parts.tm_mon)]) \(parts.tm_year + 1900)"
    return "\(days[Int(parts.tm_wday)]), \(date) \(day[1...].joined(separator: ":")) GMT"
  }

  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func twoDigits(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
}
