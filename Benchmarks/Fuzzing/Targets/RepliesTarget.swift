import HTTPValues
import Search
import Text

extension Target {
  static let responses = Target(
    name: "responses", summary: "response headers: dates, limits and waits, as services write them"
  ) { bytes in
    var headers: HTTPFields = []
    for line in bytes.lines {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers.append(
        HTTPField(received: String(line[..<colon]), value: String(line[line.index(after: colon)...])))
      let value = line[line.index(after: colon)...]
      if let time = Timestamp(iso8601: value) { _ = time.rfc3339 }
      if let now = Timestamp(epoch: 1_700_000_000) { _ = Timestamp(httpDate: value, now: now) }
    }
    guard let url = try? WebURL("https://example.org/") else { return }
    let response = ResponseValues(HTTPResponse(status: 200, headers: headers, body: [], url: url))
    let budget = RateBudget(in: response, limits: .standard, now: 1_700_000_000)
    let wait = RequestedWait.seconds(headers: headers, stated: nil, budget: budget, now: 1_700_000_000)
    if let wait { hold(wait.isFinite && wait >= 0, "a wait is a time: \(wait)") }
    if let reset = budget?.resetsAt { hold(Timestamp(epoch: reset) != nil, "a reset is a time: \(reset)") }
  }
}
