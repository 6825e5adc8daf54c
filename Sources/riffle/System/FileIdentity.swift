import Glibc

/// Identifies the file a path names: two paths of one file have equal identities, even if the file does not
/// exist.
struct FileIdentity: Hashable {
  private let path: String
  private let device: UInt
  private let number: UInt

  init(_ path: String) {
    var facts = stat()
    if stat(path, &facts) == 0 {
      self.path = ""
      (device, number) = (UInt(facts.st_dev), UInt(facts.st_ino))
    } else {
      self.path = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
      (device, number) = (0, 0)
    }
  }
}
