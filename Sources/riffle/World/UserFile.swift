import Config
import Glibc

/// Files that are the user's alone (0600).
enum UserFile {
  /// Where a file is that the user typed the name of, outside a shell.
  static func path(_ name: String, home: String?) -> String {
    name.hasPrefix("~/") ? (home ?? "~") + name.dropFirst() : name
  }

  /// Puts a file in the place of what is there, as a whole or not at all; a symbolic link there is replaced, not
  /// followed.
  ///
  /// - Returns: the file's descriptor, for more to be added, or the error that prevented it.
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

/// A number of errno(3), in the system's words.
struct Errno: Error, Sendable, Hashable, CustomStringConvertible {
  let code: Int32

  init(_ code: Int32) { self.code = code }

  var description: String { String(cString: strerror(code)) }
}
