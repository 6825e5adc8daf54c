import Config
import Glibc
import Testing

/// Runs `body` with a new folder, which is then removed with its contents.
func withTemporaryFolder(_ body: (String) throws -> Void) throws {
  var template = Array("/tmp/riffle-config-XXXXXX".utf8CString)
  let folder = String(cString: try #require(mkdtemp(&template)))
  defer { removeAll(folder) }
  try body(folder)
}

private func removeAll(_ path: String) {
  if remove(path) == 0 { return }
  for name in (try? FileAccess.system().list(path)) ?? [] { removeAll("\(path)/\(name)") }
  remove(path)
}
