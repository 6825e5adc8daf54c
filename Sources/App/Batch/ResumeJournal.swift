import Glibc
import Output
import Search
import Synchronization

/// Writes the progress record of a run next to its file, so that the run can be resumed however it ends. It
/// appends one line per page and each key once, so that the cost of a page does not grow with the list.
final class ResumeJournal: Sendable {
  let path: String
  private let state: Mutex<State>

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
      return ResumeRecord.Line.header(record.identity, inode: record.inode, start: start).bytes
    }
  }

  init(beside file: String, _ record: ResumeRecord) {
    path = Self.path(beside: file)
    state = Mutex(State(record: record, extent: record.progress))
  }

  init(resuming earlier: PreviousRun) {
    path = earlier.path
    var record = earlier.record
    record.resumePoint?.keys = []
    state = Mutex(
      State(
        record: record, file: earlier.file, length: earlier.length, extent: record.progress,
        isColumnsWritten: !record.columns.isEmpty))
  }

  deinit { state.withLock { $0.file?.close() } }

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
      state.keys += block.keys.filter { $0 != RowKey.none }
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
  ///   - keepsComplete: Whether to keep the record even if nothing is left to resume.
  /// - Returns: Why the run cannot be resumed; nil if it can, or is complete.
  func conclude(_ reason: ResumeRecord.Ending.Reason?, keepsComplete: Bool) -> Errno? {
    state.withLock { state -> Errno? in
      if let reason, reason != .stopped, !keepsComplete {
        if state.file != nil { unlink(path) }
        return nil
      }
      // Retry a line that failed to be written; there may be space now.
      state.writePage()
      guard let reason else { return state.failure }
      let ending = ResumeRecord.Line.ending(ResumeRecord.Ending(reason: reason, extent: state.extent)).bytes
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
}

extension ResumeJournal.State {
  fileprivate mutating func writePage() {
    // Without a header there is no record.
    guard isStale, file != nil, var resumePoint = record.resumePoint else { return }
    resumePoint.keys = keys
    append(
      ResumeRecord.Line.page(
        record.progress, resumePoint, columns: isColumnsWritten ? nil : record.columns
      ).bytes)
    if failure != nil { return }
    keys = []
    isStale = false
    isColumnsWritten = true
  }

  /// Appends a complete line or nothing.
  fileprivate mutating func append(_ line: [UInt8]) {
    guard let file else { return }
    failure = nil
    // Removes a partially written line.
    guard ftruncate(file.number, length) == 0, lseek(file.number, length, SEEK_SET) == length else {
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

// MARK: - Earlier runs

extension ResumeJournal {
  /// The record left by another run.
  struct PreviousRun: Sendable {
    let path: String
    let record: ResumeRecord
    fileprivate let file: Descriptor
    /// The size in bytes of its complete lines.
    fileprivate let length: Int

    /// Closes the record without changing it.
    func leave() { file.close() }
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
    do throws(CommandError) {
      let (record, length) = try contents(of: journal, at: path, beside: file)
      return PreviousRun(path: path, record: record, file: journal, length: length)
    } catch {
      journal.close()
      throw error
    }
  }

  /// - Throws: If another run is writing the record of this file, having removed and recreated it.
  static func checkIsFree(beside file: String) throws(CommandError) {
    guard let journal = try? Descriptor(opening: path(beside: file), openFlags) else { return }
    defer { journal.close() }
    if !journal.lock() { throw OutputTarget.isBusy(file) }
  }

  private static func contents(
    of file: Descriptor, at path: String, beside name: String
  ) throws(CommandError) -> (ResumeRecord, Int) {
    guard file.lock() else { throw OutputTarget.isBusy(name) }
    var facts = stat()
    guard fstat(file.number, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw refusal(of: name, "its progress file \(path) is not a regular file")
    }
    // Another user must not decide where a run continues.
    guard facts.st_uid == geteuid() else {
      throw refusal(of: name, "its progress file \(path) belongs to another user")
    }
    guard facts.st_size <= mostBytes else {
      throw refusal(of: name, "its progress file \(path) is larger than 256 MiB")
    }
    let bytes: [UInt8]
    do { bytes = try file.bytes(in: 0..<Int(facts.st_size)) } catch {
      throw refusal(of: name, "cannot read its progress file \(path): \(error)")
    }
    do throws(ResumeRecord.Damage) { return try ResumeRecord.reading(bytes) } catch {
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
  private static let mostBytes = 1 << 28
}
