/// Prints what the library costs. Run it in release: `RIFFLE_TOOLS=1 swift run -c release LoopBenchmark`.
@main
enum Benchmarks {
  static func main() async {
    if CommandLine.arguments.contains("ratios") { return await printRatios() }
    if CommandLine.arguments.contains("keyed") { return print(await keyedRatio()) }
    print("measure".padded(to: 66), "median".padded(to: 14), "best of 7 runs")
    eventsBare().report()
    eventsWithFiveFeedbacks().report()
    eventsFromFourSenders().report()
    for rows in [10, 10_000] { unchangedState(rows: rows).report() }
    await effectRoundTrips().report()
    await cancellations().report()
    idleLatency().report()
    await observerLatency().report()
    await printRatios()
  }
}
