private import Glibc

extension FileAccess {
  /// Access to the file system. At most `limit` bytes of a file are read.
  package static func system(limit: Int = TOMLDocument.largest + 1) -> FileAccess {
    FileAccess(
      read: { path throws(FileFailure) in try SystemFile.read(path, limit: limit) },
      list: { folder throws(FileFailure) in try SystemFile.names(in: folder) },
      status: { path throws(FileFailure) in try SystemFile.status(path) },
      link: { path throws(FileFailure) in try SystemFile.link(path) },
      canonical: { path throws(FileFailure) in try SystemFile.canonical(path) },
      create: { path, bytes throws(FileFailure) in try NewFile(path: path).write(bytes) })
  }
}

private enum SystemFile {
  static func read(_ path: String, limit: Int) throws(FileFailure) -> FileAccess.File {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw failure(errno) }
    guard facts.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
    return FileAccess.File(bytes: try bytes(of: descriptor, limit: limit), status: FileStatus(facts))
  }

  private static func bytes(of descriptor: Int32, limit: Int) throws(FileFailure) -> [UInt8] {
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

  static func names(in folder: String) throws(FileFailure) -> [String] {
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

  static func status(_ path: String) throws(FileFailure) -> FileStatus {
    var facts = stat()
    guard stat(path, &facts) == 0 else { throw failure(errno) }
    return FileStatus(facts)
  }

  static func link(_ path: String) throws(FileFailure) -> FileAccess.Link? {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { throw failure(errno) }
    guard facts.st_mode & S_IFMT == S_IFLNK else { return nil }
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &target, target.count)
    guard count >= 0 else { throw failure(errno) }
    let bytes = target[..<count].map(UInt8.init(bitPattern:))
    return FileAccess.Link(target: String(decoding: bytes, as: UTF8.self), owner: facts.st_uid)
  }

  static func canonical(_ path: String) throws(FileFailure) -> String {
    guard let result = realpath(path, nil) else { throw failure(errno) }
    defer { free(result) }
    return String(cString: result)
  }

  private static func failure(_ code: Int32) -> FileFailure {
    code == ENOENT || code == ENOTDIR ? .missing : .other(String(cString: strerror(code)))
  }
}

extension FileStatus {
  fileprivate init(_ facts: stat) {
    self.init(owner: facts.st_uid, permissions: UInt16(truncatingIfNeeded: facts.st_mode & 0o1777))
  }
}
