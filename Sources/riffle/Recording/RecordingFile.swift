import Glibc
import Synchronization

/// A new file that a session is recorded in. It is owner-only (mode 0600) and consists of complete lines at
/// any time.
final class RecordingFile: Sendable {
  let name: String
  private let path: String
  private let descriptor: Int32
  private let isTaken = Mutex(false)

  /// - Throws: If the file already exists or cannot be created.
  init(new name: String, home: String?) throws(Failure) {
    self.name = name
    path = PrivateFile.path(name, home: home)
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor < 0 { throw Failure(name, errno) }
  }

  deinit { close(descriptor) }

  /// Claims the file, which records only one session. Returns true for the first caller only.
  func take() -> Bool {
    isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
  }

  /// Appends a line. If there is no space for all of it, the file is cut back to the previous line.
  func append(line: [UInt8]) throws(Failure) {
    let end = lseek(descriptor, 0, SEEK_END)
    guard let code = Descriptor(descriptor).write(line + [UInt8(ascii: "\n")]) else { return }
    if end >= 0 { ftruncate(descriptor, end) }
    throw Failure(name, code)
  }

  /// Deletes the file.
  func remove() { unlink(path) }

  /// Why the file cannot be created or written, and what to do.
  struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ name: String, _ code: Int32) {
      description =
        code == EEXIST
        ? "\(name) already exists. Choose another name"
        : "cannot write \(name): \(String(cString: strerror(code)))"
    }
  }
}

extension RequestOptions {
  /// The file of `--record`, created before anything is requested or drawn; nil if the session is not
  /// recorded.
  func recording(_ dependencies: Dependencies) throws(CommandError) -> RecordingFile? {
    guard let record else { return nil }
    do throws(RecordingFile.Failure) {
      return try RecordingFile(new: record, home: dependencies.environment["HOME"])
    } catch { throw CommandError("--record: \(error)", .output) }
  }
}
