private import Glibc

/// File system access as functions, so that tests need no disk.
package struct FileAccess: Sendable {
  /// A whole file with its status, taken from the same open file.
  package var read: @Sendable (_ path: String) throws(FileError) -> File
  /// The names in a directory, in any order.
  package var list: @Sendable (_ folder: String) throws(FileError) -> [String]
  package var status: @Sendable (_ path: String) throws(FileError) -> FileStatus
  /// The target of a symbolic link; nil if the path is something else.
  package var link: @Sendable (_ path: String) throws(FileError) -> Link?
  /// The absolute path of an existing file, without links, `.` and `..`.
  package var canonical: @Sendable (_ path: String) throws(FileError) -> String
  /// Creates a file with mode 0600, and missing directories with mode 0700. It is written completely or not at
  /// all, and never replaces an existing file.
  package var create: @Sendable (_ path: String, _ bytes: [UInt8]) throws(FileError) -> Void
  /// Creates a file like `create`, but replaces an existing one.
  package var replace: @Sendable (_ path: String, _ bytes: [UInt8]) throws(FileError) -> Void = {
    _, _ throws(FileError) in throw .unwritable("Read-only file system")
  }

  package struct Link: Sendable, Hashable {
    /// The target as written in the link.
    package let target: String
    package let owner: UInt32
  }

  package struct File: Sendable, Hashable {
    package let bytes: [UInt8]
    package let status: FileStatus

    package init(bytes: [UInt8], status: FileStatus) {
      self.bytes = bytes
      self.status = status
    }
  }
}

/// The owner and permissions of a file or directory; links are followed.
package struct FileStatus: Sendable, Hashable {
  package let owner: UInt32
  /// The nine permission bits (`0o644`), and `0o1000` for a directory in which only the owner of an entry may
  /// replace it (`/tmp`).
  package let permissions: UInt16

  package init(owner: UInt32, permissions: UInt16) {
    self.owner = owner
    self.permissions = permissions
  }

  /// The permissions as `chmod` takes them: `644`.
  package var mode: String { String(permissions & 0o777, radix: 8) }

  /// Whether the group or others have write permission.
  package var isWritableByOthers: Bool { permissions & 0o022 != 0 }

  /// Whether other users may replace entries of the directory.
  package var letsOthersReplace: Bool { isWritableByOthers && permissions & 0o1000 == 0 }
}

/// The reason why a file or directory could not be read, or a file could not be created.
package enum FileError: Error, Sendable, Hashable, CustomStringConvertible {
  case missing
  /// The path is a directory, pipe or device instead of a file.
  case notAFile
  /// The system's error message.
  case other(String)
  /// A file with this name already exists.
  case taken
  /// The system's error message.
  case unwritable(String)

  /// The cause alone: `no such file`, or the system's error message.
  package var reason: String {
    switch self {
    case .other(let words), .unwritable(let words): words
    case .missing: "no such file"
    case .notAFile: "not a regular file"
    case .taken: "file exists"
    }
  }

  /// What failed and why: `cannot read mine.toml: no such file`.
  package func message(reading path: String) -> String { "cannot read \(path): \(reason)" }

  /// What failed and why: `cannot write mine.toml: Permission denied`.
  package func message(writing path: String) -> String { "cannot write \(path): \(reason)" }

  package var description: String {
    switch self {
    case .missing: "does not exist"
    case .notAFile: "is not a regular file"
    case .other(let words): "cannot be read: \(words)"
    case .taken: "already exists and was not changed"
    case .unwritable(let words): "cannot be written: \(words)"
    }
  }
}

extension FileAccess {
  /// Access to the file system. At most `limit` bytes of a file are read.
  package static func system(limit: Int = TOMLDocument.largest + 1) -> FileAccess {
    FileAccess(
      read: { path throws(FileError) in try SystemFile.read(path, limit: limit) },
      list: SystemFile.names, status: SystemFile.status, link: SystemFile.link,
      canonical: SystemFile.canonical,
      create: { path, bytes throws(FileError) in try NewFile(path: path).write(bytes) },
      replace: { path, bytes throws(FileError) in try NewFile(path: path).write(bytes, isReplacing: true) })
  }
}

private enum SystemFile {
  static func read(_ path: String, limit: Int) throws(FileError) -> FileAccess.File {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw failure(errno) }
    guard facts.st_mode & S_IFMT == S_IFREG || path == "/dev/null" else { throw .notAFile }
    return FileAccess.File(bytes: try bytes(of: descriptor, limit: limit), status: FileStatus(facts))
  }

  private static func bytes(of descriptor: Int32, limit: Int) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < limit {
      let count = Glibc.read(descriptor, &chunk, min(chunk.count, limit - bytes.count))
      if count == 0 { break }
      if count > 0 {
        bytes += chunk[..<count]
      } else if errno != EINTR {
        throw failure(errno)
      }
    }
    return bytes
  }

  static func names(in folder: String) throws(FileError) -> [String] {
    guard let stream = opendir(folder) else { throw failure(errno) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  static func status(_ path: String) throws(FileError) -> FileStatus {
    var facts = stat()
    guard stat(path, &facts) == 0 else { throw failure(errno) }
    return FileStatus(facts)
  }

  static func link(_ path: String) throws(FileError) -> FileAccess.Link? {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { throw failure(errno) }
    guard facts.st_mode & S_IFMT == S_IFLNK else { return nil }
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &target, target.count)
    guard count >= 0 else { throw failure(errno) }
    let bytes = target[..<count].map(UInt8.init(bitPattern:))
    return FileAccess.Link(target: String(decoding: bytes, as: UTF8.self), owner: facts.st_uid)
  }

  static func canonical(_ path: String) throws(FileError) -> String {
    guard let result = realpath(path, nil) else { throw failure(errno) }
    defer { free(result) }
    return String(cString: result)
  }

  private static func failure(_ code: Int32) -> FileError {
    code == ENOENT || code == ENOTDIR ? .missing : .other(String(cString: strerror(code)))
  }
}

extension FileStatus {
  fileprivate init(_ facts: stat) {
    self.init(owner: facts.st_uid, permissions: UInt16(truncatingIfNeeded: facts.st_mode & 0o1777))
  }
}

/// A new owner-only file (mode 0600) next to its destination. Its name is unpredictable, and no existing file
/// or symbolic link is opened, because others may be able to write to the directory.
package struct DraftFile: Sendable {
  package let path: String
  /// The descriptor, open for writing; the caller closes it.
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
package struct NewFile {
  let path: String

  package init(path: String) { self.path = path }

  /// Writes the file completely or not at all: to a draft, which then gets the name.
  ///
  /// - Parameter isReplacing: Whether a file that has the name is replaced; otherwise that is an error.
  package func write(_ bytes: [UInt8], isReplacing: Bool = false) throws(FileError) {
    try makeFolders()
    guard let draft = DraftFile(for: path) else { throw Self.failure(errno) }
    defer {
      close(draft.descriptor)
      unlink(draft.path)
    }
    if let code = Self.write(bytes[...], to: draft.descriptor) { throw Self.failure(code) }
    guard (isReplacing ? rename(draft.path, path) : link(draft.path, path)) == 0 else {
      throw Self.failure(errno)
    }
  }

  /// Creates the missing directories of the path with mode 0700.
  package func makeFolders() throws(FileError) {
    var folder = path.hasPrefix("/") ? "" : "."
    for name in path.split(separator: "/").dropLast() {
      folder += "/\(name)"
      if mkdir(folder, 0o700) == 0 || errno == EEXIST { continue }
      // A directory may exist although creating it is not permitted.
      let code = errno
      var facts = stat()
      if stat(folder, &facts) != 0 { throw Self.failure(code) }
    }
  }

  /// Writes all bytes and waits until they are on the disk.
  ///
  /// - Returns: The error number; nil on success.
  static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int32? {
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

  private static func failure(_ code: Int32) -> FileError {
    code == EEXIST ? .taken : .unwritable(String(cString: strerror(code)))
  }
}

/// The directory of data that riffle stores between runs.
package enum StateFolder {
  /// `$XDG_STATE_HOME/riffle`, else `~/.local/state/riffle`; nil without a home.
  package static func path(environment: [String: String]) -> String? {
    if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") { return "\(folder)/riffle" }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return "\(home)/.local/state/riffle"
  }
}
