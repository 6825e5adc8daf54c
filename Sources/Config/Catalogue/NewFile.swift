private import Glibc

/// A file to come, for the user's eyes alone.
struct NewFile {
  let path: String

  /// Writes the whole file or none of it: to a file beside it, which then gets its name unless something has
  /// it.
  func write(_ bytes: [UInt8]) throws(FileFailure) {
    try makeFolders()
    let draft = "\(path).\(getpid()).draft"
    // One that a run of the same number left behind.
    unlink(draft)
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure(errno) }
    defer { unlink(draft) }
    let code = Self.write(bytes[...], to: descriptor)
    close(descriptor)
    if let code { throw Self.failure(code) }
    guard link(draft, path) == 0 else { throw Self.failure(errno) }
  }

  private func makeFolders() throws(FileFailure) {
    var folder = path.hasPrefix("/") ? "" : "."
    for name in path.split(separator: "/").dropLast() {
      folder += "/\(name)"
      if mkdir(folder, 0o700) == 0 || errno == EEXIST { continue }
      // One above may be where nobody may write, and be there already.
      let code = errno
      var facts = stat()
      if stat(folder, &facts) != 0 { throw Self.failure(code) }
    }
  }

  /// - Returns: the number of the error, if there is one.
  private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int32? {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return errno
      }
    }
    return fsync(descriptor) == 0 ? nil : errno
  }

  private static func failure(_ code: Int32) -> FileFailure {
    code == EEXIST ? .taken : .unwritable(String(cString: strerror(code)))
  }
}
