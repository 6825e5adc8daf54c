import HTTPValues
import JSON
import Search

/// A response shaped like those of GitHub's repository search, with values of our own.
enum GitHubPage {
  static func text(items: Int) -> String {
    let list = (0..<items).map(item).joined(separator: ",\n    ")
    return """
      {
        "total_count": 52341,
        "incomplete_results": false,
        "items": [
          \(list)
        ]
      }
      """
  }

  static func columns() throws -> [Column] {
    let paths: [(String, ColumnFormat)] = [
      ("full_name", .text), ("stargazers_count", .number), ("language", .text), ("pushed_at", .relative),
      ("description", .text), ("owner.login", .text), ("license.spdx_id", .text), ("topics", .list),
      ("forks_count", .number), ("created_at", .date),
    ]
    return try paths.map { path, format in
      Column(name: path, value: try ValueExpression(parsing: path), format: format)
    }
  }

  /// The items of a response as rows.
  static func rows(of document: JSONDocument) throws -> DocumentRows {
    let response = ResponseValues(
      document: document, headers: [], url: try WebURL("https://api.example.org/"))
    return DocumentRows(response: response, nodes: document.root["items"]?.elements.map(\.node) ?? [])
  }

  /// About 5.9 kB: sixty members, half of them addresses.
  private static func item(_ number: Int) -> String {
    let base = "https://api.example.org/repos/owner\(number)/repository-\(number)"
    let links = (0..<44).map {
      "\"link_\($0)_url\": \"\(base)/some/resource/of/kind/number/\($0){/parameter}\""
    }
    let members =
      [
        "\"id\": \(9_007_199_254_740_000 + number)", "\"node_id\": \"R_kgDOA\(number)\"",
        "\"name\": \"repository-\(number)\"", "\"full_name\": \"owner\(number)/repository-\(number)\"",
        "\"private\": false",
        "\"owner\": {\"login\": \"owner\(number)\", \"id\": \(number), \"avatar_url\": \"\(base)/avatar\", \"type\": \"User\", \"site_admin\": false}",
        "\"description\": \"A description with \\\"quotes\\\", a tab \\t, 日本語 and 🏗️ for item \(number)\"",
        "\"fork\": false", "\"created_at\": \"2015-10-23T21:15:07Z\"",
        "\"pushed_at\": \"2026-09-20T09:12:44Z\"",
        "\"size\": \(number * 731)", "\"stargazers_count\": \(number * 37)", "\"forks_count\": \(number)",
        "\"language\": \(number % 7 == 0 ? "null" : "\"Swift\"")",
        "\"license\": {\"key\": \"mit\", \"name\": \"MIT License\", \"spdx_id\": \"MIT\", \"url\": \"\(base)/license\"}",
        "\"topics\": [\"swift\", \"terminal\", \"linux\", \"cli\"]", "\"score\": 1.0",
      ] + links
    return "{\(members.joined(separator: ",\n      "))}"
  }
}
