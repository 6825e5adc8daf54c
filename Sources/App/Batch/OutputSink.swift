import Glibc
import Output
import Search
import Synchronization

/// Writes the document to its target, page by page, on a dedicated thread, so that a slow reader blocks only
/// that thread.
final class OutputSink: Sendable {
  private let target: OutputTarget
  private let thread = WritingThread("riffle.output")
  private let document: Mutex<OutputWriter?>
  private let journal: ResumeJournal?
  private let pages = Mutex(0)

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
  init(_ document: OutputWriter?, to target: OutputTarget, journal: ResumeJournal?) {
    self.document = Mutex(document)
    self.target = target
    self.journal = journal
  }

  enum Failure: Error, Sendable, Hashable {
    /// The reader closed the pipe (EPIPE).
    case closed
    case system(String)
    /// The first page shows that this column does not exist.
    case column(String)
  }

  /// Writes the rows of one page; returns when the descriptor has accepted them.
  ///
  /// - Parameter block: The page as kept by the session.
  func write(_ rows: OutputRows, of block: RowStore.Block) async -> Result<Void, Failure> {
    await thread.outcome { [self] in
      var bytes: [UInt8] = []
      do { try document.withLock { try $0?.append(rows, into: &bytes) } } catch {
        return .failure(.column("\(error)"))
      }
      let result = put(bytes)
      guard case .success = result else { return result }
      pages.withLock { $0 += 1 }
      let columns = document.withLock { $0?.settledColumns ?? [] }
      journal?.note(bytes, rows: rows.nodes.count, of: block, columns: columns)
      return result
    }
  }

  func finish() async -> Result<Void, Failure> {
    await thread.outcome { [self] in
      guard document.withLock({ $0 != nil }) else { return .success(()) }
      var bytes: [UInt8] = []
      do { try document.withLock { try $0?.end(into: &bytes) } } catch {
        return .failure(.column("\(error)"))
      }
      let result = put(bytes, isWhole: true)
      if case .success = result { journal?.note(bytes) }
      return result
    }
  }

  /// - Parameter isWhole: Whether the document ends here, so that an existing file is truncated even if
  ///   `bytes` is empty.
  private func put(_ bytes: [UInt8], isWhole: Bool = false) -> Result<Void, Failure> {
    if bytes.isEmpty, !isWhole { return .success(()) }
    journal?.begin()
    do throws(Errno) { return .success(try target.write(bytes)) } catch {
      if error == .closedPipe { return .failure(.closed) }
      return .failure(.system((target.path.map { "\($0): " } ?? "") + "\(error)"))
    }
  }
}

/// Where a document is written: stdout, or the file of `--output`. A file is locked, so that only one run
/// writes it at a time.
final class OutputTarget: Sendable {
  let descriptor: Int32
  /// The file's path; nil for stdout.
  let path: String?
  /// The number of bytes of the existing file to keep; the rest is cut off before the first write. Nil once
  /// that is done.
  private let kept: Mutex<Int?>

  static let standardOutput = OutputTarget(descriptor: STDOUT_FILENO, path: nil)

  var isFile: Bool { path != nil }

  private init(descriptor: Int32, path: String?) {
    self.descriptor = descriptor
    self.path = path
    kept = Mutex(path == nil ? nil : 0)
  }

  deinit { if isFile { close(descriptor) } }

  /// Opens a file, or creates it with the permissions of the umask. Its content is kept until the first
  /// write. Opening a named pipe waits for its reader.
  static func file(_ path: String) throws(CommandError) -> OutputTarget {
    var facts = stat()
    let isThere = stat(path, &facts) == 0
    // Opened for writing only: a process that holds the read end of a pipe never learns that its reader has
    // gone.
    let isOther = isThere && facts.st_mode & S_IFMT != S_IFREG
    var descriptor = open(path, isOther ? O_WRONLY | O_CLOEXEC : O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    if descriptor < 0, errno == EACCES, isThere { descriptor = open(path, O_WRONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw CommandError("cannot write \(path): \(Errno(errno))", .output) }
    let target = OutputTarget(descriptor: descriptor, path: path)
    if target.isRegularFile, !Descriptor(descriptor).lock() { throw isBusy(path) }
    return target
  }

  static func isBusy(_ path: String) -> CommandError {
    CommandError("cannot write \(path): another riffle process is writing it", .output)
  }

  private var facts: stat? {
    var facts = stat()
    return isFile && fstat(descriptor, &facts) == 0 ? facts : nil
  }

  /// Whether it is a regular file, which can be truncated and continued.
  var isRegularFile: Bool { facts.map { $0.st_mode & S_IFMT == S_IFREG } ?? false }

  var inode: UInt64 { facts.map { UInt64($0.st_ino) } ?? 0 }

  /// The size of the file in bytes.
  var size: Int { facts.map { Int($0.st_size) } ?? 0 }

  /// Writes after the bytes to keep.
  func write(_ bytes: [UInt8]) throws(Errno) {
    try cut()
    try Descriptor(descriptor).write(bytes)
  }

  /// Keeps this many bytes of the file.
  func keep(_ length: Int) { kept.withLock { $0 = length } }

  /// Truncates the file once, before the first write.
  private func cut() throws(Errno) {
    try kept.withLock { (kept) throws(Errno) in
      guard let length = kept else { return }
      // Only a regular file can be truncated.
      let isCut = ftruncate(descriptor, length) == 0 && lseek(descriptor, length, SEEK_SET) == length
      guard isCut || length == 0 else { throw Errno(errno) }
      kept = nil
    }
  }
}

extension OutputTarget {
  /// Why the file is not as an earlier run left it; nil if it is.
  func difference(from record: ResumeRecord) -> String? {
    let extent = record.extent
    if inode != record.inode { return "it was replaced after that run" }
    if size < extent.bytes { return "it is shorter than that run left it" }
    // A killed run may leave more than its record covers.
    if size > extent.bytes, record.ending != nil { return "it is longer than that run left it" }
    guard let tail = try? Descriptor(descriptor).bytes(in: extent.tailStart..<extent.bytes),
      RowKey.hash(tail[...]) == extent.tailHash
    else { return "its last rows have changed since that run" }
    return nil
  }
}
