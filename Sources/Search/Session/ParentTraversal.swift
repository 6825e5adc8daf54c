import HTTPValues
import Text

/// The lists that a scripted run loads, as a value: one list, or a nested list for each row of a parent. Nested lists
/// are written in the order of the parents, as if they were one list, while the next ones are being loaded.
///
/// The next actions are derived from this value (`requests`, `alarm`). Memory: 8 bytes per parent.
package struct ParentTraversal: Sendable {
  package let rules: Rules
  /// The lists that are not finished, by level, in order. The first of the last level is written.
  private var open: [[OpenList]]
  /// The values of `rules.values` whose lists are not opened yet.
  private var values = ParentQueue()
  /// The list that the run ended with, or the first one.
  private var last: Session
  private var openedCount = 0
  /// The totals of finished lists.
  private var finished = FinishedTotals()
  /// Lists that were given up.
  package private(set) var failures: [Failure] = []
  package private(set) var failureCount = 0
  /// Lists that earlier runs gave up before the point at which this one continues.
  package let leftOutBefore: LeftOutLists
  /// Finished lists whose rows may not all have arrived, including lists of parents and lists of earlier runs.
  package private(set) var incompleteLists: [IncompleteList]
  /// The reason why the run cannot continue where an earlier one stopped; nil if it can.
  private var lostPlace: PageError?
  private var mergedLog: [LoggedRequest] = []
  /// The parents at which an earlier run stopped, from the topmost on.
  private let resumePath: [ParentPoint]
  /// The number of elements of `resumePath` that have been found again.
  private var resumed = 0
  /// The known limits of each origin.
  private var limits: [Int: Session.SharedLimits] = [:]

  /// The number of lists of a level that may be open, if there are requests to spare.
  private static let maxOpen = 8
  /// The maximum number of notes and failures that are stored.
  private static let maxNotes = 20

  /// The fixed rules of a run.
  package struct Rules: Sendable, Hashable {
    /// The levels from the topmost parent to the list that is written; at least one.
    package var levels: [Level]
    /// The values of the parents of the first level, if these are not rows of a list.
    package var values: [String]?
    /// The topmost parents whose lists are loaded; nil for all.
    package var share: ParentShare?
    /// Whether a list that fails is left out, instead of ending the run.
    package var skipsFailures = false
    /// The demand for the last level: a number of rows counts all lists, a number of pages counts for each list.
    package var demand: Demand

    package init(levels: [Level], demand: Demand) {
      self.levels = levels
      self.demand = demand
    }
  }

  /// The lists with the same number of parents above them.
  package struct Level: Sendable, Hashable {
    package var rules: Session.Rules
    /// The query, without the value of the parent.
    package var query: Query
    /// `Parent.name`; nil for a list without a parent.
    package var parentName: String?
    /// The number of the first level whose requests go to the same origin, and so share its limits.
    package var origin = 0

    package init(rules: Session.Rules, query: Query, parentName: String? = nil) {
      self.rules = rules
      self.query = query
      self.parentName = parentName
    }
  }

  /// A list that was given up, and why.
  package struct Failure: Sendable, Hashable {
    /// The parents of the list, the topmost first: `project 42`.
    package let parents: String
    package let error: PageError
  }

  /// A list that is unconfirmed, or partial although the user asked for all of it.
  package struct IncompleteList: Sendable, Hashable, Codable {
    /// The parents of the list, as in `Failure`; empty for the list of the topmost parents.
    package let parents: String
    package let completeness: Completeness

    /// `project 42: the service reports 90 rows but returned 70`
    package var text: String {
      "\(parents.isEmpty ? "the list of parents" : parents): \(completeness.reason ?? "complete")"
    }

    package var isPartial: Bool { if case .partial = completeness { true } else { false } }
  }

  /// The counts of finished lists.
  private struct FinishedTotals {
    var lists = 0
    var rows = 0
    var pages = 0
    var duplicates = 0
    var notes: [String] = []
  }

  /// A list that is not finished.
  private struct OpenList {
    var session: Session
    /// The parents above the list.
    let path: [ParentPoint]
    /// The rows of the list whose nested lists are not opened yet.
    var parentQueue = ParentQueue()
    /// The number of the last request of its log that is in `mergedLog`.
    var logged = 0
  }

  /// Parents whose lists are not opened yet.
  private struct ParentQueue {
    var rows: ArraySlice<ParentRow?> = []
    /// The parents that count; nil for all.
    var share: ParentShare?
    /// The values of all parents before those in `rows`.
    private var seen = SeenKeys()

    var isEmpty: Bool { rows.isEmpty }

    /// The next parent. Another row with the same value has the same list.
    mutating func next() -> ParentRow? {
      while let row = rows.popFirst() {
        guard let row, share?.contains(row.value) ?? true else { continue }
        if row.value.isEmpty { return row }
        let key = RowKey.hash(row.value)
        if seen.contains(key) { continue }
        seen.insert([key])
        return row
      }
      return nil
    }
  }

  package init(rules: Rules) {
    self.rules = rules
    open = rules.levels.map { _ in [] }
    last = Session(rules: rules.levels[0].rules, query: rules.levels[0].query)
    resumePath = rules.levels.last?.rules.resumePoint?.parents ?? []
    leftOutBefore = rules.levels.last?.rules.resumePoint?.leftOut ?? LeftOutLists()
    incompleteLists = rules.levels.last?.rules.resumePoint?.incomplete ?? []
    if let values = rules.values {
      self.values.rows = values.map { ParentRow(value: $0) }[...]
      self.values.share = rules.share
    } else {
      begin(0, path: [], under: nil)
    }
    proceed()
  }

  /// Creates the lists of a run that continues a single list.
  package init(_ session: Session) {
    rules = Rules(levels: [Level(rules: session.rules, query: session.query)], demand: session.demand)
    open = [[OpenList(session: session, path: [])]]
    last = session
    resumePath = []
    leftOutBefore = LeftOutLists()
    incompleteLists = []
  }

  private var leaf: Int { open.count - 1 }

  /// Whether the run loads nested lists.
  package var isWalk: Bool { leaf > 0 || rules.values != nil }
}

extension ParentTraversal {
  /// The list that the run is waiting for: the list to write, else its parent's, else the last one.
  package var current: Session { open.last { !$0.isEmpty }?.first?.session ?? last }

  /// The parents of `current`, the topmost first: `project 42`; empty if it has none.
  package var currentParents: String {
    if lostPlace != nil { return "" }
    return open.last { !$0.isEmpty }?.first.map { names(of: $0.path) } ?? ""
  }

  /// The first page that is loaded and not written.
  package var unwritten: UnwrittenPage? {
    guard let list = open[leaf].first, let (ordinal, loaded) = list.session.unwritten else { return nil }
    var block = loaded
    if isWalk { block.resumePoint = resumePoint(after: block, of: list) }
    return UnwrittenPage(
      query: list.session.query, list: list.session.list, generation: list.session.generation,
      ordinal: ordinal, number: finished.pages + ordinal, block: block)
  }

  /// The pages to request now.
  package var requests: [PageRequest] {
    isSettled ? [] : open.reversed().flatMap { $0.flatMap(\.session.requests) }
  }

  /// See `Session.alarm`.
  package var alarm: Double? { open.joined().compactMap(\.session.alarm).min() }

  package var totalQuery: TotalQuery? { isWalk ? nil : current.totalQuery }

  /// Whether loading is over, although pages may remain to be written.
  package var isSettled: Bool {
    guard isWalk else { return current.isSettled }
    return lostPlace != nil || remaining == .rows(0) || values.isEmpty && open.allSatisfy(\.isEmpty)
      || isStuck(current)
  }

  /// The error that ended the run early; nil if there is none.
  package var failure: PageError? { lostPlace ?? (isWalk && !isStuck(current) ? nil : error(of: current)) }

  /// The error for which a list was given up; nil if it was not.
  private func error(of list: Session) -> PageError? {
    switch list.phase {
    case .failed(_, let error): error
    case .end(.refusedNext(let why)) where isWalk && list.isWantingMore: PageError(.unreadable, message: why)
    case .idle, .loading, .waiting, .stopped, .end: nil
    }
  }

  /// Whether every list has reached its end, as opposed to a limit set by the user.
  package var areOver: Bool {
    isWalk
      ? lostPlace == nil && values.isEmpty && open.allSatisfy(\.isEmpty) && rules.demand == .everything
      : current.isListOver
  }

  /// Whether all rows of all lists have arrived.
  package var completeness: Completeness {
    guard isWalk else { return current.completeness ?? .partial(reason: "stopped") }
    if let failure { return .partial(reason: failure.message) }
    let leftOut = failureCount + leftOutBefore.count
    if leftOut > 0 { return .partial(reason: "left out \(Digits.counted(leftOut, "list"))") }
    if let list = incompleteLists.first(where: \.isPartial) { return .partial(reason: list.text) }
    guard areOver else { return .partial(reason: "not all lists were requested") }
    return incompleteLists.first.map { .unconfirmed(reason: $0.text) } ?? .complete
  }

  /// The number of lists that were written, not counting those that were given up.
  package var doneCount: Int { finished.lists }
  package var writtenRowCount: Int { finished.rows + (open[leaf].first?.session.writtenRowCount ?? 0) }
  /// The number of rows loaded, written or not.
  package var rowCount: Int { finished.rows + open[leaf].reduce(0) { $0 + $1.session.freshCount } }
  package var pageCount: Int { finished.pages + open[leaf].reduce(0) { $0 + $1.session.pageCount } }
  package var duplicates: Int { finished.duplicates + open[leaf].reduce(0) { $0 + $1.session.duplicates } }
  package var log: [LoggedRequest] { isWalk ? mergedLog : current.log }

  package var notes: [String] {
    isWalk ? finished.notes + open.joined().flatMap(notes(of:)) : current.notes
  }

  private func notes(of list: OpenList) -> [String] {
    list.session.notes.map { list.path.isEmpty ? $0 : "\(names(of: list.path)): \($0)" }
  }

  /// The parents of a list: `group 7, project 42`.
  private func names(of path: [ParentPoint]) -> String {
    let names = rules.levels.compactMap(\.parentName)
    return zip(names, path).map { "\($0) \($1.value)" }.joined(separator: ", ")
  }

  /// Where a run resumes after a page: after the last page of a list with the next parent.
  private func resumePoint(after block: RowStore.Block, of list: OpenList) -> ResumePoint? {
    var point: ResumePoint
    var incomplete = incompleteLists
    if let next = block.resumePoint {
      point = next
      point.parents = list.path
    } else {
      guard list.session.isListOver, list.session.fresh.blocks.count == 1 else { return nil }
      var parents = list.path
      parents[parents.count - 1].isDone = true
      point = ResumePoint(next: rules.levels[leaf].rules.first, received: 0)
      point.parents = parents
      incomplete += [incompleteness(of: list)].compactMap(\.self)
    }
    point.leftOut = leftOut
    point.incomplete = incomplete.isEmpty ? nil : incomplete
    return point
  }

  /// The lists that this run and earlier ones have given up, all of which come before the first open one.
  private var leftOut: LeftOutLists? {
    let count = leftOutBefore.count + failureCount
    let parents = (leftOutBefore.parents + failures.map(\.parents)).prefix(Self.maxNotes)
    return count == 0 ? nil : LeftOutLists(count: count, parents: Array(parents))
  }

  /// The rest of the demand for lists of the last level.
  private var remaining: Demand {
    if case .rows(let count) = rules.demand { .rows(max(0, count - finished.rows)) } else { rules.demand }
  }

  /// Whether a list ends the run: other lists would fail in the same way, or failures are not skipped.
  private func isStuck(_ session: Session) -> Bool {
    if session.phase.isStopped { return true }
    return isGivenUp(session) && !canSkip(session)
  }

  private func isGivenUp(_ session: Session) -> Bool { error(of: session) != nil }

  private func canSkip(_ session: Session) -> Bool {
    guard rules.skipsFailures, session.list?.level ?? 0 > 0 || rules.values != nil else { return false }
    return error(of: session)?.concernsOneList ?? false
  }
}

/// A page that is loaded and not written.
package struct UnwrittenPage: Sendable {
  package let query: Query
  package let list: ListID?
  package let generation: Int
  /// The number of the page in its list, from 0.
  package let ordinal: Int
  /// The number of the page in the run, from 0.
  package let number: Int
  package let block: RowStore.Block
}

extension PageError {
  /// Whether requests of other lists may still succeed.
  fileprivate var concernsOneList: Bool {
    switch kind {
    case .offline, .rateLimited: false
    case .unauthorized: status == 403
    case .connection, .rejected, .server, .unreadable, .invalidRequest: true
    }
  }
}

extension ParentTraversal {
  package mutating func reduce(_ event: SessionEvent) {
    guard isWalk else {
      open[0][0].session.reduce(event)
      return
    }
    switch event {
    case .loaded(_, let request): change(request.list, event)
    case .failed(_, let request, _): change(request.list, event)
    case .reached:
      for level in open.indices { for index in open[level].indices { change(level, index, event) } }
    case .written, .stopped, .retried: if !open[leaf].isEmpty { change(leaf, 0, event) }
    // A run of several lists asks for no totals, and its lists are opened here.
    case .totalReceived, .totalFailed, .searched, .wanted, .refreshed: break
    }
    proceed()
  }

  private mutating func change(_ id: ListID?, _ event: SessionEvent) {
    guard let id, open.indices.contains(id.level),
      let index = open[id.level].firstIndex(where: { $0.session.list == id })
    else { return }
    change(id.level, index, event)
  }

  private mutating func change(_ level: Int, _ index: Int, _ event: SessionEvent) {
    change(level, index) { $0.reduce(event) }
  }

  /// Changes a list. All lists of one origin share its limits, so the list gets the latest known limits before the
  /// change.
  private mutating func change(_ level: Int, _ index: Int, _ change: (inout Session) -> Void) {
    let origin = rules.levels[level].origin
    open[level][index].session.sharedLimits = limits[origin]
    open[level][index].session.otherRequests = otherRequests(than: level, index)
    change(&open[level][index].session)
    limits[origin] = open[level][index].session.sharedLimits
    note(open[level][index].session.log, of: level, index)
  }

  /// Adds the new requests of a list to the log of the run.
  private mutating func note(_ log: [LoggedRequest], of level: Int, _ index: Int) {
    for var entry in log where entry.number > open[level][index].logged {
      open[level][index].logged = entry.number
      entry.number = (mergedLog.last?.number ?? 0) + 1
      if mergedLog.count == Session.maxLogged { mergedLog.removeFirst() }
      mergedLog.append(entry)
    }
  }

  /// The number of requests to the origin of a list that are sent or scheduled by others.
  private func otherRequests(than level: Int, _ index: Int) -> Int {
    let origin = rules.levels[level].origin
    let all = open.indices.lazy.filter { [rules] in rules.levels[$0].origin == origin }
      .flatMap { [open] in open[$0] }.reduce(0) { $0 + $1.session.pendingRequests }
    return all - open[level][index].session.pendingRequests
  }

  /// Finishes lists, requests pages, and opens the next lists with what is left of the requests.
  private mutating func proceed() {
    guard isWalk else { return }
    var isChanged = true
    while isChanged, lostPlace == nil {
      isChanged = false
      for level in open.indices.reversed() {
        if level < leaf, takeParents(level) { isChanged = true }
        if finishFirst(level) { isChanged = true }
      }
      if isSettled { return }
      requestPages()
      for level in open.indices.reversed() where openNext(level) { isChanged = true }
    }
  }

  /// Parents first: they are few, and without them no list can be opened.
  private mutating func requestPages() {
    for level in open.indices {
      for index in open[level].indices where !open[level][index].session.isSettled {
        change(level, index) { $0.proceed() }
      }
    }
  }

  /// Takes the rows of the next page of a parent's list, so that their lists can be opened.
  private mutating func takeParents(_ level: Int) -> Bool {
    guard let list = open[level].first, list.parentQueue.isEmpty,
      let (ordinal, block) = list.session.unwritten
    else { return false }
    if case .parents(let parents)? = block.content {
      open[level][0].parentQueue.rows = block.kept.map { parents[Int($0)] }[...]
    }
    change(level, 0, .written(ordinal, generation: list.session.generation))
    return true
  }

  /// Opens the list of the next parent, if there is one and a list to spare.
  private mutating func openNext(_ level: Int) -> Bool {
    let isFirst = level == 0
    if isFirst ? values.isEmpty : open[level - 1].first?.parentQueue.isEmpty ?? true { return false }
    guard canOpen(level) else { return false }
    let path = isFirst ? [] : open[level - 1][0].path
    guard let parent = isFirst ? values.next() : open[level - 1][0].parentQueue.next() else {
      if isFirst { checkPlace(at: path) }
      return true
    }
    var point = ParentPoint(value: parent.value)
    if resumed == path.count, resumed < resumePath.count {
      guard parent.value == resumePath[resumed].value else {
        if isFirst, values.isEmpty { checkPlace(at: path) }
        return true
      }
      point.isDone = resumePath[resumed].isDone
      resumed += 1
    }
    if !point.isDone { begin(level, path: path + [point], under: parent) }
    return true
  }

  private func canOpen(_ level: Int) -> Bool {
    if remaining == .rows(0) { return false }
    if open[level].isEmpty { return true }
    // The number of rows wanted from the next list is unknown before this list ends.
    if case .rows = rules.demand { return false }
    // The limits are unknown before the first response.
    guard open[level].count < Self.maxOpen, limits[rules.levels[level].origin]?.lastSentAt ?? 0 > 0 else {
      return false
    }
    let concurrency = rules.levels[level].rules.concurrency
    return otherRequests(than: level, 0) + open[level][0].session.pendingRequests < concurrency
  }

  private mutating func begin(_ level: Int, path: [ParentPoint], under parent: ParentRow?) {
    var (rules, query) = (rules.levels[level].rules, rules.levels[level].query)
    if path != resumePath {
      rules.resumePoint = nil
    } else if isWalk, let pages = rules.resumePoint?.next.ordinal {
      rules.maxPages = rules.maxPages.map { max(0, $0 - pages) }
    }
    for (name, point) in zip(self.rules.levels.compactMap(\.parentName), path)
    where query.options[name] != nil {
      query.options[name] = point.value
    }
    query.parent = parent
    var session = Session(rules: rules, query: query)
    session.list = isWalk ? ListID(level: level, number: openedCount) : nil
    openedCount += 1
    open[level].append(OpenList(session: session, path: path))
    let index = open[level].count - 1
    if level == 0, self.rules.values == nil { open[0][index].parentQueue.share = self.rules.share }
    if let name = self.rules.levels[level].parentName, parent?.value.isEmpty ?? false {
      open[level][index].session.refuse(
        PageError(.invalidRequest, message: "a row of the parent has no value for {\(name)}"))
    } else {
      change(level, index, .searched(query, level == leaf ? remaining : .everything))
    }
  }

  /// Removes the first list of a level if it is finished.
  private mutating func finishFirst(_ level: Int) -> Bool {
    guard let list = open[level].first, list.session.isSettled, list.session.unwritten == nil,
      list.parentQueue.isEmpty, !isStuck(list.session)
    else { return false }
    // Its failure is reported after the lists of its rows.
    if level < leaf, isGivenUp(list.session), !open[level + 1].isEmpty { return false }
    if let error = error(of: list.session) {
      failureCount += 1
      if failures.count < Self.maxNotes {
        failures.append(Failure(parents: names(of: list.path), error: error))
      }
      // The resume point is given up along with the list that contains it.
      if resumed == list.path.count { resumed = resumePath.count }
    } else if level < leaf {
      checkPlace(at: list.path)
    }
    for note in notes(of: list) where !finished.notes.contains(note) && finished.notes.count < Self.maxNotes {
      finished.notes.append(note)
    }
    if level == leaf { add(list) }
    if incompleteLists.count < Self.maxNotes, let incomplete = incompleteness(of: list) {
      incompleteLists.append(incomplete)
    }
    last = list.session
    open[level].removeFirst()
    return true
  }

  private mutating func add(_ list: OpenList) {
    let session = list.session
    if !isGivenUp(session) { finished.lists += 1 }
    finished.rows += session.writtenRowCount
    finished.pages += session.pageCount
    finished.duplicates += session.duplicates
  }

  /// Nil if all rows of a finished list have arrived, or it was given up.
  private func incompleteness(of list: OpenList) -> IncompleteList? {
    guard !isGivenUp(list.session), let completeness = list.session.completeness else { return nil }
    switch completeness {
    case .complete: return nil
    case .partial where !list.session.isWantingMore: return nil
    case .unconfirmed, .partial:
      return IncompleteList(parents: names(of: list.path), completeness: completeness)
    }
  }

  /// Ends the run if the list under these parents should have contained the parent at which an earlier run stopped.
  private mutating func checkPlace(at path: [ParentPoint]) {
    guard resumed == path.count, resumed < resumePath.count else { return }
    lostPlace = PageError(
      .invalidRequest,
      message: "\(names(of: resumePath)), where the earlier run stopped, is no longer in the list")
  }
}

extension Session {
  /// The limits that lists of one origin share.
  struct SharedLimits: Sendable {
    var ledger: RateLedger
    var lastSentAt: Double
    var clock: Double
  }

  /// The limits to share with other lists; setting nil changes nothing.
  var sharedLimits: SharedLimits? {
    get { SharedLimits(ledger: ledger, lastSentAt: lastStart, clock: clock) }
    set {
      guard let newValue else { return }
      ledger = newValue.ledger
      lastSentAt = max(lastSentAt, newValue.lastSentAt)
      // Waits of its own may be over by then.
      advance(to: newValue.clock)
    }
  }

  /// The number of its requests that are sent or scheduled.
  var pendingRequests: Int { slots.count { $0.state.isRequested || $0.state.wait != nil } }

  /// Ends the list before anything is requested.
  mutating func refuse(_ error: PageError) { phase = .failed(.first, error) }
}
