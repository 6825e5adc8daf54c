import Config
import Glibc

/// An open file, pipe or terminal.
package struct Descriptor: Sendable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  /// Opens a file, which programs do not inherit. A created one has the permissions of the umask.
  init(opening path: String, _ flags: Int32, mode: mode_t = 0o666) throws(Errno) {
    number = open(path, flags | O_CLOEXEC, mode)
    if number < 0 { throw Errno(errno) }
  }

  func close() { Glibc.close(number) }

  /// What fstat(2) says about the file; nil if it fails.
  var facts: stat? {
    var facts = stat()
    return fstat(number, &facts) == 0 ? facts : nil
  }

  /// The size of a regular file in bytes; nil for anything else.
  var regularSize: Int? { facts.flatMap { $0.st_mode & S_IFMT == S_IFREG ? Int($0.st_size) : nil } }

  var isDirectory: Bool { facts.map { $0.st_mode & S_IFMT == S_IFDIR } ?? false }

  /// Writes all bytes, blocking as long as necessary.
  ///
  /// - Parameters:
  ///   - offset: Where in a file the bytes are written; nil for its current position, or a pipe or terminal.
  ///   - deadline: Limits the wait for the reader of a non-blocking pipe (ETIMEDOUT); nil for no limit.
  func write(_ bytes: [UInt8], at offset: Int? = nil, until deadline: Deadline? = nil) throws(Errno) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        let rest = buffer[done...]
        let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress
        return offset.map { pwrite(number, start, rest.count, $0 + done) }
          ?? Glibc.write(number, start, rest.count)
      }
      if count >= 0 {
        done += count
      } else if errno == EAGAIN {
        if deadline?.milliseconds == 0 { throw Errno(ETIMEDOUT) }
        wait(for: POLLOUT, milliseconds: deadline?.milliseconds ?? -1)
      } else if errno != EINTR {
        throw Errno(errno)
      }
    }
  }

  /// The bytes in this range of a file; fewer if the file ends before.
  func bytes(in range: Range<Int>) throws(Errno) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        pread(number, $0.baseAddress?.advanced(by: done), range.count - done, range.lowerBound + done)
      }
      if count == 0 { break }
      if count > 0 { done += count } else if errno != EINTR { throw Errno(errno) }
    }
    bytes.removeLast(bytes.count - done)
    return bytes
  }

  /// Cuts a file and moves to its new end; false if that fails (`errno`).
  func truncate(to length: Int) -> Bool {
    ftruncate(number, length) == 0 && lseek(number, length, SEEK_SET) == length
  }

  /// Locks a file against other processes until it is closed here; false if another process holds the lock.
  /// Returns true on file systems without locks.
  func lock() -> Bool {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    return fcntl(number, Self.setLock, &lock) == 0 || (errno != EAGAIN && errno != EACCES)
  }

  /// Removes the lock. A child process that is being started may hold the closed file for a moment, and its lock.
  func unlock() {
    var lock = flock()
    lock.l_type = Int16(F_UNLCK)
    _ = fcntl(number, Self.setLock, &lock)
  }

  /// F_OFD_SETLK, an open file description lock (fcntl(2)): it is independent of flock(1) and of other descriptors
  /// in this process.
  private static let setLock: Int32 = 37

  package var isTerminal: Bool { isatty(number) == 1 }

  /// The width of the terminal; nil if it is not a terminal or has none.
  package var columns: Int? {
    var size = winsize()
    guard ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// The next line without its end, at most this many bytes. What follows is left for other readers.
  func line(upTo limit: Int) -> [UInt8] {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while line.count < limit, read(number, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
    return line
  }

  /// Waits until the descriptor is ready for these poll(2) events; a negative time is no limit.
  func wait(for events: Int32, milliseconds: Int32) {
    var descriptors = pollfd(fd: number, events: Int16(events), revents: 0)
    poll(&descriptors, 1, milliseconds)
  }
}

extension Descriptor {
  /// Opens any of the three standard descriptors that are closed. Otherwise the next file opened would get
  /// that number, and messages would be written into it. The replacement cannot be read or written, so that a
  /// closed stdout is still an error. Call this before anything is opened.
  package static func openStandardDescriptors() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
      let mode = number == STDIN_FILENO ? O_WRONLY : O_RDONLY
      // open(2) uses the lowest free number. A folder also rejects writes.
      if open("/dev/null", mode) < 0, open("/", O_RDONLY) < 0 { exit(ExitStatus.output.rawValue) }
    }
  }
}

extension Descriptor {
  /// The number of descriptors a run opens: terminal, output and record, wake-up pipes of threads, a
  /// connection and the embedded server. The libraries trap if they cannot open theirs.
  private static let most = 32

  /// - Throws: If that many descriptors cannot be opened (`ulimit -n`).
  package static func checkDescriptorLimit() throws(CommandError) {
    var limits = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return }
    var (free, open) = (0, 0)
    for number in 0..<Int32(clamping: max(limits.rlim_cur, 256)) {
      if fcntl(number, F_GETFD) >= 0 { open += 1 } else if number < limits.rlim_cur { free += 1 }
      if free == most { return }
    }
    throw CommandError(
      "too few file descriptors: ulimit -n is \(limits.rlim_cur), at least \(open + most) needed", .failed)
  }
}

/// The time at which a wait ends.
struct Deadline: Sendable {
  private let end: SuspendingClock.Instant

  init(after time: Duration) { end = .now + time }

  /// The remaining time for `poll`, rounded up; 0 once the deadline has passed.
  var milliseconds: Int32 {
    let left = SuspendingClock.now.duration(to: end) / .milliseconds(1)
    return Int32(clamping: Int64(max(0, left).rounded(.up)))
  }
}

extension Descriptor {
  /// Reads what is available, at most `limit` bytes; `isOpen` is whether more may follow. Waits if nothing is, unless
  /// the pipe is non-blocking.
  func available(upTo limit: Int) -> ([UInt8], isOpen: Bool) {
    var chunk = [UInt8](repeating: 0, count: max(1, min(limit, 65_536)))
    let count = Glibc.read(number, &chunk, chunk.count)
    if count < 0 { return ([], errno == EAGAIN || errno == EINTR) }
    return (Array(chunk[..<count]), count > 0)
  }
}

/// Owner-only files (mode 0600).
enum PrivateFile {
  /// Replaces a file atomically. A symbolic link is replaced, not followed.
  ///
  /// - Returns: The file, for appending.
  static func replace(_ path: String, with bytes: [UInt8]) throws(Errno) -> Descriptor {
    guard let draft = DraftFile(for: path) else { throw Errno(errno) }
    let file = Descriptor(draft.descriptor)
    do throws(Errno) {
      try file.write(bytes)
      guard rename(draft.path, path) == 0 else { throw Errno(errno) }
      return file
    } catch {
      file.close()
      unlink(draft.path)
      throw error
    }
  }
}

/// A new file at a path that the user typed. An existing file is never overwritten.
struct CreatedFile: Sendable {
  /// As typed.
  let name: String
  let path: String
  let descriptor: Descriptor

  init(_ name: String, home: String?, mode: mode_t = 0o666) throws(WriteError) {
    self.name = name
    path = HomePath.expanded(name, home: home)
    do throws(Errno) {
      descriptor = try Descriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL, mode: mode)
    } catch { throw WriteError(name, error) }
  }

  func write(_ bytes: [UInt8]) throws(WriteError) {
    do throws(Errno) { try descriptor.write(bytes) } catch { throw WriteError(name, error) }
  }

  func remove() { unlink(path) }

  /// Why the file cannot be created or written, and what to do.
  struct WriteError: Error, CustomStringConvertible {
    let description: String

    fileprivate init(_ name: String, _ error: Errno) {
      description =
        error.code == EEXIST
        ? "\(name) already exists. Choose another name" : error.message(writing: name)
    }
  }
}

/// An error number (errno(3)), described by the system's message.
struct Errno: Error, Sendable, Hashable, CustomStringConvertible {
  let code: Int32

  init(_ code: Int32) { self.code = code }

  static let closedPipe = Errno(EPIPE)

  var description: String { String(cString: strerror(code)) }

  /// Why a file cannot be written, and what to do: `cannot write a/x.csv: a does not exist. Create the directory first`.
  func message(writing path: String) -> String {
    let directory = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    if code == ENOENT, access(directory, F_OK) != 0 {
      return "cannot write \(path): \(directory) does not exist. Create the directory first"
    }
    return code == EISDIR
      ? "cannot write \(path): it is a directory. Name a file" : "cannot write \(path): \(self)"
  }
}
