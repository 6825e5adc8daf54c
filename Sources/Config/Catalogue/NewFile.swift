private import Glibc

/// A new file of the user's alone (0600) beside the place it is for. Its name cannot be foreseen, and nothing that is
/// there already is opened, a symbolic link least of all: others may write to the folder.
package struct DraftFile: Sendable {
  package let path: String
  /// Open for writing; the caller closes it.
  package let descriptor: Int32

  /// - Returns: nil when no file can be made; `errno` says why.
  package init?(for place: String) {
    path = "\(place).\(String(UInt64.random(in: .min ... .max), radix: 36))"
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    if descriptor < 0 { return nil }
  }
}

/// A file to come, for the user's eyes alone.
struct NewFile {
  let path: String

  /// Writes the whole file or none of it: to a draft, which then gets its name unless something has it.
  func write(_ bytes: [UInt8]) throws(FileFailure) {
    try makeFolders()
    guard let draft = DraftFile(for: path) else { throw Self.failure(errno) }
    defer {
      close(draft.descriptor)
      unlink(draft.path)
    }
    if let code = Self.write(bytes[...], to: draft.descriptor) { throw Self.failure(code) }
    guard link(draft.path, path) == 0 else { throw Self.failure(errno) }
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
