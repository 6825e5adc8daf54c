/// How much a session should load.
package enum Demand: Sendable, Hashable {
  case nothing
  /// This many more pages than are loaded now; pages without rows do not count.
  case pages(Int)
  /// Up to this many rows in total.
  case rows(Int)
  case everything

  /// Whether more than one page is wanted, in which case requests are paced.
  package var isBulk: Bool {
    switch self {
    case .nothing: false
    case .pages(let count): count > 1
    case .rows, .everything: true
    }
  }

  /// The remaining demand after a page with rows.
  var afterOnePage: Demand {
    if case .pages(let count) = self { count > 1 ? .pages(count - 1) : .nothing } else { self }
  }

  /// The larger of two demands. Commutative and idempotent, so a key that repeats while a page is loading
  /// does not queue more pages.
  package func merged(with other: Demand) -> Demand {
    switch (self, other) {
    case (.everything, _), (_, .everything): .everything
    case (.nothing, let demand), (let demand, .nothing): demand
    case (.pages(let a), .pages(let b)): .pages(max(a, b))
    case (.rows(let a), .rows(let b)): .rows(max(a, b))
    // A row count comes from a refresh; pages requested during it are beyond those rows (`want`).
    case (.pages(let count), .rows), (.rows, .pages(let count)): .pages(count)
    }
  }
}

extension Session {
  /// The total number of rows to load, as far as known; nil if the length of the list is unknown or only
  /// single pages are wanted.
  package var rowsWanted: Int? {
    switch demand {
    case .nothing, .pages: nil
    case .rows(let count): total.map { min(count, $0.count) } ?? count
    case .everything: total?.count
    }
  }

  /// Loads more. An earlier demand that is not met yet remains, except after a stop, which canceled it. A
  /// wait is not cut short.
  mutating func want(_ requested: Demand) {
    let requested = beyondStaleRows(requested)
    guard requested != .nothing else { return }
    switch phase {
    case .idle where nextPosition != nil:
      demand = requested
      isBulk = requested.isBulk
      phase = .loading(.more)
      proceed()
    case .loading, .waiting:
      merge(requested)
      proceed()
    case .failed:
      merge(requested)
      retry()
    case .stopped(let load):
      demand = requested
      isBulk = requested.isBulk
      phase = .loading(load)
      proceed()
    case .idle, .end: break
    }
  }

  private mutating func merge(_ requested: Demand) {
    demand = demand.merged(with: requested)
    isBulk = isBulk || requested.isBulk
  }

  /// The demand for pages beyond those shown: while stale rows stand in for pages that a refresh has not
  /// reached, those pages come first.
  private func beyondStaleRows(_ requested: Demand) -> Demand {
    guard case .pages(let count) = requested, count > 0, let stale, stale.cause == .refresh else {
      return requested
    }
    return .pages(max(0, stale.pageCount - pageCount) + count)
  }
}
