/// Lists that do not end, are inconsistent, or lead to another host.
extension Fault {
  static let loop = Fault("loop", "the first page for ever; its next is itself") { $0.paging = .looping }

  static let duplicates = Fault(
    "duplicates", "each page begins with the last \(Paging.overlap) rows of the one before"
  ) { $0.paging = .overlapping }

  static let empty = Fault("empty", "every second page is empty and has a next") { $0.paging = .gapped }

  static let crossLink = Fault(
    "crosslink", "whole next URLs lead to another origin, this server as localhost"
  ) { $0.linkBase = $0.otherBaseURL }
}
