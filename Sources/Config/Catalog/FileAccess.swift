/// File system access as functions, so that tests need no disk.
package struct FileAccess: Sendable {
  /// A whole file with its status, taken from the same open file.
  package var read: @Sendable (_ path: String) throws(FileFailure) -> File
  /// The names in a folder, in any order.
  package var list: @Sendable (_ folder: String) throws(FileFailure) -> [String]
  package var status: @Sendable (_ path: String) throws(FileFailure) -> FileStatus
  /// The target if the path is a symbolic link, else nil.
  package var link: @Sendable (_ path: String) throws(FileFailure) -> Link?
  /// The absolute path of an existing file, without links, `.` and `..`.
  package var canonical: @Sendable (_ path: String) throws(FileFailure) -> String
  /// Creates a file with mode 0600, and missing folders with mode 0700. It is written completely or not at
  /// all, and never replaces an existing file.
  package var create: @Sendable (_ path: String, _ bytes: [UInt8]) throws(FileFailure) -> Void

  package init(
    read: @escaping @Sendable (_ path: String) throws(FileFailure) -> File,
    list: @escaping @Sendable (_ folder: String) throws(FileFailure) -> [String],
    status: @escaping @Sendable (_ path: String) throws(FileFailure) -> FileStatus,
    link: @escaping @Sendable (_ path: String) throws(FileFailure) -> Link?,
    canonical: @escaping @Sendable (_ path: String) throws(FileFailure) -> String,
    create: @escaping @Sendable (_ path: String, _ bytes: [UInt8]) throws(FileFailure) -> Void
  ) {
    self.read = read
    self.list = list
    self.status = status
    self.link = link
    self.canonical = canonical
    self.create = create
  }

  package struct Link: Sendable, Hashable {
    /// As written in the link.
    package let target: String
    package let owner: UInt32

    package init(target: String, owner: UInt32) {
      self.target = target
      self.owner = owner
    }
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

/// The owner and permissions of a file or folder; links are followed.
package struct FileStatus: Sendable, Hashable {
  package let owner: UInt32
  /// The nine permission bits (`0o644`), and `0o1000` for a folder in which only the owner of an entry may
  /// replace it (`/tmp`).
  package let permissions: UInt16

  package init(owner: UInt32, permissions: UInt16) {
    self.owner = owner
    self.permissions = permissions
  }

  /// The permissions as `chmod` takes them: `644`.
  package var mode: String { String(permissions & 0o777, radix: 8) }

  /// Whether the group or others have write permission.
  package var isWritableByOthers: Bool { permissions & 0o022 != 0 }

  /// Whether other users may replace entries of the folder.
  package var letsOthersReplace: Bool { isWritableByOthers && permissions & 0o1000 == 0 }
}

/// Why a file or folder could not be read, or a file not be created.
package enum FileFailure: Error, Sendable, Hashable, CustomStringConvertible {
  case missing
  /// A folder, pipe or device instead of a file.
  case notAFile
  /// The system's error message.
  case other(String)
  /// A file with this name already exists.
  case taken
  /// The system's error message.
  case unwritable(String)

  package var description: String {
    switch self {
    case .missing: "does not exist"
    case .notAFile: "is not a regular file"
    case .other(let words): "cannot be read: \(words)"
    case .taken: "already exists and was not changed"
    case .unwritable(let words): "cannot be written: \(words)"
    }
  }
}
