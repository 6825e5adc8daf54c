import Glibc

/// An open file, pipe or terminal.
struct Descriptor: Sendable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  /// Writes all bytes, waiting as long as that takes; gives the error that prevented it.
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

  /// The bytes at these places of a file; fewer where it ends before.
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

  /// Locks a file against every other process that locks it so, until it is closed here; false when another has it. Where
  /// files cannot be locked, nobody has.
  func lock() -> Bool {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    // An open file description lock (fcntl(2)), which flock(1) and other parts of this process are not in the way of.
    let setLock: Int32 = 37
    return fcntl(number, setLock, &lock) == 0 || (errno != EAGAIN && errno != EACCES)
  }

  /// For a descriptor somebody else made non-blocking.
  private func waitUntilWritable() {
    var descriptors = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
    poll(&descriptors, 1, -1)
  }
}

extension Descriptor {
  /// Opens those of the three standard descriptors that are closed: else the next file that is opened gets the number,
  /// and messages are written into it. Nothing can be read from or written to what stands in for them, so that a closed
  /// stdout is still an error. Call it before anything is opened.
  static func openStandardOnes() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
      let mode = number == STDIN_FILENO ? O_WRONLY : O_RDONLY
      // The lowest number that is free. A folder takes no bytes either.
      if open("/dev/null", mode) < 0, open("/", O_RDONLY) < 0 { exit(ExitStatus.output.rawValue) }
    }
  }

  /// - Throws: when stdout was closed from the start, or cannot be written to.
  static func requireStandardOutput() throws(Complaint) {
    let mode = fcntl(STDOUT_FILENO, F_GETFL)
    if mode < 0 || mode & O_ACCMODE == O_RDONLY { throw Complaint("stdout is closed", .output) }
  }

  /// Text on stdout. A reader that went away is no failure.
  static func print(_ text: String) throws(Complaint) {
    try requireStandardOutput()
    signal(SIGPIPE, SIG_IGN)
    guard let code = Descriptor(STDOUT_FILENO).write(Array(text.utf8)), code != EPIPE else { return }
    throw Complaint("the output cannot be written: \(String(cString: strerror(code)))", .output)
  }
}

extension Descriptor {
  /// How many a run opens: terminal, output and record, what wakes its threads, a connection and the embedded server.
  /// The libraries end the program where they cannot open theirs.
  private static let most = 32

  /// - Throws: when so many cannot be opened (`ulimit -n`).
  static func requireEnough() throws(Complaint) {
    var limits = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return }
    var (free, open) = (0, 0)
    for number in 0..<Int32(clamping: max(limits.rlim_cur, 256)) where free < most {
      if fcntl(number, F_GETFD) >= 0 { open += 1 } else if number < limits.rlim_cur { free += 1 }
    }
    guard free < most else { return }
    throw Complaint(
      "too few file descriptors (ulimit -n \(limits.rlim_cur); at least \(open + most) needed)", .failed)
  }
}
