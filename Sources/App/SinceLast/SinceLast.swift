import Config
import Glibc
import JSON
import Locking
import Output
import Search
import Text

/// A run that writes only the rows that are new or changed since the last complete run of the same list.
///
/// A row is identified by its id, if the source declares `rows.id`, together with the values of the parents of its list.
/// A row without one is identified by its contents, so that a changed one is new. Rows are compared with those of
/// earlier runs only: of equal rows, the first run writes each.
final class SinceLast: Sendable {
  private let file: StateFile
  private let identity: StateIdentity
  private let source: Source
  /// How the service lists what changed; nil if it cannot, and for a run of several lists, of which one may be new.
  private let rule: SinceRule?
  /// The last complete run; nil if there is none.
  private let last: ListState?
  private let hash: SipHash
  private let compared: ComparedValues
  /// The names of the options that hold the values of the parents.
  private let parentNames: [String]
  /// Whether the run requests only rows since the mark, so that those of earlier runs remain known.
  private let isPartOfList: Bool
  private let deletedFile: String?
  private let keepsIDs: Bool
  /// The maximum number of sorted rows written; nil for all.
  private let sortedLimit: Int?
  /// What the user should know before the run.
  let notes: [String]
  private let progress: Lock<Progress>

  private struct Progress {
    var rows: [RowDigest] = []
    var ids: [String] = []
    var mark: SinceMark?
    /// The service's time when it sent the first page. A row that changes while later pages are read may be on an
    /// earlier one.
    var time = Double.infinity
    var new = 0
    var changed = 0
  }

  /// Opens the state of a run, and limits the run to the rows since its mark if the source declares how.
  ///
  /// - Returns: Nil if the run writes all rows: without `--since-last`, for `--dry-run`, and in a replay.
  /// - Throws: If an option cannot be used with it, or the state cannot be used.
  static func begin(
    _ run: inout Run, under parents: [Run], _ request: RequestOptions, _ rows: RowOptions,
    _ form: FormatOptions, _ report: ReportOptions, _ dependencies: Dependencies
  ) throws(CommandError) -> SinceLast? {
    guard rows.sinceLast else { return nil }
    try check(run.source, request, rows, report)
    let identity = StateIdentity(of: parents + [run], request, rows, form)
    let name = rows.state ?? identity.name
    try StateFolderFiles.check(name)
    let rule = rows.each ? nil : run.source.since
    func use(_ text: String?) -> Bool {
      guard let rule, let mark = text.flatMap({ SinceMark($0, as: rule.format) }) else { return false }
      run.load(since: mark, by: rule)
      return true
    }
    if dependencies.replay != nil {
      _ = use(dependencies.found("since") { [] }.first)
      return nil
    }
    let file = try StateFolderFiles(environment: dependencies.environment).open(name)
    let state = try file.state()
    if let state, let refusal = identity.refusal(of: state.header, name: name) {
      throw CommandError(refusal, .usage)
    }
    var notes: [String] = []
    var mark = rule == nil ? nil : state?.header.since
    if let rule {
      let values = (try? run.source.optionValues(run.query.options)) ?? [:]
      let isOwn = request.param.contains { $0.name == rule.parameter }
      if !rule.applies(to: values) || isOwn { mark = nil }
    }
    if rows.deleted != nil, mark != nil {
      mark = nil
      notes.append("--deleted reads the entire list, not only the rows that changed since the last run")
    }
    if let state, rows.deleted != nil, !state.header.keepsIDs {
      notes.append("the state \(name) has no ids yet. Deleted rows are named from the next run on")
    }
    let isPart = use(mark)
    _ = dependencies.found("since") { isPart ? [mark].compactMap(\.self) : [] }
    if report.dryRun { return nil }
    do {
      return SinceLast(
        file, identity, run, parents, last: state,
        try ComparedValues(columns: form.columns, template: form.template, of: run.source), rows,
        isPartOfList: isPart, notes)
    } catch { throw CommandError("\(error)", .usage) }
  }

  private init(
    _ file: StateFile, _ identity: StateIdentity, _ run: Run, _ parents: [Run], last: ListState?,
    _ compared: ComparedValues, _ rows: RowOptions, isPartOfList: Bool, _ notes: [String]
  ) {
    self.file = file
    self.identity = identity
    self.last = last
    self.compared = compared
    self.isPartOfList = isPartOfList
    self.notes = notes
    source = run.source
    rule = rows.each ? nil : run.source.since
    hash =
      last?.header.hash ?? SipHash(key: (.random(in: .min ... .max), .random(in: .min ... .max)))
    parentNames = rows.each ? (parents + [run]).compactMap(\.source.parent?.name) : []
    deletedFile = rows.deleted
    keepsIDs = rows.deleted != nil || last?.header.keepsIDs ?? false
    sortedLimit = rows.sortedLimit(run.settings)
    progress = Lock(Progress())
  }

  private static func check(
    _ source: Source, _ request: RequestOptions, _ rows: RowOptions, _ report: ReportOptions
  ) throws(CommandError) {
    let others = [
      (
        "--watch", request.watch != nil,
        "--watch ends only when it is interrupted, so it has no last complete run"
      ),
      ("--resume", rows.resume, "a run that stops changes no state, so the next one writes its rows again"),
      ("--from-page", rows.fromPage != nil, "a run that skips pages never reads the entire list"),
      ("--count", report.count, "--count writes no rows"),
    ]
    if let (name, _, reason) = others.first(where: \.1) {
      throw CommandError("--since-last and \(name) cannot be used together: \(reason)", .usage)
    }
    if rows.deleted != nil, source.declaredKey == nil {
      throw CommandError(
        "--deleted cannot be used: source \(source.id) has no rows.id, so a row that changed looks deleted",
        .usage)
    }
  }

  // MARK: Rows

  /// The rows of a page that are new or changed, and how many are.
  func fresh(_ rows: OutputRows, of query: Query) -> (rows: OutputRows, new: Int, changed: Int) {
    let parents = parentNames.map { query.options[$0] ?? "" }
    let key = source.declaredKey
    var digests: [RowDigest] = []
    var ids: [String] = []
    var kept: [JSONNode] = []
    var (new, changed) = (0, 0)
    for node in rows.nodes {
      let id = key.flatMap { rows.response.text(of: $0, at: node) }
      var contents: [UInt8] = []
      compared.append(node, in: rows, to: &contents)
      let digest = digest(contents, id: id, parents)
      digests.append(digest)
      if keepsIDs { ids.append(id.map { idLine($0, parents) } ?? "") }
      switch last?.rows.finding(digest) ?? .new {
      case .known: continue
      case .new: new += 1
      case .changed: changed += 1
      }
      kept.append(node)
    }
    let mark = rule?.mark(of: DocumentRows(response: rows.response, nodes: rows.nodes))
    let time = rows.response.date(arrivedAt: rows.arrivedAt) ?? rows.arrivedAt
    progress.withLock { progress in
      progress.rows += digests
      progress.ids += ids
      progress.mark = [progress.mark, mark].compactMap(\.self).max()
      progress.time = min(progress.time, time)
      progress.new += new
      progress.changed += changed
    }
    return (rows.with(kept), new, changed)
  }

  private func digest(_ contents: [UInt8], id: String?, _ parents: [String]) -> RowDigest {
    // Lengths keep apart what is next to each other.
    var key: [UInt8] = []
    for part in parents { key += "\(part.utf8.count):\(part)".utf8 }
    if let id { key += "=\(id)".utf8 } else { key += Array("#".utf8) + contents }
    return RowDigest(key: hash(key), contents: hash(contents))
  }

  /// `{"id": "42"}`, with `--each` `{"id": "42", "parents": ["7"]}`.
  private func idLine(_ id: String, _ parents: [String]) -> String {
    let list = parents.map(JSONText.quoted).joined(separator: ", ")
    return "{\"id\": \(JSONText.quoted(id))" + (parents.isEmpty ? "}" : ", \"parents\": [\(list)]}")
  }

  // MARK: The end of the run

  /// Replaces the state after a complete run whose output is written; otherwise says why it stays.
  ///
  /// - Parameter end: How the run ended, which the report has said already.
  /// - Returns: The end of the run.
  func conclude(
    _ state: OneShotState, _ end: RunEnd, _ target: OutputTarget, _ dependencies: Dependencies,
    _ message: Message
  ) throws(CommandError) -> RunEnd {
    // Tasks of the run may hold this value for longer.
    defer { file.release() }
    let progress = progress.withLock(\.self)
    var reason = state.incompleteness
    if let sortedLimit, progress.new + progress.changed > sortedLimit { reason = "the limit is reached" }
    if let reason {
      stay(because: reason, message)
      return end
    }
    // A file system may report only now that there is no space.
    do { try target.synchronize() } catch {
      throw CommandError(
        "cannot write output: \(error). \(Sentences.joined([unchanged])). The next run writes these rows again",
        .output)
    }
    var rows = KnownRows(progress.rows, ids: progress.ids)
    if let deletedFile { try writeDeleted(now: rows, to: deletedFile, dependencies) }
    if isPartOfList, let last { rows = rows.union(last.rows) }
    let mark = rule.flatMap { rule in
      let own = rule.format == .number ? progress.mark : progress.mark?.limited(to: progress.time)
      let earlier = last?.header.since.flatMap { SinceMark($0, as: rule.format) }
      return [own, earlier].compactMap(\.self).max()?.text(as: rule.format)
    }
    let key = hash.key
    let header = ListState.Header(
      source: identity.source, query: identity.query, identity: identity.digest,
      hashKey: key.0.padded(to: 16, radix: 16) + key.1.padded(to: 16, radix: 16),
      lastRun: state.start.now, rows: rows.count, idBytes: keepsIDs ? 0 : nil, since: mark, checksum: "")
    do { try file.replace(with: ListState(header: header, rows: rows)) } catch {
      throw CommandError("\(error). The next run writes these rows again", .output)
    }
    if last == nil {
      message.note(
        "saved the state \(file.name) with \(Digits.counted(rows.count, "row")). The next run writes only what is new or changed"
      )
    }
    return end
  }

  /// Says why the state stays as it is. The run ends with this.
  func stay(because reason: String, _ message: Message) {
    defer { file.release() }
    let hasWritten = progress.withLock { $0.new + $0.changed > 0 }
    let rows = hasWritten ? ". The next run writes these rows again" : ""
    message.note("\(unchanged): \(reason)\(rows)")
  }

  /// What became of the state of a run that is not complete.
  private var unchanged: String {
    last == nil ? "no state was saved" : "the state \(file.name) is unchanged"
  }

  private func writeDeleted(
    now rows: KnownRows, to name: String, _ dependencies: Dependencies
  ) throws(CommandError) {
    let lines = (last?.rows.ids(missingIn: rows) ?? []).map { "\($0)\n" }.joined()
    do throws(Errno) {
      if name == "-" { return try dependencies.errors.write(Array(lines.utf8)) }
      let output = try Descriptor(opening: name, O_WRONLY | O_CREAT | O_TRUNC)
      defer { output.close() }
      try output.write(Array(lines.utf8))
    } catch {
      throw CommandError(
        Sentences.joined(["--deleted: \(error.message(writing: name))", unchanged]), .output)
    }
  }

  /// What the report says if there is nothing to write; nil before the first complete run.
  func nothingNew(zone: LocalZone) -> String? {
    guard let time = last.flatMap({ Timestamp(epoch: $0.header.lastRun) }) else { return nil }
    return "nothing new since \(time.date(in: zone)) \(time.clock(in: zone))"
  }
}

extension Source {
  /// The key that the source declares to be unique; nil if there is only a guess.
  fileprivate var declaredKey: ValueExpression? { rows.isKeyGuessed ? nil : rows.key }
}

extension OneShotState {
  /// The rows that a run with `--since-last` has written, as far as it is known.
  struct FreshRows: Sendable, Hashable {
    var new = 0
    var changed = 0

    var count: Int { new + changed }
  }

  /// Why the run does not count as complete, as a clause; nil if every row of the list has arrived and is written.
  var incompleteness: String? {
    switch ending {
    case .outputClosed: return "the reader closed the output"
    case .outputFailed: return "the output could not be written"
    case .columnRefused: return "the columns do not suit the rows"
    case .interrupted: return "the run was interrupted"
    case .tripped: return "the run was stopped"
    case nil: break
    }
    switch start.endBefore ?? lists.completeness {
    case .complete: return lists.failure.map(\.message)
    case .unconfirmed: return "rows may be missing"
    case .partial(let reason): return lists.failure == nil ? reason : "the run failed"
    }
  }
}

extension OutputTarget {
  /// Waits until what was written to a file is on the disk.
  fileprivate func synchronize() throws(Errno) {
    // A pipe or a terminal has no disk (EINVAL).
    guard fsync(descriptor.number) != 0, ![EINVAL, EROFS, ENOTSUP].contains(errno) else { return }
    throw Errno(errno)
  }
}
