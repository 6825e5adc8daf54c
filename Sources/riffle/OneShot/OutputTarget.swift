import Glibc
import Search
import Synchronization

/// Where a document goes: stdout, or the file of `--output`. A file is locked: one run at a time writes it.
final class OutputTarget: Sendable {
  let descriptor: Int32
  /// The file's; nil for stdout.
  let path: String?
  private let state: Mutex<State>

  private struct State {
    /// Bytes of what the file holds that stay; the others are cut off before the first byte is written. Nil when that is
    /// done.
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

  /// Opens a file, or makes one as the umask says. What it holds stays until there is something to write. Waits for the
  /// reader of a pipe with a name.
  static func file(_ path: String) throws(Complaint) -> OutputTarget {
    var facts = stat()
    let isThere = stat(path, &facts) == 0
    // Whoever could read from a pipe would never learn that its reader has gone.
    let isOther = isThere && facts.st_mode & S_IFMT != S_IFREG
    var descriptor = open(path, isOther ? O_WRONLY | O_CLOEXEC : O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    if descriptor < 0, errno == EACCES, isThere { descriptor = open(path, O_WRONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw complaint(path, Errno(errno)) }
    let target = OutputTarget(descriptor: descriptor, path: path)
    if target.isRegularFile, !Descriptor(descriptor).lock() { throw isBusy(path) }
    return target
  }

  static func isBusy(_ path: String) -> Complaint {
    Complaint("cannot write \(path): another riffle is writing it", .output)
  }

  private static func complaint(_ path: String, _ error: Errno) -> Complaint {
    Complaint("cannot write \(path): \(error)", .output)
  }

  private var facts: stat? {
    var facts = stat()
    return isFile && fstat(descriptor, &facts) == 0 ? facts : nil
  }

  /// Whether it can be cut and continued.
  var isRegularFile: Bool { facts.map { $0.st_mode & S_IFMT == S_IFREG } ?? false }

  var inode: UInt64 { facts.map { UInt64($0.st_ino) } ?? 0 }

  /// Bytes that the file holds.
  var size: Int { facts.map { Int($0.st_size) } ?? 0 }

  /// Writes after what stays; gives the error that prevented it.
  func write(_ bytes: [UInt8]) -> Int32? { cut() ?? Descriptor(descriptor).write(bytes) }

  /// These bytes of the file stay.
  func keep(_ length: Int) { state.withLock { $0.kept = length } }

  /// Cuts the file, once, before the first byte is written; gives the error that prevented it.
  private func cut() -> Int32? {
    state.withLock { state in
      guard let kept = state.kept else { return nil }
      // What is no regular file has nothing to cut.
      let isCut = ftruncate(descriptor, kept) == 0 && lseek(descriptor, kept, SEEK_SET) == kept
      guard isCut || kept == 0 else { return errno }
      state.kept = nil
      return nil
    }
  }
}

extension OutputTarget {
  /// Why the file is not the one that an earlier run has left; nil when it is.
  func difference(from record: ResumeRecord) -> String? {
    let extent = record.extent
    if inode != record.inode { return "it was replaced since that run" }
    if size < extent.bytes { return "it is shorter than that run left it" }
    // A run that is killed may leave more than its record says.
    if size > extent.bytes, record.ending != nil { return "it is longer than that run left it" }
    guard let tail = try? Descriptor(descriptor).bytes(in: extent.tailStart..<extent.bytes),
      RowKey.hash(tail[...]) == extent.tailHash
    else { return "its last rows have changed since that run" }
    return nil
  }
}
