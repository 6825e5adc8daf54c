import Glibc
import Search
import Synchronization

/// The rows of a session on disk, in an unlinked file that disappears with the process. The file is created
/// on the first write.
final class ArchiveFile: Sendable {
  private struct State {
    var descriptor: Int32?
    var length = 0
  }

  private let folders: [String]
  private let state = Mutex(State())

  /// - Parameter folders: Folders for the file, in order of preference.
  init(in folders: [String]) { self.folders = folders }

  deinit {
    if let descriptor = state.withLock({ $0.descriptor }) { close(descriptor) }
  }

  var archive: RowArchive { RowArchive(keep: keep, read: read) }

  /// `TMPDIR`, then folders for large temporary files, then any temporary folder.
  static func folders(environment: [String: String]) -> [String] {
    [environment["TMPDIR"], "/var/tmp", "/tmp"].compactMap { $0 }.filter { $0.hasPrefix("/") }
  }

  @Sendable private func keep(_ bytes: [UInt8]) -> Int? {
    state.withLock { state in
      guard let descriptor = state.descriptor ?? Self.made(in: folders) else { return nil }
      state.descriptor = descriptor
      guard Self.write(bytes, to: descriptor, at: state.length) else { return nil }
      defer { state.length += bytes.count }
      return state.length
    }
  }

  @Sendable private func read(_ range: Range<Int>) -> [UInt8]? {
    guard let descriptor = state.withLock({ $0.descriptor }) else { return nil }
    var bytes = [UInt8](repeating: 0, count: range.count)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress?.advanced(by: done), range.count - done, range.lowerBound + done)
      }
      if count > 0 { done += count } else if count == 0 || errno != EINTR { return nil }
    }
    return bytes
  }

  private static func made(in folders: [String]) -> Int32? {
    for folder in folders {
      var name = Array("\(folder)/riffle-XXXXXX".utf8CString)
      let descriptor = mkstemp(&name)
      guard descriptor >= 0 else { continue }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      unlink(name)
      return descriptor
    }
    return nil
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32, at offset: Int) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        pwrite(descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done, offset + done)
      }
      if count >= 0 { done += count } else if errno != EINTR { return false }
    }
    return true
  }
}
