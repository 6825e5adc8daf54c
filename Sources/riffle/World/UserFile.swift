import Glibc

/// Files that are the user's alone (0600).
enum UserFile {
  /// Where a file is that the user typed the name of, outside a shell.
  static func path(_ name: String, home: String?) -> String {
    name.hasPrefix("~/") ? (home ?? "~") + name.dropFirst() : name
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
