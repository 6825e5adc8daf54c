/// Lists that do not end, are inconsistent, or lead to another host.
extension Fault {
  static let loop = Fault("loop", "the first page forever; its next page is itself") { $0.paging = .looping }

  static let duplicates = Fault(
    "duplicates", "each page starts with the last \(Paging.overlap) rows of the previous one"
  ) { $0.paging = .overlapping }

  static let empty = Fault("empty", "every second page is empty and has a next page") { $0.paging = .gapped }

  static let crossLink = Fault(
    "crosslink", "absolute next URLs lead to another origin, this server as localhost"
  ) { $0.linkBase = $0.otherBaseURL }
}
