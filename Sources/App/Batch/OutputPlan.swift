import Glibc
import JSON
import Locking
import Output
import Search
import Text

/// Decides where a run starts and where its rows are written, before anything is requested.
struct OutputPlan: Sendable {
  let target: OutputTarget
  let sink: OutputSink
  /// Nil if the run cannot be resumed later.
  private let journal: ResumeJournal?
  private(set) var start: Start
  /// Whether to keep the record after the run finishes, so that `--resume` can be repeated.
  private let keepsRecord: Bool
  /// Whether rows are sorted, and so written only once all are loaded.
  /// The number of rows of an unfinished run that this run overwrites.
  private(set) var discardedRows = 0
  private let isSorted: Bool
  /// Whether the lists under all rows of the parent are written; numbers of pages then are those of each list.
  private let isEach: Bool
  /// The maximum number of sorted rows written; nil for all.
  private let rowLimit: Int?

  /// - Throws: If the options contradict each other, or the file cannot be resumed.
  init(
    form: FormatOptions, rows: RowOptions, isWatching: Bool = false, isCounting: Bool, run: Run,
    parents: [Run] = [], since: SinceLast? = nil,
    dependencies: Dependencies
  ) throws(CommandError) {
    let sort = try rows.rowSort(of: run.source)
    isSorted = sort != nil
    rowLimit = rows.sortedLimit(run.settings)
    let isResumable =
      form.isResumable(run.settings, dependencies) && !isSorted && !isCounting && !isWatching
      && !rows.sinceLast
    if rows.resume {
      if form.output == nil { throw CommandError("--resume needs --output FILE", .usage) }
      for (option, isGiven) in [
        ("--from-page", rows.fromPage != nil), ("--sort", isSorted), ("--count", isCounting),
      ] where isGiven {
        throw CommandError("--resume and \(option) cannot be used together", .usage)
      }
      if !isResumable { throw CommandError("--resume needs --format \(OutputFormats.resumable)", .usage) }
    }
    isEach = rows.each
    var identity = RunIdentity(
      run.source, run.sampleQuery, pageSize: run.pageSize,
      form: form.identity(run.settings, dependencies) + [rows.filter ?? ""])
    identity.isSplit = rows.split ? true : nil
    for parent in parents {
      identity.request +=
        "." + RunIdentity(parent.source, parent.sampleQuery, pageSize: nil, form: []).request
    }
    if let shard = rows.shard { identity.request += " \(shard)" }
    let (file, earlier) = try Self.file(form, rows, identity, run)
    let record = earlier?.record
    let writer = try form.writer(
      for: run.source, run.settings, dependencies, resuming: record, sort: sort, limit: rowLimit)
    let first = try rows.resumePoint(run)
    // The file is created only after all other checks.
    target = if let file { file } else { try form.target(dependencies) }
    let size = target.size
    keepsRecord = rows.resume
    // A killed run may have left part of a page, which has to be cut off first.
    let isWhole = record.map { $0.ending != nil || size == $0.extent.bytes } ?? false
    let isDone =
      isWhole
      && record?.isDone(
        for: isEach ? run.demand.overall : run.demand, maxPages: isEach ? nil : run.maxPages)
        ?? false
    let before = (isDone ? record?.extent : record?.progress) ?? ResumeRecord.Extent()
    if let earlier {
      journal = ResumeJournal(resuming: earlier)
      target.keep(before.bytes)
    } else if isResumable, target.isRegularFile, let output = form.output {
      try ResumeJournal.checkIsFree(beside: output)
      discardedRows = target.size > 0 ? ResumeJournal.unfinishedRows(beside: output) : 0
      let record = ResumeRecord(
        identity: identity, inode: target.inode, startedAt: run.startedAt, resumePoint: first)
      journal = ResumeJournal(beside: output, record)
    } else {
      journal = nil
    }
    sink = OutputSink(
      isCounting ? nil : writer, to: target, journal: journal, isWatching: isWatching, since: since)
    let continuation: ResumeHint =
      if journal != nil {
        .resume
      } else if rows.sinceLast || target.isFile && !target.isRegularFile {
        .none
      } else if target.isFile {
        isSorted
          ? .withFile("omit --sort")
          : form.format(run.settings, dependencies).isResumable
            ? .none : .withFile("use --format \(OutputFormats.resumable)")
      } else if isEach || rows.shard != nil || rows.split || run.source.pagination.style.numbering == nil {
        .withFile(
          isSorted
            ? "omit --sort and use --output FILE"
            : form.format(run.settings, dependencies).isResumable
              ? "use --output FILE" : "use --output FILE with --format \(OutputFormats.resumable)")
      } else {
        .fromPage(pageSize: run.pageSize == run.usualPageSize ? nil : run.pageSize)
      }
    start = Start(
      resumePoint: record == nil ? first : record?.resumePoint,
      startedAt: record?.startedAt ?? run.startedAt, before: before, isDone: isDone,
      endBefore: isDone ? record?.ending?.completeness : nil, continuation: continuation)
  }

  /// Where a run starts, and how it can be continued.
  struct Start: Sendable, JSONChecked {
    /// Nil to start with the first page.
    let resumePoint: ResumePoint?
    /// When the first of the runs that write the file began.
    let startedAt: Double
    /// What earlier runs wrote to the file.
    let before: ResumeRecord.Extent
    /// Whether the file already contains everything the run would write, so that nothing is requested.
    let isDone: Bool
    /// How the list ended according to the record of a run that wrote all of it.
    let endBefore: Completeness?
    let continuation: ResumeHint

    func check() throws(JSONCodingError) {
      try resumePoint?.check()
      try startedAt.check("startedAt")
      try before.check()
    }
  }

  /// Begins where a recorded run began.
  mutating func begin(asRecorded text: String) throws(CommandError) {
    do { start = try JSONDocument(Array(text.utf8)).root.decoded() } catch {
      throw CommandError("the recorded start of the run is invalid: \(error)", .failed)
    }
  }

  /// The part of a run that remains after earlier runs.
  func start(of run: Run, _ demand: Demand) -> SearchInitialState {
    let before = start.before
    var rules = run.sessionRules()
    if !isEach { rules.maxPages = rules.maxPages.map { max(0, $0 - before.pages) } }
    rules.resumePoint = start.resumePoint
    let rest: Demand =
      switch demand {
      case _ where start.isDone: .rows(0)
      case .rows(let count): .rows(max(0, count - before.rows))
      case .pages(let count) where !isEach: .pages(max(0, count - before.filledPages))
      case .nothing, .pages, .everything: demand
      }
    return SearchInitialState(
      rules: rules, query: run.query, demand: rest, rowsBefore: before.rows, pagesBefore: before.pages,
      endBefore: start.endBefore, isSorted: isSorted, rowLimit: rowLimit, continuation: start.continuation)
  }

  /// Keeps a record to resume from, unless nothing is left to resume.
  ///
  /// - Returns: Why that failed; nil if it succeeded.
  func conclude(_ state: OneShotState) -> String? {
    guard let journal else { return nil }
    let reason: ResumeRecord.Ending.Reason? =
      if case .outputFailed = state.ending {
        nil
      } else if state.isDone {
        state.lists.areOver ? .listOver : .limit
      } else {
        .stopped
      }
    var doubt: String?
    if reason == .listOver, case .unconfirmed(let why) = state.lists.completeness { doubt = why }
    return journal.conclude(reason, doubt: doubt, keepsRecord: keepsRecord)
      .map { "cannot write \(journal.path): \($0)" }
  }

  /// Lets other runs write the file, and removes it if this run created it and wrote nothing. Whoever still holds it
  /// does not write it any more.
  func close() {
    target.close()
    journal?.unlock()
  }

  /// Opens the file to resume and its record. Without a record it is overwritten; without a file, created.
  private static func file(
    _ form: FormatOptions, _ rows: RowOptions, _ identity: RunIdentity, _ run: Run
  ) throws(CommandError) -> (OutputTarget?, ResumeJournal.PreviousRun?) {
    guard rows.resume, let name = form.output else { return (nil, nil) }
    // Locked before the record is read.
    let target = form.outputIsMissing ? nil : try OutputTarget.file(name)
    guard let earlier = try ResumeJournal.earlier(beside: name) else {
      guard let target, target.size > 0 else { return (target, nil) }
      throw CommandError(
        "\(name) exists but its progress file \(ResumeJournal.path(beside: name)) does not. "
          + "A run that has written all its rows keeps one only with --resume. Choose another file, or omit --resume to start over",
        .usage)
    }
    do throws(CommandError) {
      if try canResume(from: earlier.record, of: name, target, identity, run) { return (target, earlier) }
      earlier.file.close()
      return (target, nil)
    } catch {
      earlier.file.close()
      throw error
    }
  }

  /// Whether the run can resume from the record; else the file is to be overwritten.
  ///
  /// - Parameter target: Nil if there is no file.
  private static func canResume(
    from record: ResumeRecord, of name: String, _ target: OutputTarget?, _ identity: RunIdentity, _ run: Run
  ) throws(CommandError) -> Bool {
    if let refusal = identity.refusal(of: record.identity) { throw ResumeJournal.refusal(of: name, refusal) }
    guard let target else {
      // The output of a finished run was removed, so it is written again.
      if record.extent.bytes == 0 || record.ending.map({ $0.reason != .stopped }) ?? false { return false }
      throw ResumeJournal.refusal(
        of: name, "the file with \(Digits.counted(record.extent.rows, "row")) is missing")
    }
    if let difference = target.difference(from: record) { throw ResumeJournal.refusal(of: name, difference) }
    // That run was killed before its first row.
    if record.extent.bytes == 0, record.ending == nil { return false }
    if let next = record.resumePoint?.next, let problem = run.problem(with: next) {
      throw ResumeJournal.refusal(
        of: name, "the next page in \(ResumeJournal.path(beside: name)) cannot be used: \(problem)")
    }
    return true
  }
}

extension Demand {
  /// The demand of a run of several lists that want this: its pages are those of each list.
  fileprivate var overall: Demand { if case .pages = self { .everything } else { self } }
}

/// How a run that stopped early can be continued.
enum ResumeHint: Sendable, Hashable, Codable {
  case none
  /// With `--resume`: a progress file exists.
  case resume
  /// With `--from-page`: pages are numbered. The page size is given if the default would differ.
  case fromPage(pageSize: Int?)
  /// A run with other options could be continued; says which.
  case withFile(_ options: String)

  /// Whether the same command is run again, with one option more.
  var repeatsCommand: Bool {
    switch self {
    case .resume, .fromPage: true
    case .none, .withFile: false
    }
  }

  /// One line for the user.
  ///
  /// - Parameters:
  ///   - page: The first missing page, from 1.
  ///   - condition: What must be so before, as the beginning of the sentence; nil for nothing.
  func text(page: Int, once condition: String? = nil) -> String? {
    let option: String
    switch self {
    case .none: return nil
    case .resume: option = "--resume"
    case .fromPage(let pageSize):
      option = "\(pageSize.map { "--page-size \($0) " } ?? "")--from-page \(page)"
    case .withFile(let options): return "to make a run resumable, \(options)"
    }
    let command = "run the same command with \(option)"
    return condition.map { "\($0) \(command)" } ?? "\(command) to continue"
  }
}

// MARK: - Writing

/// Writes the document to its target, page by page, on a dedicated thread, so that a slow reader blocks only
/// that thread.
final class OutputSink: Sendable {
  private let target: OutputTarget
  private let thread = WritingThread("riffle.output")
  private let document: Lock<OutputWriter?>
  private let journal: ResumeJournal?
  private let pages = Lock(0)
  /// Nil if every row is written.
  private let written: Lock<WrittenRows?>
  private let since: SinceLast?

  /// A message naming the paths that no row has; nil if there are none.
  var emptyPaths: String? { document.withLock { $0?.noteOnEmptyPaths } }

  /// A message listing the keys of later pages that have no column; nil if there are none.
  var lateKeys: String? {
    guard let keys = document.withLock({ $0?.lateKeys }), !keys.isEmpty else { return nil }
    let names = keys.prefix(8).joined(separator: ", ") + (keys.count > 8 ? ", …" : "")
    return
      "fields missing from the first page are not written: \(names). Add them with --columns, or use jsonl"
  }

  var pageCount: Int { pages.withLock { $0 } }

  /// - Parameters:
  ///   - document: Nil if rows are only counted.
  ///   - journal: Nil if the run cannot be resumed.
  ///   - isWatching: Whether rows are written only if they are new or changed.
  ///   - since: Selects the rows that are new or changed since an earlier run; nil for all rows.
  init(
    _ document: OutputWriter?, to target: OutputTarget, journal: ResumeJournal?, isWatching: Bool = false,
    since: SinceLast? = nil
  ) {
    self.since = since
    written = Lock(isWatching ? WrittenRows() : nil)
    self.document = Lock(document)
    self.target = target
    self.journal = journal
  }

  /// Writes the rows of one page; returns when the descriptor has accepted them.
  ///
  /// - Parameters:
  ///   - block: The page as kept by the session.
  ///   - query: The query of its list.
  /// - Returns: The number of new and changed rows written; nil if every row is.
  func write(
    _ rows: OutputRows, of block: RowStore.Block, _ query: Query
  ) async -> Result<(new: Int, changed: Int)?, OneShotState.Ending> {
    await thread.outcome { [self] in
      var counts: (new: Int, changed: Int)?
      let fresh = since?.fresh(rows, of: query)
      return put { document, bytes in
        if let fresh {
          counts = (fresh.new, fresh.changed)
          return try document?.append(fresh.rows, into: &bytes) ?? ()
        }
        counts = try written.withLock { written in
          guard var known = written else {
            try document?.append(rows, into: &bytes)
            return nil
          }
          written = nil
          defer { written = known }
          return try document?.append(rows, keys: block.keys, unless: &known, into: &bytes)
        }
      }.map { bytes in
        pages.withLock { $0 += 1 }
        let columns = document.withLock { $0?.settledColumns ?? [] }
        journal?.note(bytes, rows: rows.nodes.count, of: block, columns: columns)
        return counts
      }
    }
  }

  func finish() async -> Result<Void, OneShotState.Ending> {
    await thread.outcome { [self] in
      guard document.withLock({ $0 != nil }) else { return .success(()) }
      return put(isWhole: true) { try $0?.end(into: &$1) }.map { journal?.note($0) }
    }
  }

  /// Writes what the document's writer makes; returns it. With `isWhole` the document ends here, so an existing
  /// file is truncated even if nothing is left to write.
  private func put(
    isWhole: Bool = false, _ make: (inout OutputWriter?, inout [UInt8]) throws -> Void
  ) -> Result<[UInt8], OneShotState.Ending> {
    var bytes: [UInt8] = []
    do { try document.withLock { try make(&$0, &bytes) } } catch {
      return .failure(.columnRefused("\(error)"))
    }
    if bytes.isEmpty, !isWhole { return .success(bytes) }
    journal?.begin()
    do throws(Errno) { try target.write(bytes) } catch {
      if error == .closedPipe { return .failure(.outputClosed) }
      return .failure(.outputFailed("\(target.path ?? "output"): \(error)"))
    }
    return .success(bytes)
  }
}

/// Where a document is written: stdout, or the file of `--output`. A file is locked, so that only one run
/// writes it at a time.
final class OutputTarget: Sendable {
  let descriptor: Descriptor
  /// The file's path; nil for stdout.
  let path: String?
  /// The number of bytes of the existing file to keep; the rest is cut off before the first write. Nil once
  /// that is done.
  private let kept: Lock<Int?>
  private let isNew: Bool

  /// Stdout.
  static func stream(_ output: Descriptor) -> OutputTarget { OutputTarget(output, path: nil) }

  var isFile: Bool { path != nil }

  private init(_ descriptor: Descriptor, path: String?, isNew: Bool = false) {
    self.descriptor = descriptor
    self.path = path
    self.isNew = isNew
    kept = Lock(path == nil ? nil : 0)
  }

  deinit { if isFile { descriptor.close() } }

  /// Opens a file, or creates it with the permissions of the umask. Its content is kept until the first
  /// write. Opening a named pipe waits for its reader.
  static func file(_ path: String) throws(CommandError) -> OutputTarget {
    var facts = stat()
    let isThere = stat(path, &facts) == 0
    // Opened for writing only: a process that holds the read end of a pipe never learns that its reader has
    // gone.
    let isOther = isThere && facts.st_mode & S_IFMT != S_IFREG
    let target: OutputTarget
    do throws(Errno) {
      let descriptor: Descriptor
      do throws(Errno) {
        descriptor = try Descriptor(opening: path, isOther ? O_WRONLY : O_RDWR | O_CREAT)
      } catch let error where error.code == EACCES && isThere {
        descriptor = try Descriptor(opening: path, O_WRONLY)
      }
      target = OutputTarget(descriptor, path: path, isNew: !isThere)
    } catch { throw CommandError(error.message(writing: path), .output) }
    if target.isRegularFile, !target.descriptor.lock() { throw isBusy(path) }
    return target
  }

  /// Unlocks the file, and removes it if it is new and nothing was written.
  func close() {
    guard let path else { return }
    if isNew, size == 0, kept.withLock({ $0 != nil }) { unlink(path) }
    descriptor.unlock()
  }

  static func isBusy(_ path: String) -> CommandError {
    CommandError("cannot write \(path): another riffle process is writing it", .output)
  }

  /// Whether it is a regular file, which can be truncated and continued.
  var isRegularFile: Bool { isFile && descriptor.regularSize != nil }

  var inode: UInt64 { isFile ? descriptor.facts.map { UInt64($0.st_ino) } ?? 0 : 0 }

  /// The size of the file in bytes; 0 for stdout.
  var size: Int { isFile ? descriptor.facts.map { Int($0.st_size) } ?? 0 : 0 }

  /// Writes after the bytes to keep; the first write cuts off the rest of the file.
  func write(_ bytes: [UInt8]) throws(Errno) {
    try kept.withLock { (kept) throws(Errno) in
      guard let length = kept else { return }
      // Only a regular file can be truncated.
      guard descriptor.truncate(to: length) || length == 0 else { throw Errno(errno) }
      kept = nil
    }
    try descriptor.write(bytes)
  }

  /// Keeps this many bytes of the file.
  func keep(_ length: Int) { kept.withLock { $0 = length } }
  /// Why the file is not as an earlier run left it; nil if it is.
  func difference(from record: ResumeRecord) -> String? {
    let extent = record.extent
    if inode != record.inode { return "it was replaced after the earlier run" }
    if size < extent.bytes { return "it has become shorter since the earlier run" }
    // A killed run may leave more than its record covers.
    if size > extent.bytes, record.ending != nil { return "it has become longer since the earlier run" }
    guard let tail = try? descriptor.bytes(in: extent.tailStart..<extent.bytes),
      RowKey.hash(tail[...]) == extent.tailHash
    else { return "its last rows have changed since the earlier run" }
    return nil
  }
}
