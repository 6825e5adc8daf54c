import Glibc

/// A file to come in the user's folder of sources. What is there is never overwritten.
struct NewSourceFile: Sendable {
  let folder: String
  /// The id of the source.
  let name: String

  var path: String { "\(folder)/\(name).toml" }

  var isTaken: Bool {
    var facts = stat()
    return lstat(path, &facts) == 0
  }

  /// Writes the whole file or none of it: to a file beside it, which then gets its name unless something has it.
  /// The folder is made for the user alone.
  func write(_ text: [UInt8]) throws(Complaint) {
    if let failure = UserFile.makeFolder(folder) { throw Self.complaint(failure.path, failure.code) }
    let draft = "\(folder)/.\(name).\(getpid()).draft"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.complaint(draft, errno) }
    defer { unlink(draft) }
    let code = Descriptor(descriptor).write(text) ?? (fsync(descriptor) == 0 ? nil : errno)
    close(descriptor)
    if let code { throw Self.complaint(draft, code) }
    guard link(draft, path) == 0 else {
      throw errno == EEXIST ? Self.taken(path) : Self.complaint(path, errno)
    }
  }

  static func taken(_ path: String) -> Complaint {
    Complaint("\(path) is there already and is left as it is; choose another --name, or remove it", .usage)
  }

  private static func complaint(_ path: String, _ code: Int32) -> Complaint {
    Complaint("\(path) cannot be written: \(String(cString: strerror(code)))", .output)
  }
}
