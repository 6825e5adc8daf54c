import Config
import Glibc

/// A file to be created in the user's sources folder. An existing file is never overwritten.
struct NewSourceFile: Sendable {
  let folder: String
  /// The source's id.
  let name: String

  var path: String { "\(folder)/\(name).toml" }

  var isTaken: Bool {
    var facts = stat()
    return lstat(path, &facts) == 0
  }

  /// Writes the file atomically, with mode 0600.
  func write(_ text: [UInt8]) throws(CommandError) {
    do { try FileAccess.system().create(path, text) } catch {
      throw error == .taken ? Self.taken(path) : CommandError("\(path) \(error)", .output)
    }
  }

  static func taken(_ path: String) -> CommandError {
    CommandError("\(path) already exists. Choose another --name, or remove the file", .usage)
  }
}
