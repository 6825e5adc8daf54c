import Glibc
import Synchronization

/// A file that a session is recorded in: new, the user's alone (0600), and of whole lines at any time.
final class RecordingFile: Sendable {
  let name: String
  private let path: String
  private let descriptor: Int32
  private let isTaken = Mutex(false)

  /// - Throws: when there is something of this name already, or no file can be made.
  init(new name: String, home: String?) throws(Failure) {
    self.name = name
    path = UserFile.path(name, home: home)
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor < 0 { throw Failure(name, errno) }
  }

  deinit { close(descriptor) }

  /// A file holds one session. True for the first that asks.
  func take() -> Bool {
    isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
  }

  /// Adds a line; when there is no room for the whole of it, the file ends with the line before.
  func append(line: [UInt8]) throws(Failure) {
    let end = lseek(descriptor, 0, SEEK_END)
    guard let code = Descriptor(descriptor).write(line + [UInt8(ascii: "\n")]) else { return }
    if end >= 0 { ftruncate(descriptor, end) }
    throw Failure(name, code)
  }

  /// Nothing stays of it.
  func remove() { unlink(path) }

  /// Why it cannot be made or written, and what to do.
  struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ name: String, _ code: Int32) {
      description =
        code == EEXIST
        ? "\(name) is there already and stays as it is: take another name"
        : "\(name) cannot be written: \(String(cString: strerror(code)))"
    }
  }
}

extension RequestOptions {
  /// The file of `--record`, made before anything is asked or drawn; nil when nothing is recorded.
  func recording(_ world: World) throws(Complaint) -> RecordingFile? {
    guard let record else { return nil }
    do throws(RecordingFile.Failure) {
      return try RecordingFile(new: record, home: world.environment["HOME"])
    } catch { throw Complaint("--record: \(error)", .output) }
  }
}
