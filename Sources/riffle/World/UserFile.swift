import Glibc

/// Files that are the user's alone (0600, in folders of 0700).
enum UserFile {
  /// Makes a folder and those above it; what failed, if anything.
  static func makeFolder(_ folder: String) -> (path: String, code: Int32)? {
    var made = ""
    for part in folder.split(separator: "/") {
      made += "/\(part)"
      guard mkdir(made, 0o700) != 0, errno != EEXIST else { continue }
      // A folder above may be one that nobody may write in, and there already.
      var facts = stat()
      let code = errno
      if stat(made, &facts) != 0 { return (made, code) }
    }
    return nil
  }

  /// Puts a file in the place of what is there, as a whole or not at all; gives the error that prevented it.
  static func replace(_ path: String, with bytes: [UInt8]) -> Int32? {
    let draft = "\(path).\(getpid())"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return errno }
    let code = Descriptor(descriptor).write(bytes)
    close(descriptor)
    if code == nil, rename(draft, path) == 0 { return nil }
    let failure = code ?? errno
    unlink(draft)
    return failure
  }
}
