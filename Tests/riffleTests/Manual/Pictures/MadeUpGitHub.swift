import Foundation
import HTTPValues
import JSON

/// A service that answers as GitHub's repository search does, with repositories that do not exist. The same requests
/// get the same answers.
struct MadeUpGitHub {
  /// A page for which the first request fails.
  struct Failure {
    let page: Int
    let status: Int
    let message: String
    /// The seconds that the service asks the client to wait.
    let wait: Int
    /// Whether the rate limit is reached, and reset then.
    var isLimit = false
  }

  var failures: [Failure] = []
  private var requestsLeft = 10
  private let start: Double

  private static let (limit, found) = (10, 1_284)

  /// - Parameter start: When the first rate limit began, in seconds since 1970.
  init(from start: Double, failing failures: [Failure] = []) {
    (self.start, self.failures) = (start, failures)
  }

  mutating func response(to request: HTTPRequest, sentAt sent: Double, at time: Double) throws -> HTTPResponse
  {
    let items = URLComponents(string: "\(request.url)")?.queryItems ?? []
    func number(_ name: String) -> Int? { items.first { $0.name == name }?.value.flatMap { Int($0) } }
    let (page, size) = (number("page") ?? 1, number("per_page") ?? 30)
    requestsLeft -= 1
    var (status, fields, body) = (200, [String: String](), "")
    var reset = start + 60
    if let index = failures.firstIndex(where: { $0.page == page }) {
      let failure = failures.remove(at: index)
      status = failure.status
      body = "{\"message\": \(JSONText.quoted(failure.message))}"
      if failure.isLimit {
        requestsLeft = 0
        reset = time + Double(failure.wait)
      } else {
        fields["Retry-After"] = "\(failure.wait)"
      }
    } else {
      if requestsLeft < 0 { requestsLeft = Self.limit - 1 }
      fields["Link"] = "<\(request.url.origin)/search/repositories?page=\(page + 1)>; rel=\"next\""
      let rows = ((page - 1) * size..<page * size).map { Self.repository($0, at: start) }
      body = "{\"total_count\": \(Self.found), \"items\": [\(rows.joined(separator: ","))]}"
    }
    fields["x-ratelimit-limit"] = "\(Self.limit)"
    fields["x-ratelimit-remaining"] = "\(requestsLeft)"
    fields["x-ratelimit-reset"] = "\(Int(reset))"
    return HTTPResponse(
      status: status,
      headers: HTTPFields(
        fields.sorted { $0.key < $1.key }.map { HTTPField(received: $0.key, value: $0.value) }),
      body: Array(body.utf8), url: request.url, sentAt: sent, arrivedAt: time)
  }

  private static let owners = [
    "anna-lind", "okapi-labs", "m-tanaka", "nightjar", "pelagia", "rosavent", "tvoss", "kitewind",
    "hjelm", "lumen-dev", "odile", "saltmarsh", "quietbyte", "ferrocene-io", "bram-k", "yuki-s", "northpier",
  ]
  private static let languages = [
    "Rust", "Go", "Swift", "C", "Python", "Zig", "TypeScript", "Go", "Rust", "C++",
  ]
  /// The first part of a name, and what the repository has.
  private static let subjects = [
    ("pane", "Split panes, tabs and focus"), ("glyph", "Widgets and layout"),
    ("spark", "Charts and sparklines"),
    ("prompt", "Forms, menus and prompts"), ("tide", "A log viewer"), ("loom", "A layout engine"),
    ("chroma", "Color themes and gradients"), ("keys", "Key bindings and macros"), ("grid", "A spreadsheet"),
    ("md", "A Markdown reader"), ("file", "A file manager"), ("probe", "A system monitor"),
    ("tick", "Progress bars and spinners"), ("mail", "A mail client"), ("diff", "Side-by-side diffs"),
    ("vec", "Vector graphics in Braille cells"), ("note", "Notes and to-do lists"),
    ("sql", "A database client"),
    ("play", "A music player"), ("chat", "A chat client"), ("hex", "A hex editor"),
    ("map", "Maps of the world"),
    ("test", "Tests that read the screen"),
  ]
  /// The last part of a name, and what the repository is for.
  private static let places = [
    ("kit", "for terminal programs"), ("ui", "for full-screen apps"), ("term", "in your terminal"),
    ("view", "over SSH"), ("-rs", "without dependencies"), ("deck", "with mouse support"),
    ("lite", "in 2,000 lines"), ("works", "for screen readers, too"),
    ("box", "drawn without flicker"),
  ]
  private static let abroad = [4: "端末のための表計算とグラフ"]

  /// The repository at a place of the list, from the most to the least relevant.
  private static func repository(_ index: Int, at time: Double) -> String {
    let (subject, place) = (subjects[index * 5 % subjects.count], places[index * 7 % places.count])
    let owner = owners[index * 3 % owners.count]
    let name = "\(subject.0)\(place.0)"
    let stars = Int(31_400 / pow(Double(index + 1), 0.9)) + (index * 7_919) % (180 + 2_000 / (index + 1))
    let about = abroad[index] ?? "\(subject.1) \(place.1)"
    let age = Double((index * index * 37 + index * 11) % 700) * 3_600 + 5_400
    let pushed = Date(timeIntervalSince1970: time - age).formatted(.iso8601)
    let language = index % 13 == 9 ? "null" : JSONText.quoted(languages[index * 3 % languages.count])
    return """
      {"id": \(index + 1), "full_name": "\(owner)/\(name)", "stargazers_count": \(stars), "language": \(language), \
      "pushed_at": "\(pushed)", "description": \(JSONText.quoted(about)), \
      "html_url": "https://github.com/\(owner)/\(name)", "topics": ["terminal", "tui", "\(subject.0)"], \
      "forks_count": \(stars / 23), "open_issues_count": \(stars / 310 + 2), "default_branch": "main", \
      "license": {"spdx_id": "\(index % 3 == 0 ? "Apache-2.0" : "MIT")"}, "archived": false, \
      "created_at": "20\(15 + index % 10)-0\(1 + index % 9)-1\(index % 10)T08:00:00Z"}
      """
  }
}
