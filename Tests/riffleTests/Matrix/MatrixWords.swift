/// The program's messages without the parts that differ between runs.
enum MatrixWords {
  static func lasting(_ words: String, _ service: FaultyService) -> String {
    let lines = words.replacing(service.baseURL, with: "SERVICE")
      .replacing(#/http://localhost:[0-9]+/#, with: "http://localhost:PORT")
      .replacing(#/a wait of 1 h [0-9]+ min/#, with: "a wait of 1 h")
      .replacing(#/retry after [0-9:]+/#, with: "retry after TIME")
      .replacing(#/Retry after [-0-9: ]+/#, with: "Retry after TIME")
      .replacing(#/after [-0-9: ]+, run/#, with: "after TIME, run")
      .split(separator: "\n").map { $0.hasPrefix(program) ? $0.dropFirst(program.count) : $0 }
    // `add` prints the rows of the page first.
    return lines.drop { line in !line.hasPrefix("pages:") && lines.contains { $0.hasPrefix("pages:") } }
      .joined(separator: "\n")
  }

  private static let program = "riffle: "
}
