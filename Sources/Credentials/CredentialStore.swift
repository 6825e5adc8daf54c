import Config
private import Glibc
import Search

/// The stored credentials: API keys that the user typed, and tokens that a service issued. Each is in a file that only
/// the user can access (mode 0600), in a directory with mode 0700.
package struct CredentialStore: Sendable {
  /// The directory of the files; nil without a home directory, so that nothing can be stored.
  package let folder: String?
  private let user: UInt32

  /// - Parameter user: The required owner of the files.
  package init(environment: [String: String], user: UInt32) {
    folder = StateFolder.path(environment: environment).map { "\($0)/credentials" }
    self.user = user
  }

  package func path(of identity: CredentialIdentity) -> String? {
    folder.map { "\($0)/\(identity.fileName)" }
  }

  /// The credential stored for exactly this identity; nil if there is none.
  package func credential(
    for identity: CredentialIdentity
  ) throws(CredentialStoreError) -> StoredCredential? {
    guard let path = path(of: identity) else { return nil }
    let kept = try credential(in: path, of: identity.source)
    return kept?.identity == identity ? kept : nil
  }

  /// The files of a source, or of all sources, by name.
  package func files(of source: String? = nil) -> [(source: String, path: String)] {
    guard let folder, let names = try? FileAccess.system().list(folder) else { return [] }
    return names.sorted().compactMap { name in
      let parts = name.split(separator: ".")
      guard parts.count > 1, parts.last?.count == 16, source.map({ parts[0] == $0 }) ?? true else {
        return nil
      }
      return (String(parts[0]), "\(folder)/\(name)")
    }
  }

  /// The credential in a file; nil if it is missing or empty.
  package func credential(
    in path: String, of source: String
  ) throws(CredentialStoreError) -> StoredCredential? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    if descriptor < 0, errno == ENOENT || errno == ENOTDIR { return nil }
    guard descriptor >= 0 else { throw .unreadable(path, errno) }
    defer { close(descriptor) }
    return try CredentialFile.contents(of: descriptor, path, source, user)
  }

  /// Opens and locks the credential's file; nil if another process has locked it.
  package func lock(_ identity: CredentialIdentity) throws(CredentialStoreError) -> CredentialFile? {
    guard let path = path(of: identity) else {
      throw .unwritable("the state directory", of: identity.source, "neither HOME nor XDG_STATE_HOME is set")
    }
    do { try NewFile(path: path).makeFolders() } catch {
      throw .unwritable(path, of: identity.source, error.reason)
    }
    try checkFolder(of: path, identity.source)
    // The file may be replaced or removed between opening and locking it.
    for _ in 0..<100 {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else {
        if errno == EACCES, access(path, F_OK) == 0 { throw .unreadable(path, errno) }
        throw .unwritable(path, of: identity.source, String(cString: strerror(errno)))
      }
      let file = CredentialFile(identity, path: path, descriptor: descriptor, user: user)
      if !file.isLocked { return nil }
      if file.isCurrent { return file }
    }
    return nil
  }

  private func checkFolder(of path: String, _ source: String) throws(CredentialStoreError) {
    let folder = path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
    guard let status = try? FileAccess.system().status(folder) else { return }
    if status.owner != user { throw .foreign(folder) }
    if status.isWritableByOthers { throw .exposed(folder, mode: status.mode, remedy: "chmod 700 \(folder)") }
  }

  /// Removes the stored credentials of a source.
  ///
  /// - Returns: The number of credentials removed.
  package func removeAll(of source: String) throws(CredentialStoreError) -> Int {
    var count = 0
    for file in files(of: source) {
      guard unlink(file.path) == 0 else {
        throw .unwritable(file.path, of: source, String(cString: strerror(errno)))
      }
      count += 1
    }
    return count
  }
}

/// The file of a credential, locked against other processes until this value is destroyed. A file that is still empty
/// then is removed.
package struct CredentialFile: ~Copyable {
  private let identity: CredentialIdentity
  private let path: String
  private let descriptor: Int32
  private let user: UInt32
  fileprivate let isLocked: Bool

  fileprivate init(_ identity: CredentialIdentity, path: String, descriptor: Int32, user: UInt32) {
    self.identity = identity
    self.path = path
    self.descriptor = descriptor
    self.user = user
    isLocked = Self.lock(descriptor)
  }

  deinit {
    if isLocked, isCurrent, size == 0 { unlink(path) }
    close(descriptor)
  }

  /// On a file system without locks, every file counts as locked.
  private static func lock(_ descriptor: Int32) -> Bool {
    flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
  }

  /// Whether the path still refers to this file.
  fileprivate var isCurrent: Bool {
    var (own, named) = (stat(), stat())
    return fstat(descriptor, &own) == 0 && lstat(path, &named) == 0 && own.st_ino == named.st_ino
      && own.st_dev == named.st_dev
  }

  private var size: Int {
    var facts = stat()
    return fstat(descriptor, &facts) == 0 ? Int(facts.st_size) : 0
  }

  /// The stored credential; nil if there is none.
  package func credential() throws(CredentialStoreError) -> StoredCredential? {
    let kept = try Self.contents(of: descriptor, path, identity.source, user)
    return kept?.identity == identity ? kept : nil
  }

  /// Replaces the stored credential, and unlocks the file. When it returns, the new file is on the disk under its name.
  package consuming func replace(with credential: StoredCredential) throws(CredentialStoreError) {
    do { try NewFile(path: path).write(credential.bytes, isReplacing: true) } catch {
      throw .unwritable(path, of: identity.source, error.reason)
    }
    let folder = open(
      path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }, O_RDONLY | O_CLOEXEC)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
  }

  fileprivate static func contents(
    of descriptor: Int32, _ path: String, _ source: String, _ user: UInt32
  ) throws(CredentialStoreError) -> StoredCredential? {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw .unreadable(path, errno) }
    guard facts.st_mode & S_IFMT == S_IFREG else { throw .damaged(path, source) }
    if facts.st_uid != user { throw .foreign(path) }
    if facts.st_mode & 0o077 != 0 {
      throw .exposed(path, mode: String(facts.st_mode & 0o777, radix: 8), remedy: "chmod 600 \(path)")
    }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { throw .unreadable(path, errno) }
    if count == 0 { return nil }
    guard let credential = StoredCredential(Array(bytes[..<count])) else { throw .damaged(path, source) }
    return credential
  }
}

/// The reason why a stored credential cannot be used, or none can be stored. It contains no secret.
package struct CredentialStoreError: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String
  /// Whether only storing failed.
  package var isOnlyUnwritable = false

  fileprivate static func unwritable(_ path: String, of source: String, _ reason: String) -> Self {
    Self(
      description:
        "cannot store the credential of source \(source): \(path): \(reason). Make it writable, or set XDG_STATE_HOME to another directory",
      isOnlyUnwritable: true)
  }

  fileprivate static func unreadable(_ path: String, _ code: Int32) -> Self {
    Self(description: "\(path) cannot be read: \(String(cString: strerror(code)))")
  }

  fileprivate static func foreign(_ path: String) -> Self {
    Self(description: "\(path) belongs to another user, so it is not used. Remove it")
  }

  fileprivate static func exposed(_ path: String, mode: String, remedy: String) -> Self {
    Self(description: "others can access \(path) (mode \(mode)), so it is not used. Run: \(remedy)")
  }

  fileprivate static func damaged(_ path: String, _ source: String) -> Self {
    Self(description: "\(path) is damaged. Remove it with: riffle auth logout \(source)")
  }
}
