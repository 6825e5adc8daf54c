import Glibc
import Synchronization

/// Where a document goes: stdout, or the file of `--output`.
final class OutputTarget: Sendable {
  let descriptor: Int32
  /// The file's; nil for stdout.
  let path: String?
  private let state: Mutex<State>

  private struct State {
    /// The file still holds what it held before the run.
    var isOld: Bool
    /// Bytes of the document that are there.
    var length: Int
  }

  static let standardOutput = OutputTarget(descriptor: STDOUT_FILENO, path: nil, isOld: false)

  var isFile: Bool { path != nil }

  /// Bytes of the document that are written, those of an earlier run included.
  var length: Int { state.withLock { $0.length } }

  private init(descriptor: Int32, path: String?, isOld: Bool, length: Int = 0) {
    self.descriptor = descriptor
    self.path = path
    state = Mutex(State(isOld: isOld, length: length))
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
    guard descriptor >= 0 else { throw complaint(path, String(cString: strerror(errno))) }
    return OutputTarget(descriptor: descriptor, path: path, isOld: true)
  }

  /// Opens a file to go on behind its first bytes; what stands behind them is cut off.
  static func file(_ path: String, goingOnAt length: Int) throws(Complaint) -> OutputTarget {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw complaint(path, String(cString: strerror(errno))) }
    guard lseek(descriptor, 0, SEEK_END) >= length else {
      close(descriptor)
      throw Complaint(
        "--resume: \(path) is shorter than its record says; remove \(ResumeJournal.path(beside: path)) "
          + "and \(path) to begin anew", .usage)
    }
    guard ftruncate(descriptor, length) == 0, lseek(descriptor, length, SEEK_SET) == length else {
      defer { close(descriptor) }
      throw complaint(path, String(cString: strerror(errno)))
    }
    return OutputTarget(descriptor: descriptor, path: path, isOld: false, length: length)
  }

  private static func complaint(_ path: String, _ reason: String) -> Complaint {
    Complaint("--output \(path): \(reason)", .output)
  }

  /// Whether it can be cut and gone on with.
  var isRegularFile: Bool {
    var facts = stat()
    return isFile && fstat(descriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
  }

  /// Writes behind what is there; gives the error that prevented it.
  func write(_ bytes: [UInt8]) -> Int32? {
    clear()
    if let code = Descriptor(descriptor).write(bytes) { return code }
    state.withLock { $0.length += bytes.count }
    return nil
  }

  /// Empties the file, once, before the first byte is written.
  private func clear() {
    let isFirst = state.withLock { state in
      defer { state.isOld = false }
      return state.isOld
    }
    // What is no regular file has nothing to empty.
    if isFirst { _ = ftruncate(descriptor, 0) }
  }
}
