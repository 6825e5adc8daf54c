import Config
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

  /// Writes the whole file or none of it, for the user alone.
  func write(_ text: [UInt8]) throws(Complaint) {
    do { try FileAccess.system().create(path, text) } catch {
      throw error == .taken ? Self.taken(path) : Complaint("\(path) \(error)", .output)
    }
  }

  static func taken(_ path: String) -> Complaint {
    Complaint("\(path) is there already and is left as it is; choose another --name, or remove it", .usage)
  }
}
