import ArgumentParser
import Search

/// Which rows are wanted, and in what order.
struct RowOptions: ParsableArguments {
  @Option(
    name: [.customShort("n"), .long],
    help: ArgumentHelp("Write this many rows, as many pages as that takes.", valueName: "rows"))
  var limit: Int?

  @Flag(name: [.short, .long], help: "Write every row, to the end of the list.")
  var all = false

  @Option(help: ArgumentHelp("Ask for no more pages than this.", valueName: "pages"))
  var maxPages: Int?

  @Option(
    help: ArgumentHelp(
      "Sort the rows by a column, when all have come; :desc for the largest first.",
      valueName: "name[:desc]"))
  var sort: String?

  mutating func validate() throws {
    for (name, value) in [("limit", limit), ("max-pages", maxPages)] {
      if let value, value < 1 { throw ValidationError("--\(name) \(value): at least 1 is needed") }
    }
    if limit != nil, all { throw ValidationError("--limit and --all exclude each other") }
  }

  var demand: Demand {
    if let limit { return .rows(limit) }
    return all ? .everything : .pages(1)
  }
}
