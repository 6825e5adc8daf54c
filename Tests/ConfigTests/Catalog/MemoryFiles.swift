@testable import Config

/// Files in memory, by path, with their text, owner and permissions. The working directory is `/home/ann`.
struct MemoryFiles: Sendable {
  struct File: Sendable {
    var text: String
    var owner: UInt32 = 1000
    var permissions: UInt16 = 0o644
  }

  var files: [String: File] = [:]
  var folders: [String: FileStatus] = [
    "/": FileStatus(owner: 0, permissions: 0o755), "/home": FileStatus(owner: 0, permissions: 0o755),
    "/home/ann": FileStatus(owner: 1000, permissions: 0o755),
    "/tmp": FileStatus(owner: 0, permissions: 0o1777),
  ]
  var links: [String: FileAccess.Link] = [:]

  init(_ texts: [String: String] = [:]) { files = texts.mapValues { File(text: $0) } }

  var access: FileAccess {
    FileAccess(
      read: { [self] path throws(FileFailure) in
        guard let file = files[resolved(path)] ?? files[path] else {
          throw folders[resolved(path)] == nil ? .missing : .notAFile
        }
        return FileAccess.File(
          bytes: Array(file.text.utf8), status: FileStatus(owner: file.owner, permissions: file.permissions))
      },
      list: { [self] folder throws(FileFailure) in
        let place = resolved(folder)
        guard folders[place] != nil else { throw .missing }
        let paths = Array(files.keys) + Array(links.keys)
        return paths.filter { $0.hasPrefix(place + "/") }.map { String($0.dropFirst(place.count + 1)) }
      },
      status: { [self] path throws(FileFailure) in
        if let file = files[resolved(path)] ?? files[path] {
          return FileStatus(owner: file.owner, permissions: file.permissions)
        }
        guard let status = folders[resolved(path)] else { throw .missing }
        return status
      },
      link: { [links] path throws(FileFailure) in links[path] },
      canonical: { [self] path throws(FileFailure) in
        let place = resolved(path)
        guard folders[place] != nil || files[place] != nil else { throw .missing }
        return place
      }, create: { path, _ throws(FileFailure) in throw .unwritable("Read-only file system: \(path)") })
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
