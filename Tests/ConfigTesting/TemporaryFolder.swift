import Config
import Glibc

/// Runs `body` with a new folder, which is then removed with its contents.
package func withTemporaryFolder(_ body: (String) throws -> Void) throws {
  var template = Array("/tmp/riffle-config-XXXXXX".utf8CString)
  guard let path = mkdtemp(&template) else { throw FileError.unwritable(String(cString: strerror(errno))) }
  let folder = String(cString: path)
  defer { removeAll(folder) }
  try body(folder)
}

private func removeAll(_ path: String) {
  if remove(path) == 0 { return }
  for name in (try? FileAccess.system().list(path)) ?? [] { removeAll("\(path)/\(name)") }
  remove(path)
}
