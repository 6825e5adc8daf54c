import Glibc
import Synchronization

/// Where a document goes: stdout, or the file of `--output`.
final class OutputTarget: Sendable {
  let descriptor: Int32
  /// Whether the file still holds what it held before the run.
  private let isOld: Mutex<Bool>

  static let standardOutput = OutputTarget(descriptor: STDOUT_FILENO, isOld: false)

  var isFile: Bool { descriptor != STDOUT_FILENO }

  private init(descriptor: Int32, isOld: Bool) {
    self.descriptor = descriptor
    self.isOld = Mutex(isOld)
  }

  deinit { if isFile { close(descriptor) } }

  /// Opens a file, or makes one as the umask says. What it holds stays until there is something to write.
  static func file(_ path: String) throws(Complaint) -> OutputTarget {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    // A pipe with a name, and a device, may be open to writing only.
    let usable = descriptor >= 0 ? descriptor : open(path, O_WRONLY | O_CLOEXEC)
    guard usable >= 0 else {
      throw Complaint("--output \(path): \(String(cString: strerror(errno)))", .output)
    }
    return OutputTarget(descriptor: usable, isOld: true)
  }

  /// Empties the file, once, before the first byte is written.
  func clear() {
    let isFirst = isOld.withLock { isOld in
      defer { isOld = false }
      return isOld
    }
    // What is no regular file has nothing to empty.
    if isFirst { _ = ftruncate(descriptor, 0) }
  }
}
