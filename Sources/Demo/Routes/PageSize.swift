/// The number of rows per page.
enum PageSize {
  static let standard = 30
  static let range = 1...100

  /// The page size in a parameter, limited to 100.
  static func requested(by name: String, of request: Request) throws(Refusal) -> Int {
    try request.query.number(name, in: range, standard: standard)
  }

  /// The page size in a request body.
  static func requested(_ size: Int?) -> Int {
    min(max(size ?? standard, range.lowerBound), range.upperBound)
  }
}
