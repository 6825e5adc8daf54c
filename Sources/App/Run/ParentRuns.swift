import Config
import HTTPTransport
import Search

extension Run {
  /// The runs of a source and, with `--each`, of the sources above it, the topmost first.
  ///
  /// - Parameter resumedPageSize: The page size of the run that is resumed.
  static func lineage(
    _ request: RequestOptions, _ dependencies: Dependencies, rows: RowOptions, resumedPageSize: Int? = nil
  ) throws(CommandError) -> [Run] {
    let configuration = try Configuration(
      dependencies, file: request.config, commandLine: request.settingValues)
    guard let name = request.source else {
      throw CommandError("no source given. To list sources, run: riffle sources list", .usage)
    }
    let leaf = try configuration.entry(name)
    guard rows.each else {
      return [
        try Run(
          request, of: leaf, dependencies, rows: rows, resumedPageSize: resumedPageSize, configuration)
      ]
    }
    guard let parent = leaf.source.parent else {
      throw CommandError("--each cannot be used: source \(leaf.source.id) has no [parent]", .usage)
    }
    let chosen = Dictionary(request.set.map { ($0.name, $0.value) }) { $1 }
    if chosen[parent.name] != nil {
      throw CommandError("--each and --set \(parent.name)=… cannot be used together", .usage)
    }
    let entries = try configuration.lineage(of: leaf, options: chosen)
    // Values of parents, which may also be placed further down.
    let open = Set(entries.compactMap(\.source.parent?.name).filter { chosen[$0] == nil })
    // An option that no source knows is reported for the last one.
    let known = Set(entries.dropLast().flatMap { $0.source.options.map(\.name) })
    // The query is that of the last list that needs one, else of the last that takes one.
    let takers = entries.indices.filter { entries[$0].source.usesQuery }
    let needers = takers.filter { entries[$0].source.needsQuery }
    let searched = needers.last ?? takers.last ?? entries.count - 1
    if needers.count > 1 {
      let ids = needers.map { entries[$0].source.id }.joined(separator: " and ")
      let names = needers.count == 2 ? "both \(ids)" : ids
      throw CommandError(
        "--each cannot be used: \(names) need a query. Choose one list with --set \(parent.name)=…",
        .usage)
    }
    let connections = HTTPConnections(
      TransportConfiguration(dependencies, configuration.settings, isInsecure: request.insecure))
    var runs: [Run] = []
    for (index, entry) in entries.enumerated() {
      let names = Set(entry.source.options.map(\.name))
      var own = request
      let isLeaf = index == entries.count - 1
      own.set.removeAll { !names.contains($0.name) && (!isLeaf || known.contains($0.name)) }
      if index != searched { own.words = [] }
      if !isLeaf {
        own.param = []
        own.pageSize = nil
        if entry.source.origin(options: chosen) != leaf.source.origin(options: chosen) {
          own.requestHeader = []
        }
      }
      var all = try RowOptions.unset()
      all.all = true
      all.rateShare = rows.rateShare
      runs.append(
        try Run(
          own, of: entry, leaving: open.intersection(names), dependencies, rows: isLeaf ? rows : all,
          resumedPageSize: isLeaf ? resumedPageSize : nil, configuration, connections))
    }
    return runs
  }

  /// What a run of the lists under all rows of these parents loads; nil for the run of a single list.
  func lists(under parents: [Run], _ start: SearchInitialState, _ rows: RowOptions) -> ParentTraversal.Rules?
  {
    guard rows.each else { return nil }
    let runs = parents + [self]
    let origins = runs.map { $0.source.origin(options: $0.sampleQuery.options) }
    let levels = runs.indices.map { index in
      let isLeaf = index == parents.count
      var level = ParentTraversal.Level(
        rules: isLeaf ? start.rules : runs[index].sessionRules(), query: runs[index].query,
        parentName: index > 0 || runs[0].parentValues != nil ? runs[index].source.parent?.name : nil)
      level.rules.keepsLog = start.rules.keepsLog
      level.rules.requestsTotal = false
      level.origin = origins.firstIndex(of: origins[index]) ?? index
      return level
    }
    var lists = ParentTraversal.Rules(levels: levels, demand: start.demand)
    lists.values = runs[0].parentValues
    lists.skipsFailures = rows.onParentError == .skip
    if case .parents(let share)? = rows.shard { lists.share = share }
    return lists
  }
}
