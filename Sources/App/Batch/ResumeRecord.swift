import Glibc
import HTTPValues
import JSON
import Locking
import Output
import Search
import Text

/// The progress record kept next to a file while a run writes it (`FILE.riffle`). It contains enough to
/// continue the file at the exact row, to decide whether a run may do so, and to detect that the file has
/// changed.
///
/// It is a journal of lines, each starting with its own hash: a header, a line for each page completely in
/// the file, and how the run ended. A killed run leaves at most an incomplete last line, which is ignored.
struct ResumeRecord: Sendable, Hashable {
  var identity: RunIdentity
  /// The inode of the file. The device number is not kept, because it may change when the system restarts.
  var inode: UInt64
  /// When the first of the runs that write the file began, in seconds since 1970: dates in the request are counted
  /// from it.
  var startedAt = 0.0
  /// What the file contains of pages that a run can continue after.
  var progress = Extent()
  /// Where a run continues, with the keys of the rows in the file; nil for the first page.
  var resumePoint: ResumePoint?
  var columns: [RecordedColumn] = []
  /// How the last run ended; nil if it was killed, or does not know the content of the file.
  var ending: Ending?

  /// What a file contains.
  struct Extent: Sendable, Hashable, Codable {
    /// The size in bytes of complete rows, from the start of the file.
    var bytes = 0
    var rows = 0
    var pages = 0
    /// The number of those pages that contained rows.
    var filledPages = 0
    /// The offset of the bytes written last, and their hash.
    var tailStart = 0
    var tailHash = RowKey.hash([])

    mutating func append(_ new: [UInt8]) {
      if new.isEmpty { return }
      tailStart = bytes
      tailHash = RowKey.hash(new[...])
      bytes += new.count
    }
  }

  struct Ending: Sendable, Hashable, Codable {
    enum Reason: String, Sendable, Codable {
      /// Requested rows are missing.
      case stopped
      /// All requested rows are written; the list has more.
      case limit
      case listOver = "list-over"
    }

    var reason: Reason
    /// The size of the whole file.
    var extent: Extent
    /// Why rows may be missing although the list is over (rule 29); nil if nothing says so.
    var doubt: String?

    /// Nil if the list is not over.
    var completeness: Completeness? {
      reason == .listOver ? doubt.map { .unconfirmed(reason: $0) } ?? .complete : nil
    }
  }

  /// What the file contains according to the record.
  var extent: Extent { ending?.extent ?? progress }

  /// Whether the file already contains everything that a run would write.
  func isDone(for demand: Demand, maxPages: Int?) -> Bool {
    if ending?.reason == .listOver { return true }
    if let maxPages, extent.pages >= maxPages { return true }
    return switch demand {
    case .rows(let count): extent.rows >= count
    case .pages(let count): extent.filledPages >= count
    case .nothing: true
    case .everything: false
    }
  }
}

// MARK: - Serialization

extension ResumeRecord {
  /// A line of the journal.
  enum Line: Codable {
    /// - Parameter start: Where the run started; nil for the first page.
    case header(
      RunIdentity, inode: UInt64, startedAt: Double = 0, start: ResumePoint?, version: Int = Line.version)
    /// Rows up to this extent are complete. `keys` and `columns` are those of the rows since the previous
    /// line; `columns` is nil if unchanged.
    case page(Extent, ResumePoint, columns: [RecordedColumn]?)
    case ending(Ending)

    private enum HeaderCodingKeys: String, CodingKey {
      case _0 = "identity", inode, startedAt, start, version
    }
    private enum PageCodingKeys: String, CodingKey { case _0 = "extent", _1 = "resumePoint", columns }
  }

  /// Why a file is not a valid record.
  struct ReadError: Error, Sendable, Hashable, CustomStringConvertible {
    let line: Int
    let problem: String

    var description: String { "line \(line): \(problem)" }
  }

  /// Reads a journal. Like a response, it is not trusted: no number in it can cause an overflow, and the lines
  /// must be consistent with each other.
  ///
  /// - Returns: The record, and the size in bytes of its complete lines.
  static func reading(_ bytes: [UInt8]) throws(ReadError) -> (record: ResumeRecord, length: Int) {
    var record: ResumeRecord?
    var start = 0
    var number = 1
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      do throws(JSONCodingError) {
        switch try Line(bytes[start..<end]) {
        case .header(let identity, let inode, let startedAt, let start, _):
          guard record == nil else { throw JSONCodingError("duplicate header") }
          record = ResumeRecord(
            identity: identity, inode: inode, startedAt: startedAt, resumePoint: start)
        case .page(let extent, let resumePoint, let columns):
          guard record != nil else { throw JSONCodingError("missing header") }
          try record?.add(extent, resumePoint, columns)
        case .ending(let ending):
          guard record != nil else { throw JSONCodingError("missing header") }
          try record?.add(ending)
        }
      } catch { throw ReadError(line: number, problem: "\(error)") }
      start = end + 1
      number += 1
    }
    guard let record else { throw ReadError(line: 1, problem: "truncated") }
    return (record, start)
  }

  private mutating func add(
    _ extent: Extent, _ page: ResumePoint, _ columns: [RecordedColumn]?
  ) throws(JSONCodingError) {
    guard extent.bytes >= progress.bytes, extent.rows >= progress.rows, extent.pages > progress.pages else {
      throw JSONCodingError("its progress goes backwards")
    }
    guard page.keys.count <= extent.rows - progress.rows else { throw JSONCodingError("more keys than rows") }
    progress = extent
    // Keys tell the rows of one list apart.
    var keys = resumePoint?.parents == page.parents ? resumePoint?.keys ?? [] : []
    // Releases the old value, so that the keys are appended in place instead of copied.
    resumePoint = nil
    keys += page.keys
    resumePoint = page
    resumePoint?.keys = keys
    if let columns { self.columns = columns }
    ending = nil
  }

  private mutating func add(_ ending: Ending) throws(JSONCodingError) {
    guard ending.extent.bytes >= progress.bytes, ending.extent.rows >= progress.rows,
      ending.extent.pages >= progress.pages
    else { throw JSONCodingError("its progress goes backwards") }
    self.ending = ending
  }
}

extension ResumeRecord.Line: JSONChecked {
  /// The version of the format.
  static let version = 7

  /// The line with its hash and line feed. It contains no secret.
  var bytes: [UInt8] {
    let text = JSONCoding.bytes(of: self)
    return Self.hash(of: text[...]) + [UInt8(ascii: " ")] + text + [UInt8(ascii: "\n")]
  }

  /// - Throws: For anything that `bytes` does not produce.
  init(_ bytes: ArraySlice<UInt8>) throws(JSONCodingError) {
    let text = bytes.dropFirst(17)
    guard bytes.count > 17, bytes.prefix(16).elementsEqual(Self.hash(of: text)),
      let json = try? JSONDocument(Array(text)).root
    else { throw JSONCodingError("wrong checksum") }
    let version = json["header"].map { $0["version"]?.numberText } ?? "\(Self.version)"
    guard json["riffle"] == nil, version == "\(Self.version)" else {
      throw JSONCodingError("written by another version of riffle")
    }
    self = try json.decoded()
  }

  /// A hash in 16 hexadecimal digits.
  private static func hash(of text: ArraySlice<UInt8>) -> [UInt8] {
    Array(RowKey.hash(text).padded(to: 16, radix: 16).utf8)
  }

  func check() throws(JSONCodingError) {
    switch self {
    case .header(_, _, let startedAt, let start, _):
      try startedAt.check("startedAt")
      try start?.check()
    case .page(let extent, let resumePoint, let columns):
      try extent.check()
      try resumePoint.check()
      guard resumePoint.skipped <= resumePoint.received else {
        throw JSONCodingError("more rows skipped than received")
      }
      for path in (columns ?? []).compactMap(\.path) where (try? JSONPath(path)) == nil {
        throw JSONCodingError("columns: \(JSONText.quoted(path)) is not a path")
      }
    case .ending(let ending): try ending.extent.check()
    }
  }
}

extension ResumeRecord.Extent {
  func check() throws(JSONCodingError) {
    try rows.check("rows")
    try pages.check("pages")
    try filledPages.check("filledPages")
    // A row has at least its line end.
    guard 0...Self.maxBytes ~= bytes, rows <= bytes, 0...bytes ~= tailStart, filledPages <= pages else {
      throw JSONCodingError("inconsistent numbers")
    }
  }

  /// Larger than any file system allows.
  private static let maxBytes = 1 << 60
}

/// What must be equal for a run to resume another: the source, the request, and the output format. Only a
/// hash of the query is kept.
struct RunIdentity: Sendable, Hashable, Codable {
  var source: String
  /// The number of rows requested per page; nil if that is left to the service.
  var pageSize: Int?
  var request: String
  var form: String
  /// Whether the list is read in parts (`--split`).
  var isSplit: Bool?
}

extension RunIdentity {
  /// - Parameters:
  ///   - form: Everything that affects how rows are written, as text.
  init(_ source: Source, _ query: Query, pageSize: Int?, form: [String]) {
    let request = try? source.request(
      for: PageRequest(first: source, query), in: RunContext(pageSize: pageSize, version: "0"))
    var words = [request?.method.rawValue ?? "", request?.url.description ?? ""]
    // The User-Agent header carries riffle's version, which does not affect the rows.
    let headers = (request?.headers ?? []).filter { $0.name.lowercased() != "user-agent" }
    words += headers.map { "\($0.name): \($0.value)" }
    words.append(String(decoding: request?.body ?? [], as: UTF8.self))
    self.init(source: source.id, pageSize: pageSize, request: Self.hash(words), form: Self.hash(form))
  }

  /// Why a run with this identity may not resume `other`; nil if it may.
  func refusal(of other: RunIdentity) -> String? {
    if other.source != source { return "it was written from source \(other.source), not \(source)" }
    if let size = other.pageSize, size != pageSize {
      return "it was written with page size \(size), not \(pageSize.map { "\($0)" } ?? "that of the service")"
    }
    if other.request != request { return "it was written by a different query (or with different options)" }
    if other.isSplit != isSplit { return "it was written with\(other.isSplit == nil ? "out" : "") --split" }
    return other.form == form ? nil : "it was written with a different format, columns or filter"
  }

  private static func hash(_ words: [String]) -> String {
    String(RowKey.hash(words.map { "\($0.utf8.count):\($0)" }.joined()), radix: 16)
  }
}

// MARK: - The file

/// Writes the progress record of a run next to its file, so that the run can be resumed however it ends. It
/// appends one line per page and each key once, so that the cost of a page does not grow with the list.
final class ResumeJournal: Sendable {
  let path: String
  private let state: Lock<State>

  fileprivate struct State {
    var record: ResumeRecord
    /// Nil until just before the first write to the output file.
    var file: Descriptor?
    /// The size in bytes of the complete lines of the record.
    var length = 0
    /// What the file contains now, including pages after which no run can continue.
    var extent: ResumeRecord.Extent
    /// The keys of pages that have not been recorded yet.
    var keys: [UInt64] = []
    var isStale = false
    var isColumnsWritten = false
    /// Why the record is not up to date.
    var failure: Errno?

    var header: [UInt8] {
      // A list that has ended has no pages left, wherever it started.
      let start = record.progress.pages == 0 ? record.resumePoint : nil
      return ResumeRecord.Line.header(
        record.identity, inode: record.inode, startedAt: record.startedAt, start: start
      ).bytes
    }

    mutating func writePage() {
      // Without a header there is no record.
      guard isStale, file != nil, var resumePoint = record.resumePoint else { return }
      resumePoint.keys = keys
      let columns = isColumnsWritten ? nil : record.columns
      append(ResumeRecord.Line.page(record.progress, resumePoint, columns: columns).bytes)
      if failure != nil { return }
      keys = []
      isStale = false
      isColumnsWritten = true
    }

    /// Appends a complete line or nothing.
    mutating func append(_ line: [UInt8]) {
      guard let file else { return }
      failure = nil
      // Removes a partially written line.
      guard file.truncate(to: length) else {
        failure = Errno(errno)
        return
      }
      do throws(Errno) {
        try file.write(line)
        length += line.count
      } catch {
        failure = error
        ftruncate(file.number, length)
      }
    }
  }

  init(beside file: String, _ record: ResumeRecord) {
    path = Self.path(beside: file)
    state = Lock(State(record: record, extent: record.progress))
  }

  init(resuming earlier: PreviousRun) {
    path = earlier.path
    var record = earlier.record
    record.resumePoint?.keys = []
    state = Lock(
      State(
        record: record, file: earlier.file, length: earlier.length, extent: record.progress,
        isColumnsWritten: !record.columns.isEmpty))
  }

  deinit { state.withLock { $0.file?.close() } }

  func unlock() { state.withLock { $0.file?.unlock() } }

  static func path(beside file: String) -> String { "\(file).riffle" }

  /// Prepares for the first write to the file. The new record replaces any earlier one before the file
  /// changes, so that the run can be resumed even if it is killed at any moment.
  func begin() {
    state.withLock { state in
      guard state.file == nil, state.failure == nil else { return }
      let header = state.header
      do throws(Errno) {
        let file = try PrivateFile.replace(path, with: header)
        _ = file.lock()
        state.file = file
        state.length = header.count
      } catch { state.failure = error }
    }
  }

  /// Records that these bytes, the rows of a complete page, are in the file.
  func note(_ bytes: [UInt8], rows: Int, of block: RowStore.Block, columns: [RecordedColumn]) {
    state.withLock { state in
      state.extent.append(bytes)
      state.extent.rows += rows
      state.extent.pages += 1
      guard let resumePoint = block.resumePoint else { return }
      if resumePoint.received != state.record.resumePoint?.received ?? 0 { state.extent.filledPages += 1 }
      if resumePoint.parents != state.record.resumePoint?.parents { state.keys = [] }
      state.keys += block.identities.filter { $0 != RowKey.none }
      state.record.progress = state.extent
      state.record.resumePoint = resumePoint
      state.record.columns = columns
      state.isStale = true
      state.writePage()
    }
  }

  /// Records that these bytes, which belong to no page, are in the file.
  func note(_ bytes: [UInt8]) { state.withLock { $0.extent.append(bytes) } }

  /// Records the end of the run.
  ///
  /// - Parameters:
  ///   - reason: Nil if the exact content of the file is unknown.
  ///   - doubt: See `ResumeRecord.Ending.doubt`.
  ///   - keepsRecord: Whether to keep the record even if nothing is left to resume.
  /// - Returns: Why the run cannot be resumed; nil if it can, or nothing is left to resume.
  func conclude(
    _ reason: ResumeRecord.Ending.Reason?, doubt: String? = nil, keepsRecord: Bool
  ) -> Errno? {
    state.withLock { state -> Errno? in
      if let reason, reason != .stopped, !keepsRecord {
        if state.file != nil { unlink(path) }
        return nil
      }
      // Retry a line that failed to be written; there may be space now.
      state.writePage()
      guard let reason else { return state.failure }
      let ending = ResumeRecord.Line.ending(
        ResumeRecord.Ending(reason: reason, extent: state.extent, doubt: doubt)
      ).bytes
      guard reason == .listOver else {
        if state.failure == nil { state.append(ending) }
        return state.failure
      }
      // The keys are no longer needed.
      do throws(Errno) { try PrivateFile.replace(path, with: state.header + ending).close() } catch {
        return error
      }
      return nil
    }
  }

  // MARK: Earlier runs

  /// The record left by another run.
  struct PreviousRun: Sendable {
    let path: String
    let record: ResumeRecord
    let file: Descriptor
    /// The size in bytes of its complete lines.
    let length: Int
  }

  /// Reads the record next to a file without changing it. It stays locked against other runs until it is
  /// closed.
  ///
  /// - Returns: Nil if there is none.
  static func earlier(beside file: String) throws(CommandError) -> PreviousRun? {
    let path = path(beside: file)
    let journal: Descriptor
    do throws(Errno) { journal = try Descriptor(opening: path, openFlags) } catch {
      if error.code == ENOENT { return nil }
      throw refusal(of: file, "cannot read its progress file \(path): \(error)")
    }
    do throws(CommandError) { return try contents(of: journal, at: path, beside: file) } catch {
      journal.close()
      throw error
    }
  }

  /// The number of rows that an unfinished run left in a file; 0 if there is no record of one, or if resuming it would not
  /// load all rows because it left out lists.
  static func unfinishedRows(beside file: String) -> Int {
    guard let earlier = try? earlier(beside: file) else { return 0 }
    defer { earlier.file.close() }
    let record = earlier.record
    if record.resumePoint?.leftOut != nil { return 0 }
    return record.ending.map { $0.reason == .stopped } ?? true ? record.extent.rows : 0
  }

  /// The page size of the run that wrote a file; nil if there is no record of one, or it left the size to the service.
  static func pageSize(beside file: String) -> Int? {
    guard let journal = try? Descriptor(opening: path(beside: file), openFlags) else { return nil }
    defer { journal.close() }
    guard let size = journal.regularSize,
      let line = try? journal.bytes(in: 0..<min(size, 1 << 16)).prefix(while: { $0 != UInt8(ascii: "\n") }),
      case .header(let identity, _, _, _, _) = try? ResumeRecord.Line(line)
    else { return nil }
    return identity.pageSize
  }

  /// - Throws: If another run is writing the record of this file, having removed and recreated it.
  static func checkIsFree(beside file: String) throws(CommandError) {
    guard let journal = try? Descriptor(opening: path(beside: file), openFlags) else { return }
    defer { journal.close() }
    if !journal.lock() { throw OutputTarget.isBusy(file) }
  }

  private static func contents(
    of file: Descriptor, at path: String, beside name: String
  ) throws(CommandError) -> PreviousRun {
    guard file.lock() else { throw OutputTarget.isBusy(name) }
    guard let size = file.regularSize, let facts = file.facts else {
      throw refusal(of: name, "its progress file \(path) is not a regular file")
    }
    // Another user must not decide where a run continues.
    guard facts.st_uid == geteuid() else {
      throw refusal(of: name, "its progress file \(path) belongs to another user")
    }
    guard size <= maxBytes else {
      throw refusal(of: name, "its progress file \(path) is larger than 256 MiB")
    }
    let bytes: [UInt8]
    do { bytes = try file.bytes(in: 0..<size) } catch {
      throw refusal(of: name, "cannot read its progress file \(path): \(error)")
    }
    do {
      let (record, length) = try ResumeRecord.reading(bytes)
      return PreviousRun(path: path, record: record, file: file, length: length)
    } catch {
      throw refusal(of: name, "its progress file \(path) is damaged: \(error)")
    }
  }

  static func refusal(of file: String, _ reason: String) -> CommandError {
    CommandError(
      "cannot resume \(file): \(reason). Choose another file, or omit --resume to start over", .usage)
  }

  /// Without O_NONBLOCK, opening a named pipe would wait for a writer.
  private static let openFlags = O_RDWR | O_NOFOLLOW | O_NONBLOCK

  /// Enough for 16 million keys.
  private static let maxBytes = 1 << 28
}
