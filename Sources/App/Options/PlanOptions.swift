package import ArgumentParser
import Search

/// Options for how a search is divided into shards.
package struct PlanOptions: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp("Divide the search into up to this many shards.", valueName: "count"))
  package var shards: Int

  @Option(
    help: ArgumentHelp(
      "Share the rate limits among this many simultaneous runs (default: as many as shards).",
      valueName: "count"))
  package var workers: Int?

  @Flag(help: "Print JSON Lines for riffle search --shard-from-stdin instead of commands.")
  package var json = false

  package init() {}

  package mutating func validate() throws {
    let most = RateShare.largestCount
    for (name, value) in [("shards", shards), ("workers", workers ?? 1)] where !(1...most ~= value) {
      throw ValidationError("invalid value \"\(value)\" for --\(name): expected an integer from 1 to \(most)")
    }
  }
}
