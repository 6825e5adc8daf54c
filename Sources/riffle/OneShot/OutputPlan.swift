import Output
import Search
import Text

/// Where a run's rows go and from where they come: settled before anything is asked.
struct OutputPlan: Sendable {
  let target: OutputTarget
  let sink: OutputSink
  /// Nil when the run cannot be gone on with later.
  private let journal: ResumeJournal?
  /// Nil: from the first page.
  let resumption: Resumption?
  /// Rows that an earlier run has written.
  let rowsBefore: Int
  /// Rows are written when all have come.
  let isSorted: Bool
  /// How many of the sorted rows are written; nil is all.
  let rowLimit: Int?

  /// - Throws: when the options do not go together, or the file is not one to go on with.
  init(
    form: FormOptions, rows: RowOptions, isCounting: Bool, run: PreparedRun, world: World
  ) throws(Complaint) {
    let sort = try rows.rowSort(of: run.source)
    isSorted = sort != nil
    rowLimit = rows.sortedLimit(run.settings)
    let isResumable = form.isResumable(run.settings, world) && !isSorted && !isCounting
    try Self.check(form, rows, isResumable)
    let identity = RunIdentity(
      run.source, run.query, pageSize: run.pageSize,
      form: form.identity(run.settings, world) + [rows.filter ?? ""])
    let record = try Self.record(form, identity)
    let writer = try form.writer(for: run.source, run.settings, world, goingOn: record)
    target = try form.target(goingOn: record)
    let start = try rows.resumption(run)
    resumption = record?.resumption ?? start
    rowsBefore = record?.rows ?? 0
    let file = isResumable && target.isRegularFile ? form.output : nil
    journal = file.map {
      ResumeJournal(beside: $0, record ?? ResumeRecord(identity: identity), now: world.now)
    }
    sink = OutputSink(
      isCounting ? nil : OutputDocument(writer, sort: sort, limit: rowLimit), to: target, journal: journal)
  }

  var isResumable: Bool { journal != nil }

  /// What is still wanted when an earlier run has written some of it.
  func rest(of demand: Demand) -> Demand {
    if case .rows(let count) = demand { .rows(max(0, count - rowsBefore)) } else { demand }
  }

  /// Leaves a record to go on from, unless the run is complete.
  func conclude(isComplete: Bool) {
    if isComplete { journal?.remove() } else { journal?.flush() }
  }

  private static func check(_ form: FormOptions, _ rows: RowOptions, _ isResumable: Bool) throws(Complaint) {
    guard form.resume else { return }
    if form.output == nil { throw Complaint("--resume goes on with the file of --output; name it", .usage) }
    if rows.fromPage != nil { throw Complaint("--resume and --from-page exclude each other", .usage) }
    if !isResumable {
      throw Complaint(
        "only csv, tsv and jsonl can be resumed, written as they come: without --sort and --count", .usage)
    }
  }

  /// The record to go on from; nil when the file is to be begun.
  private static func record(_ form: FormOptions, _ identity: RunIdentity) throws(Complaint) -> ResumeRecord?
  {
    guard form.resume, let file = form.output else { return nil }
    guard let record = try ResumeJournal.record(beside: file) else {
      if form.outputIsEmpty { return nil }
      throw Complaint(
        "--resume: \(file) is there, and no \(ResumeJournal.path(beside: file)) that says how far it is; "
          + "choose another file, or leave --resume out to write it anew", .usage)
    }
    if let refusal = identity.refusal(of: record.identity) {
      throw Complaint(
        "--resume: \(file) cannot be gone on with: \(refusal); use the same words and options, or another file",
        .usage)
    }
    // Killed before its first row.
    if record.bytes == 0 { return nil }
    if form.outputIsMissing {
      throw Complaint(
        "--resume: \(file) is gone, and \(ResumeJournal.path(beside: file)) says that it held "
          + "\(Digits.counted(record.rows, "row")); put it back, or remove the record to begin anew", .usage)
    }
    return record
  }
}
