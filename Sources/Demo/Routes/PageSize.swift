/// How many rows a page holds.
enum PageSize {
  static let standard = 30
  static let range = 1...100

  /// What the parameter of that name asks for, never above 100.
  static func asked(by name: String, of request: Request) throws(Refusal) -> Int {
    try request.query.number(name, in: range, standard: standard)
  }

  /// What a body asks for.
  static func asked(_ size: Int?) -> Int { min(max(size ?? standard, range.lowerBound), range.upperBound) }
}
