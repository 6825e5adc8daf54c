import Glibc
import Search
import Synchronization

/// Where a document is written: stdout, or the file of `--output`. A file is locked, so that only one run
/// writes it at a time.
final class OutputTarget: Sendable {
  let descriptor: Int32
  /// The file's path; nil for stdout.
  let path: String?
  private let state: Mutex<State>

  private struct State {
    /// The number of bytes of the existing file to keep; the rest is cut off before the first write. Nil once
    /// that is done.
    var kept: Int?
  }

  static let standardOutput = OutputTarget(descriptor: STDOUT_FILENO, path: nil)

  var isFile: Bool { path != nil }

  private init(descriptor: Int32, path: String?) {
    self.descriptor = descriptor
    self.path = path
    state = Mutex(State(kept: path == nil ? nil : 0))
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
    guard descriptor >= 0 else { throw commandError(path, Errno(errno)) }
    let target = OutputTarget(descriptor: descriptor, path: path)
    if target.isRegularFile, !Descriptor(descriptor).lock() { throw isBusy(path) }
    return target
  }

  static func isBusy(_ path: String) -> CommandError {
    CommandError("cannot write \(path): another riffle process is writing it", .output)
  }

  private static func commandError(_ path: String, _ error: Errno) -> CommandError {
    CommandError("cannot write \(path): \(error)", .output)
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

  /// Writes after the bytes to keep; returns the error that prevented it, if any.
  func write(_ bytes: [UInt8]) -> Int32? { cut() ?? Descriptor(descriptor).write(bytes) }

  /// Keeps this many bytes of the file.
  func keep(_ length: Int) { state.withLock { $0.kept = length } }

  /// Truncates the file once, before the first write; returns the error that prevented it, if any.
  private func cut() -> Int32? {
    state.withLock { state in
      guard let kept = state.kept else { return nil }
      // Only a regular file can be truncated.
      let isCut = ftruncate(descriptor, kept) == 0 && lseek(descriptor, kept, SEEK_SET) == kept
      guard isCut || kept == 0 else { return errno }
      state.kept = nil
      return nil
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
