extension Session {
  /// The service has forgotten the place in the list (rule 18): from the first page again, passing over the
  /// rows that are here. Where rows have no key they cannot be told apart, and are loaded anew.
  mutating func restart() {
    guard let load = phase.load else { return }
    guard fresh.isKeyed else { return refresh(rows: fresh.count) }
    generation += 1
    slots = []
    frontier = rules.first
    walk = Walk(known: fresh.count)
    phase = .loading(load)
    proceed()
  }
}
