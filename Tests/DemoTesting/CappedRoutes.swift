import Demo
import JSON
import NIOHTTP1

extension Route {
  /// 5,230 rows with times, the latest first, of which one list returns 1,000: `since`, `until` (seconds since 1970),
  /// `page`, `per_page`. Half of the rows are of one day.
  static let capped = capped("/capped", CappedRows.times)

  /// The same rows, and 1,400 more in one second, so that no range has fewer.
  static let crowded = capped(
    "/crowded", (CappedRows.times + Array(repeating: CappedRows.crowdedTime, count: 1_400)).sorted(by: >))

  private static func capped(_ path: String, _ times: [Int]) -> Route {
    Route([path]) { request throws(DemoError) in
      let number = try PageNumber(request)
      guard number.start < CappedRows.most else {
        throw DemoError(422, "only the first 1000 rows are available")
      }
      let range = (
        try request.number("since", from: 0, to: .max, standard: 0),
        try request.number("until", from: 0, to: .max, standard: .max)
      )
      // Rows are numbered from the latest one.
      let rows = times.indices.filter { range.0 <= times[$0] && times[$0] <= range.1 }
      let items = rows.prefix(CappedRows.most).dropFirst(number.start).prefix(number.size)
      return Response(
        json: [
          "total_count": rows.count,
          "items": items.map { ["id": $0, "created": times[$0]] as JSONObject },
        ] as JSONObject)
    }
  }
}

package enum CappedRows {
  package static let count = 5_230
  /// The number of rows that one list returns.
  static let most = 1_000
  private static let start = 1_700_000_000
  /// 2023-12-09T22:13:20Z, between the day with half of the rows and the others.
  static let crowdedTime = start + 25 * 86_400

  /// The latest first: a day with half of the rows, an empty month, a month, and a hundred days with few.
  static let times: [Int] = (0..<count).map { row in
    let mixed = row * 7_919 % 1_000_003
    return switch row % 10 {
    case 0..<5: start + mixed % 86_400
    case 5..<9: start + 30 * 86_400 + mixed * 2
    default: start + 200 * 86_400 + mixed * 8
    }
  }
  .sorted(by: >)

  /// The source document of a list in parts.
  ///
  /// - Parameter url: The server's base URL and `/capped` or `/crowded`.
  package static func document(_ url: String) -> String {
    """
    schema = 1
    id = "capped"
    [request]
    url = "\(url)"
    [pagination]
    type = "page"
    param = "page"
    size = { param = "per_page", default = 100, max = 100 }
    cap = { rows = 1000 }
    [rows]
    path = "items"
    id = "id"
    total = "total_count"
    [split]
    by = "created"
    begin = "2023-01-01"
    end = "2025-01-01"
    order = "newest"
    params = { since = "{from|epoch}", until = "{to|epoch}" }
    [[columns]]
    name = "id"
    path = "id"
    """
  }
}
