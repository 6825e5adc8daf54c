/// A token for a position in the rows of a query: the position, and a checksum that binds it to the query.
struct Cursor {
  private let query: String

  /// - Parameter query: The search text.
  init(of query: String) { self.query = query }

  init(_ request: Request) { query = request.query["q"] ?? "" }

  func token(_ position: Int) -> String {
    String(position, radix: 36) + "-" + String(check(position), radix: 36)
  }

  /// The position of a token; 0 without one.
  func position(_ token: String?) throws(Refusal) -> Int {
    guard let token, !token.isEmpty else { return 0 }
    let digits = token.prefix { $0 != "-" }
    guard let position = Int(digits, radix: 36), Self.positions.contains(position),
      self.token(position) == token
    else {
      throw Refusal(400, "cursor '\(token)' does not belong to this query")
    }
    return position
  }

  /// Limited so that a forged token cannot cause an overflow.
  private static let positions = 0...1_000_000_000

  /// FNV-1a over the position and the query's text.
  private func check(_ position: Int) -> UInt32 {
    "\(position) \(query)".utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }
}
