import Detection
import HTTPValues
import Search

/// A respond with the given body, built for a test.
func response(
  _ body: String, at url: String = "https://api.example.org/search?q=tea", headers: [(String, String)] = [],
  status: Int = 200
) throws -> HTTPResponse {
  HTTPResponse(
    status: status, headers: HTTPFields(headers.map { HTTPField(received: $0.0, value: $0.1) }),
    body: Array(body.utf8), url: try WebURL(url))
}

/// The `[pagination]` table of the best guess, without comments and page size.
func pagination(_ response: HTTPResponse) throws -> [String] {
  let guess = try SourceGuess(response)
  let document = guess.document(id: "x", title: "x", pagination: guess.paginations[0])
  let table = document.split(separator: "\n").drop { $0 != "[pagination]" }.dropFirst().prefix {
    $0 != "[rows]"
  }
  return table.filter { !$0.hasPrefix("#") && !$0.hasPrefix("size") }.map(String.init)
}

extension SourceGuess {
  /// The guess from a page that was requested by its address alone.
  init(_ response: HTTPResponse) throws { try self.init(response, to: example(of: response.url)) }
}

extension RequestGuess {
  init(_ address: WebURL) throws { try self.init(example(of: address)) }
}

private func example(of address: WebURL) throws -> RequestExample {
  try RequestExample(WrittenRequest(WrittenText(address.description)), service: "SERVICE")
}
