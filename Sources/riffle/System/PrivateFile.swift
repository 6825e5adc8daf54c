import Config
import Glibc

/// Owner-only files (mode 0600).
enum PrivateFile {
  /// Expands a path that the user typed outside a shell.
  static func path(_ name: String, home: String?) -> String {
    name.hasPrefix("~/") ? (home ?? "~") + name.dropFirst() : name
  }

  /// Replaces a file atomically. A symbolic link is replaced, not followed.
  ///
  /// - Returns: The file's descriptor, for appending, or the error that prevented it.
  static func replace(_ path: String, with bytes: [UInt8]) -> Result<Descriptor, Errno> {
    guard let draft = DraftFile(for: path) else { return .failure(Errno(errno)) }
    let file = Descriptor(draft.descriptor)
    var code = file.write(bytes)
    if code == nil, rename(draft.path, path) != 0 { code = errno }
    guard let code else { return .success(file) }
    close(draft.descriptor)
    unlink(draft.path)
    return .failure(Errno(code))
  }
}

/// An error number (errno(3)), described by the system's message.
struct Errno: Error, Sendable, Hashable, CustomStringConvertible {
  let code: Int32

  init(_ code: Int32) { self.code = code }

  var description: String { String(cString: strerror(code)) }
}
