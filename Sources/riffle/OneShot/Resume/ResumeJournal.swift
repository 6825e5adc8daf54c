import Config
import Glibc
import Output
import Search
import Synchronization

/// Keeps the record of a run beside its file, so that the run can be resumed however it ends: a line after each page, each
/// key once, so that a page costs no more the longer the list is.
final class ResumeJournal: Sendable {
  let path: String
  private let state: Mutex<State>

  fileprivate struct State {
    var record: ResumeRecord
    /// Nil until the first byte of the file is about to be written.
    var file: Descriptor?
    /// Bytes of the record that are whole lines.
    var length = 0
    /// What the file holds now, pages included that no run continues after.
    var extent: ResumeRecord.Extent
    /// The keys of pages that the record could not be told of yet.
    var keys: [UInt64] = []
    var isStale = false
    var isColumnsWritten = false
    /// Why the record is not up to date.
    var failure: Errno?

    var header: [UInt8] {
      // Of a list that is over no page is left, wherever it began.
      let start = record.progress.pages == 0 ? record.resumption : nil
      return ResumeRecord.Line.header(record.identity, inode: record.inode, start: start).bytes
    }
  }

  /// Of a run that begins.
  init(beside file: String, _ record: ResumeRecord) {
    path = Self.path(beside: file)
    state = Mutex(State(record: record, extent: record.progress))
  }

  /// Of a run that is resumed.
  init(resuming earlier: Earlier) {
    path = earlier.path
    var record = earlier.record
    record.resumption?.keys = []
    state = Mutex(
      State(
        record: record, file: earlier.file, length: earlier.length, extent: record.progress,
        isColumnsWritten: !record.columns.isEmpty))
  }

  deinit { state.withLock { if let file = $0.file { close(file.number) } } }

  static func path(beside file: String) -> String { "\(file).riffle" }

  /// A file is about to be written: before its first byte there is a record, so that a run that is killed at any moment can
  /// be resumed, and none of an earlier run is left beside it.
  func begin() {
    state.withLock { state in
      guard state.file == nil, state.failure == nil else { return }
      let header = state.header
      switch UserFile.replace(path, with: header) {
      case .success(let file):
        _ = file.lock()
        state.file = file
        state.length = header.count
      case .failure(let error): state.failure = error
      }
    }
  }

  /// The file holds these bytes too, the rows of a whole page.
  func note(_ bytes: [UInt8], rows: Int, of block: RowStore.Block, columns: [SettledColumn]) {
    state.withLock { state in
      state.extent.append(bytes)
      state.extent.rows += rows
      state.extent.pages += 1
      guard let resumption = block.resumption else { return }
      if resumption.received != state.record.resumption?.received ?? 0 { state.extent.filledPages += 1 }
      state.keys += block.keys.filter { $0 != RowKey.none }
      state.record.progress = state.extent
      state.record.resumption = resumption
      state.record.columns = columns
      state.isStale = true
      state.writePage()
    }
  }

  /// The file holds these bytes too, which are no page's.
  func note(_ bytes: [UInt8]) { state.withLock { $0.extent.append(bytes) } }

  /// The run is over.
  ///
  /// - Parameters:
  ///   - reason: nil when the file may hold more than is known.
  ///   - keepsComplete: the record stays also when nothing is left to resume.
  /// - Returns: why the run cannot be resumed; nil when it can, or need not be.
  func conclude(_ reason: ResumeRecord.Ending.Reason?, keepsComplete: Bool) -> Errno? {
    state.withLock { state -> Errno? in
      if let reason, reason != .stopped, !keepsComplete {
        if state.file != nil { unlink(path) }
        return nil
      }
      // What could not be written may have room now.
      state.writePage()
      guard let reason else { return state.failure }
      let ending = ResumeRecord.Line.ending(ResumeRecord.Ending(reason: reason, extent: state.extent)).bytes
      guard reason == .listOver else {
        if state.failure == nil { state.append(ending) }
        return state.failure
      }
      // Nobody needs the keys any more.
      switch UserFile.replace(path, with: state.header + ending) {
      case .success(let file): close(file.number)
      case .failure(let error): return error
      }
      return nil
    }
  }
}

extension ResumeJournal.State {
  /// Writes down what was noted last.
  fileprivate mutating func writePage() {
    // Without a beginning there is no record.
    guard isStale, file != nil, var resumption = record.resumption else { return }
    resumption.keys = keys
    append(
      ResumeRecord.Line.page(
        record.progress, resumption, columns: isColumnsWritten ? nil : record.columns
      ).bytes)
    if failure != nil { return }
    keys = []
    isStale = false
    isColumnsWritten = true
  }

  /// Adds a whole line or nothing.
  fileprivate mutating func append(_ line: [UInt8]) {
    guard let file else { return }
    failure = nil
    // A line that is torn goes.
    if ftruncate(file.number, length) != 0 || lseek(file.number, length, SEEK_SET) != length {
      failure = Errno(errno)
    } else if let code = file.write(line) {
      failure = Errno(code)
      ftruncate(file.number, length)
    } else {
      length += line.count
    }
  }
}

// MARK: - Of an earlier run

extension ResumeJournal {
  /// The record that another run has left.
  struct Earlier: Sendable {
    let path: String
    let record: ResumeRecord
    fileprivate let file: Descriptor
    /// Bytes of it that are whole lines.
    fileprivate let length: Int

    /// Lets the record go; it is as it was.
    func leave() { close(file.number) }
  }

  /// Reads the record beside a file, and changes nothing. Until it is left, no other run writes it.
  ///
  /// - Returns: nil when there is none.
  static func earlier(beside file: String) throws(Complaint) -> Earlier? {
    let path = path(beside: file)
    // Without O_NONBLOCK, opening a named pipe would wait for a writer.
    let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw refusal(of: file, "cannot read its progress file \(path): \(Errno(errno))")
    }
    do throws(Complaint) {
      let (record, length) = try contents(of: Descriptor(descriptor), at: path, beside: file)
      return Earlier(path: path, record: record, file: Descriptor(descriptor), length: length)
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// - Throws: when another run writes the record of this file, which was removed then and made again.
  static func checkIsFree(beside file: String) throws(Complaint) {
    let descriptor = open(path(beside: file), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    if !Descriptor(descriptor).lock() { throw OutputTarget.isBusy(file) }
  }

  private static func contents(
    of file: Descriptor, at path: String, beside name: String
  ) throws(Complaint) -> (ResumeRecord, Int) {
    guard file.lock() else { throw OutputTarget.isBusy(name) }
    var facts = stat()
    guard fstat(file.number, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw refusal(of: name, "its progress file \(path) is not a regular file")
    }
    // Where a run continues is nothing that others say.
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

  static func refusal(of file: String, _ reason: String) -> Complaint {
    Complaint("cannot resume \(file): \(reason). Choose another file, or omit --resume to start over", .usage)
  }

  /// Sixteen million keys.
  private static let mostBytes = 1 << 28
}
