private import Glibc

/// A new owner-only file (mode 0600) next to its destination. Its name is unpredictable, and no existing file
/// or symbolic link is opened, because others may be able to write to the folder.
package struct DraftFile: Sendable {
  package let path: String
  /// Open for writing; the caller closes it.
  package let descriptor: Int32

  /// - Parameter number: Names the file; must be unpredictable.
  /// - Returns: Nil if the file cannot be created; `errno` has the reason.
  package init?(for place: String, number: UInt64 = .random(in: .min ... .max)) {
    path = "\(place).\(String(number, radix: 36))"
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    if descriptor < 0 { return nil }
  }
}

/// Creates an owner-only file.
struct NewFile {
  let path: String

  /// Writes the file completely or not at all: to a draft, which is then renamed unless the name is taken.
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
      // A folder may exist although creating it is not permitted.
      let code = errno
      var facts = stat()
      if stat(folder, &facts) != 0 { throw Self.failure(code) }
    }
  }

  /// - Returns: The error number; nil on success.
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
