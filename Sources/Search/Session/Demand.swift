/// How far a session should load.
package enum Demand: Sendable, Hashable {
  case nothing
  /// So many more pages than are loaded now; those without rows do not count.
  case pages(Int)
  /// Until this many rows are there in all.
  case rows(Int)
  case everything

  /// Several pages in one go, which is when pacing counts.
  package var isBulk: Bool {
    switch self {
    case .nothing: false
    case .pages(let count): count > 1
    case .rows, .everything: true
    }
  }

  /// What is left of it after a page with rows.
  var afterOnePage: Demand {
    if case .pages(let count) = self { count > 1 ? .pages(count - 1) : .nothing } else { self }
  }

  /// Both together: the one that reaches farther. The order of the two does not matter, and a demand merged with
  /// itself is itself, so a key that repeats while a page is on its way does not pile up pages.
  package func merged(with other: Demand) -> Demand {
    switch (self, other) {
    case (.everything, _), (_, .everything): .everything
    case (.nothing, let demand), (let demand, .nothing): demand
    case (.pages(let a), .pages(let b)): .pages(max(a, b))
    case (.rows(let a), .rows(let b)): .rows(max(a, b))
    // Rows are what a refresh covers; pages asked for meanwhile lie beyond all of them (`want`).
    case (.pages(let count), .rows), (.rows, .pages(let count)): .pages(count)
    }
  }
}

extension Session {
  /// How many rows are to be loaded in all, as far as one knows; nil when the list's length is unknown, or
  /// single pages are asked for.
  package var rowsWanted: Int? {
    switch demand {
    case .nothing, .pages: nil
    case .rows(let count): total.map { min(count, $0.count) } ?? count
    case .everything: total?.count
    }
  }

  /// Load on: what was wanted before and has not come is still wanted, except after a stop, which gave it up. A wait
  /// is not cut short.
  mutating func want(_ wish: Demand) {
    let wish = beyondOldRows(wish)
    guard wish != .nothing else { return }
    switch phase {
    case .idle where frontier != nil:
      demand = wish
      isBulk = wish.isBulk
      phase = .loading(.more)
      proceed()
    case .loading, .waiting:
      merge(wish)
      proceed()
    case .failed:
      merge(wish)
      retry()
    case .stopped(let load):
      demand = wish
      isBulk = wish.isBulk
      phase = .loading(load)
      proceed()
    case .idle, .end: break
    }
  }

  private mutating func merge(_ wish: Demand) {
    demand = demand.merged(with: wish)
    isBulk = isBulk || wish.isBulk
  }

  /// More pages than are shown: while old rows stand in for pages that a refresh has not reached, those pages first.
  private func beyondOldRows(_ wish: Demand) -> Demand {
    guard case .pages(let count) = wish, count > 0, let stale, stale.cause == .refresh else { return wish }
    return .pages(max(0, stale.pageCount - pageCount) + count)
  }
}
