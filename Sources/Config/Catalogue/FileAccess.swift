/// The files a configuration is read from, as functions, so that tests need no disk.
package struct FileAccess: Sendable {
  /// A whole file and the facts about the very file that was read.
  package var read: @Sendable (_ path: String) throws(FileFailure) -> File
  /// The names in a folder, in any order.
  package var list: @Sendable (_ folder: String) throws(FileFailure) -> [String]
  package var status: @Sendable (_ path: String) throws(FileFailure) -> FileStatus

  package init(
    read: @escaping @Sendable (_ path: String) throws(FileFailure) -> File,
    list: @escaping @Sendable (_ folder: String) throws(FileFailure) -> [String],
    status: @escaping @Sendable (_ path: String) throws(FileFailure) -> FileStatus
  ) {
    self.read = read
    self.list = list
    self.status = status
  }

  package struct File: Sendable, Hashable {
    package let bytes: [UInt8]
    package let status: FileStatus

    package init(bytes: [UInt8], status: FileStatus) {
      self.bytes = bytes
      self.status = status
    }
  }
}

/// Who owns a file or folder and who may change it; links are followed.
package struct FileStatus: Sendable, Hashable {
  package let owner: UInt32
  /// The nine permission bits (`0o644`).
  package let permissions: UInt16

  package init(owner: UInt32, permissions: UInt16) {
    self.owner = owner
    self.permissions = permissions
  }

  /// Whether the group or anybody may write.
  package var isWritableByOthers: Bool { permissions & 0o022 != 0 }
}

/// Why a file or folder could not be read.
package enum FileFailure: Error, Sendable, Hashable, CustomStringConvertible {
  case missing
  /// A folder, a pipe or a device where a file should be.
  case notAFile
  /// In the system's words.
  case other(String)

  package var description: String {
    switch self {
    case .missing: "does not exist"
    case .notAFile: "is not a regular file"
    case .other(let words): "cannot be read: \(words)"
    }
  }
}
