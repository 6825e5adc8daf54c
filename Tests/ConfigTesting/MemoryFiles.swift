package import Config

/// Files in memory, by path, with their text, owner and permissions. The working directory is `/home/ann`.
package struct MemoryFiles: Sendable {
  package struct File: Sendable {
    package var text: String
    package var owner: UInt32
    package var permissions: UInt16

    package init(text: String, owner: UInt32 = 1000, permissions: UInt16 = 0o644) {
      self.text = text
      self.owner = owner
      self.permissions = permissions
    }
  }

  package var files: [String: File] = [:]
  package var folders: [String: FileStatus] = [
    "/": FileStatus(owner: 0, permissions: 0o755), "/home": FileStatus(owner: 0, permissions: 0o755),
    "/home/ann": FileStatus(owner: 1000, permissions: 0o755),
    "/tmp": FileStatus(owner: 0, permissions: 0o1777),
  ]
  package var links: [String: FileAccess.Link] = [:]

  package init(_ texts: [String: String] = [:]) { files = texts.mapValues { File(text: $0) } }

  package var access: FileAccess {
    var access = FileAccess.system()
    access.read = { [self] path throws(FileError) in
      guard let file = files[resolved(path)] ?? files[path] else {
        throw folders[resolved(path)] == nil ? .missing : .notAFile
      }
      return FileAccess.File(
        bytes: Array(file.text.utf8), status: FileStatus(owner: file.owner, permissions: file.permissions))
    }
    access.list = { [self] folder throws(FileError) in
      let place = resolved(folder)
      guard folders[place] != nil else { throw .missing }
      let paths = Array(files.keys) + Array(links.keys)
      return paths.filter { $0.hasPrefix(place + "/") }.map { String($0.dropFirst(place.count + 1)) }
    }
    access.status = { [self] path throws(FileError) in
      if let file = files[resolved(path)] ?? files[path] {
        return FileStatus(owner: file.owner, permissions: file.permissions)
      }
      guard let status = folders[resolved(path)] else { throw .missing }
      return status
    }
    access.link = { [links] path throws(FileError) in links[path] }
    access.canonical = { [self] path throws(FileError) in
      let place = resolved(path)
      guard folders[place] != nil || files[place] != nil else { throw .missing }
      return place
    }
    access.create = { path, _ throws(FileError) in throw .unwritable("Read-only file system: \(path)") }
    access.replace = { _, _ throws(FileError) in throw .unwritable("Read-only file system") }
    return access
  }

  /// The path without links, `.` and `..`.
  private func resolved(_ path: String) -> String {
    var place: [String] = []
    var rest = (path.hasPrefix("/") ? path : "/home/ann/\(path)").split(separator: "/").map(String.init)
    while !rest.isEmpty {
      let name = rest.removeFirst()
      switch name {
      case ".": continue
      case "..": _ = place.popLast()
      default: place.append(name)
      }
      if let link = links["/" + place.joined(separator: "/")] {
        if link.target.hasPrefix("/") { place = [] } else { place.removeLast() }
        rest = link.target.split(separator: "/").map(String.init) + rest
      }
    }
    return "/" + place.joined(separator: "/")
  }
}
