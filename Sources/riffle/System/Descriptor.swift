import Glibc

/// An open file, pipe or terminal.
struct Descriptor: Sendable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  /// Writes all bytes, blocking as long as necessary; returns the error that prevented it, if any.
  func write(_ bytes: [UInt8]) -> Int32? {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = Glibc.write(number, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
          waitUntilWritable()
        } else if errno != EINTR {
          return errno
        }
      }
      return nil
    }
  }

  /// The bytes in this range of a file; fewer if the file ends before.
  func bytes(in range: Range<Int>) throws(Errno) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(range.count, 1 << 20))
    while bytes.count < range.count {
      let count = pread(
        number, &chunk, min(chunk.count, range.count - bytes.count), range.lowerBound + bytes.count)
      if count == 0 { break }
      if count > 0 { bytes += chunk[..<count] } else if errno != EINTR { throw Errno(errno) }
    }
    return bytes
  }

  /// Locks a file against other processes until it is closed here; false if another process holds the lock.
  /// Returns true on file systems without locks.
  func lock() -> Bool {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    // An open file description lock (fcntl(2)): it is independent of flock(1) and of other descriptors in
    // this process.
    let setLock: Int32 = 37
    return fcntl(number, setLock, &lock) == 0 || (errno != EAGAIN && errno != EACCES)
  }

  /// Waits until a descriptor that another process made non-blocking can be written.
  private func waitUntilWritable() {
    var descriptors = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
    poll(&descriptors, 1, -1)
  }
}

extension Descriptor {
  /// Opens any of the three standard descriptors that are closed. Otherwise the next file opened would get
  /// that number, and messages would be written into it. The replacement cannot be read or written, so that a
  /// closed stdout is still an error. Call this before anything is opened.
  static func openStandardDescriptors() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
      let mode = number == STDIN_FILENO ? O_WRONLY : O_RDONLY
      // open(2) uses the lowest free number. A folder also rejects writes.
      if open("/dev/null", mode) < 0, open("/", O_RDONLY) < 0 { exit(ExitStatus.output.rawValue) }
    }
  }

  /// - Throws: If stdout was closed at the start, or cannot be written.
  static func requireStandardOutput() throws(CommandError) {
    let mode = fcntl(STDOUT_FILENO, F_GETFL)
    if mode < 0 || mode & O_ACCMODE == O_RDONLY { throw CommandError("stdout is closed", .output) }
  }

  /// Prints text on stdout. A closed pipe is not a failure.
  static func print(_ text: String) throws(CommandError) {
    try requireStandardOutput()
    signal(SIGPIPE, SIG_IGN)
    guard let code = Descriptor(STDOUT_FILENO).write(Array(text.utf8)), code != EPIPE else { return }
    throw CommandError("cannot write output: \(String(cString: strerror(code)))", .output)
  }
}

extension Descriptor {
  /// The number of descriptors a run opens: terminal, output and record, wake-up pipes of threads, a
  /// connection and the embedded server. The libraries trap if they cannot open theirs.
  private static let most = 32

  /// - Throws: If that many descriptors cannot be opened (`ulimit -n`).
  static func requireEnough() throws(CommandError) {
    var limits = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return }
    var (free, open) = (0, 0)
    for number in 0..<Int32(clamping: max(limits.rlim_cur, 256)) where free < most {
      if fcntl(number, F_GETFD) >= 0 { open += 1 } else if number < limits.rlim_cur { free += 1 }
    }
    guard free < most else { return }
    throw CommandError(
      "too few file descriptors: ulimit -n is \(limits.rlim_cur), at least \(open + most) needed", .failed)
  }
}
