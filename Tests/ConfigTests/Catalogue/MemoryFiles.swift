import Config

/// Files in memory: by path, with the text and who may change it.
struct MemoryFiles: Sendable {
  struct File: Sendable {
    var text: String
    var owner: UInt32 = 1000
    var permissions: UInt16 = 0o644
  }

  var files: [String: File] = [:]
  var folders: [String: FileStatus] = [:]

  init(_ texts: [String: String] = [:]) { files = texts.mapValues { File(text: $0) } }

  var access: FileAccess {
    FileAccess(
      read: { [files] path throws(FileFailure) in
        guard let file = files[path] else { throw .missing }
        return FileAccess.File(
          bytes: Array(file.text.utf8), status: FileStatus(owner: file.owner, permissions: file.permissions))
      },
      list: { [files, folders] folder throws(FileFailure) in
        guard folders[folder] != nil else { throw .missing }
        return files.keys.filter { $0.hasPrefix(folder + "/") }.map { String($0.dropFirst(folder.count + 1)) }
      },
      status: { [folders] path throws(FileFailure) in
        guard let status = folders[path] else { throw .missing }
        return status
      })
  }
}
