/// The user's folder of sources, and files elsewhere.
struct SourceFolder: Sendable {
  let path: String?
  let files: FileAccess
  let user: UInt32

  /// The documents in the folder, in the order of their names; none when there is no folder.
  func sources() throws(ConfigError) -> [(name: String, path: String)] {
    guard let path else { return [] }
    let names: [String]
    do { names = try files.list(path) } catch {
      if error == .missing { return [] }
      throw ConfigError([ConfigProblem(at: .named(path), error.description)])
    }
    return names.filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }.sorted()
      .map { (String($0.dropLast(5)), "\(path)/\($0)") }
  }

  /// - Parameter isNamed: the path was given on the command line.
  func document(_ path: String, isNamed: Bool) throws(ConfigError) -> SourceDocument {
    let file: FileAccess.File
    do { file = try files.read(path) } catch {
      throw ConfigError([ConfigProblem(at: .named(path), error.description)])
    }
    return try SourceDocument(
      TOMLDocument(file.bytes, file: path), provenance: isNamed ? .path(path) : .user(path: path),
      trust: SourceTrust(path: path, file: file.status, folder: folder(of: path), user: user))
  }

  /// The facts about the folder of sources when the file is in it.
  private func folder(of path: String) -> (path: String, status: FileStatus)? {
    guard let folder = self.path, path.hasPrefix(folder + "/"), let status = try? files.status(folder),
      !path.dropFirst(folder.count + 1).contains("/")
    else { return nil }
    return (folder, status)
  }
}
