import Config
import Glibc
import JSON
import Search
import Text

/// What is kept of the last complete run of a list: which rows it had, and up to when.
///
/// Its form in a file is one line of JSON, the header, then the digests of the rows in 24 bytes each (three numbers, the
/// least significant byte first), then, if they are kept, the ids of the rows, a line of JSON for each.
struct ListState: Sendable {
  var header: Header
  var rows: KnownRows

  struct Header: Sendable, Hashable, Codable {
    /// The version of the format.
    var version = Header.version
    var source: String
    var query: String
    /// See `StateIdentity.digest`.
    var identity: String
    /// The key of all hashes, in hexadecimal digits.
    var hashKey: String
    /// When the last complete run began, in seconds since 1970.
    var lastRun: Double
    var rows: Int
    /// The size of the ids in bytes; nil if they are not kept.
    var idBytes: Int?
    /// See `SinceMark.text`.
    var since: String?
    /// The hash of everything after the header.
    var checksum: String

    static let version = 1
  }

  /// Why a file is no state: the end of a sentence about it.
  enum Defect: Error, Hashable {
    case damaged(String)
    case newerVersion
  }
}

extension ListState.Header: JSONChecked {
  func check() throws(JSONCodingError) {
    try rows.check("rows")
    try idBytes?.check("idBytes", in: 0...1 << 40)
    try lastRun.check("lastRun")
    guard hash != nil else { throw JSONCodingError("hashKey: invalid") }
  }

  /// Nil if the key is invalid.
  var hash: SipHash? {
    guard hashKey.utf8.count == 32, let first = UInt64(hashKey.prefix(16), radix: 16),
      let second = UInt64(hashKey.suffix(16), radix: 16)
    else { return nil }
    return SipHash(key: (first, second))
  }

  /// The header at the start of a file, and its size in bytes.
  static func reading(_ bytes: ArraySlice<UInt8>) throws(ListState.Defect) -> (Self, length: Int) {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { throw .damaged("it has no header") }
    guard let json = try? JSONDocument(Array(bytes[..<end])).root else {
      throw .damaged("its header is not JSON")
    }
    guard let version = json["version"]?.numberText.flatMap({ Int($0) }) else {
      throw .damaged("its header has no version")
    }
    if version > Self.version { throw .newerVersion }
    do throws(JSONCodingError) { return (try json.decoded(), end + 1 - bytes.startIndex) } catch {
      throw .damaged("its header: \(error)")
    }
  }
}

extension ListState {
  /// The state in the form of a file. O(rows).
  var bytes: [UInt8] {
    var body: [UInt8] = []
    body.reserveCapacity(rows.count * RowDigest.size)
    for row in rows.digests {
      for number in [row.first, row.second, row.third] {
        withUnsafeBytes(of: number.littleEndian) { body.append(contentsOf: $0) }
      }
    }
    var header = header
    header.rows = rows.count
    header.idBytes = nil
    if rows.ids.count == rows.count, self.header.keepsIDs {
      let start = body.count
      for id in rows.ids { body += "\(id)\n".utf8 }
      header.idBytes = body.count - start
    }
    header.checksum = header.checksum(of: body[...])
    return JSONCoding.bytes(of: header) + [UInt8(ascii: "\n")] + body
  }

  /// Reads a whole file. O(rows).
  init(_ bytes: [UInt8]) throws(Defect) {
    let (header, length) = try Header.reading(bytes[...])
    let body = bytes[length...]
    let size = header.rows * RowDigest.size
    guard body.count == size + (header.idBytes ?? 0) else {
      throw .damaged(body.count < size + (header.idBytes ?? 0) ? "it is cut off" : "it is too long")
    }
    guard header.checksum(of: body) == header.checksum else { throw .damaged("its checksum is wrong") }
    var digests: [RowDigest] = []
    digests.reserveCapacity(header.rows)
    bytes.withUnsafeBytes { bytes in
      for place in stride(from: length, to: length + size, by: RowDigest.size) {
        func number(_ offset: Int) -> UInt64 {
          UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place + offset, as: UInt64.self))
        }
        digests.append(RowDigest(first: number(0), second: number(8), third: number(16)))
      }
    }
    var ids: [String] = []
    if header.idBytes != nil {
      ids = body.dropFirst(size).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        .dropLast().map { String(decoding: $0, as: UTF8.self) }
      guard ids.count == digests.count else { throw .damaged("it does not have one id for each row") }
    }
    guard let rows = KnownRows(sorted: digests, ids: ids) else { throw .damaged("its rows are not sorted") }
    self.header = header
    self.rows = rows
  }
}

extension ListState.Header {
  var keepsIDs: Bool { idBytes != nil }

  fileprivate func checksum(of body: ArraySlice<UInt8>) -> String {
    let (first, second) = hash?(body) ?? (0, 0)
    return first.padded(to: 16, radix: 16) + second.padded(to: 16, radix: 16)
  }
}

/// The files of states in the state folder.
struct StateFolderFiles: Sendable {
  let folder: String

  private static let ending = ".state"

  /// - Throws: If there is no home folder.
  init(environment: [String: String]) throws(CommandError) {
    guard let state = StateFolder.path(environment: environment) else {
      throw CommandError("no place for states: neither HOME nor XDG_STATE_HOME is set", .output)
    }
    folder = "\(state)/since"
  }

  func path(of name: String) -> String { "\(folder)/\(name)\(Self.ending)" }

  /// The names of all states, sorted.
  var names: [String] {
    ((try? FileAccess.system().list(folder)) ?? []).filter { $0.hasSuffix(Self.ending) }
      .map { String($0.dropLast(Self.ending.count)) }.filter(Self.isValid).sorted()
  }

  private static func isValid(_ name: String) -> Bool {
    name.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._-]{0,99}/) != nil
  }

  /// - Throws: If the name cannot be one of a file.
  static func check(_ name: String) throws(CommandError) {
    if isValid(name) { return }
    throw CommandError(
      "invalid state name \(JSONText.quoted(name)). Use at most 100 letters, digits, -, _ and ., and begin with a letter or digit",
      .usage)
  }

  /// Opens and locks the file of a state, which is created if it is missing.
  ///
  /// - Throws: If it cannot be written, or another process has it locked.
  func open(_ name: String) throws(CommandError) -> StateFile {
    let path = path(of: name)
    do { try NewFile(path: path).makeFolders() } catch { throw Self.unwritable(folder, error.reason) }
    // A run replaces the file.
    guard access(folder, W_OK) == 0 else { throw Self.unwritable(folder, "\(Errno(errno))") }
    // The file may be replaced or removed between opening and locking it.
    for _ in 0..<100 {
      let descriptor: Descriptor
      do throws(Errno) {
        descriptor = try Descriptor(
          opening: path, O_RDWR | O_CREAT | O_NONBLOCK | O_NOFOLLOW, mode: 0o600)
      } catch { throw error.code == EISDIR ? directory(name) : Self.unwritable(path, "\(error)") }
      let file = StateFile(name: name, path: path, descriptor: descriptor)
      guard descriptor.lock() else {
        throw CommandError(
          "another riffle process is using the state \(name). Wait until it ends, or choose another name with --state",
          .failed)
      }
      if file.isCurrent {
        removeDrafts(of: name)
        return file
      }
    }
    throw Self.unwritable(path, "it is replaced repeatedly")
  }

  /// A state, without locking its file; nil if there is none yet.
  ///
  /// - Throws: If the file is no state that this version can read. It is left as it is.
  func state(_ name: String) throws(CommandError) -> ListState? {
    try reading(name) { bytes throws(ListState.Defect) in try ListState(bytes) }
  }

  /// The header of a state, without reading its rows.
  func header(_ name: String) throws(CommandError) -> ListState.Header? {
    try reading(name, limit: 1 << 16) { bytes throws(ListState.Defect) in
      try ListState.Header.reading(bytes[...]).0
    }
  }

  private func reading<Value>(
    _ name: String, limit: Int = .max, _ parse: ([UInt8]) throws(ListState.Defect) -> Value
  ) throws(CommandError) -> Value? {
    try Self.check(name)
    let file: Descriptor
    do throws(Errno) {
      file = try Descriptor(opening: path(of: name), O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
    } catch {
      if error.code == ENOENT || error.code == ENOTDIR { return nil }
      throw Self.refusal(name, "cannot be read: \(error)")
    }
    defer { file.close() }
    if file.isDirectory { throw directory(name) }
    return try Self.read(file, name, limit: limit, parse)
  }

  fileprivate static func read<Value>(
    _ file: Descriptor, _ name: String, limit: Int = .max,
    _ parse: ([UInt8]) throws(ListState.Defect) -> Value
  ) throws(CommandError) -> Value? {
    guard let size = file.regularSize, let facts = file.facts else {
      throw refusal(name, "is not a regular file")
    }
    guard facts.st_uid == geteuid() else { throw refusal(name, "belongs to another user") }
    if size == 0 { return nil }
    let bytes: [UInt8]
    do { bytes = try file.bytes(in: 0..<min(size, limit)) } catch {
      throw refusal(name, "cannot be read: \(error)")
    }
    do { return try parse(bytes) } catch { throw refusal(name, error.words) }
  }

  private static func refusal(_ name: String, _ reason: String) -> CommandError {
    CommandError(
      "the state \(name) \(reason). To write all rows again, run: riffle state reset \(name)", .failed)
  }

  /// Removes a state, even if its file is no regular file. A run that uses it has to end first.
  func remove(_ name: String) throws(CommandError) {
    let path = path(of: name)
    var facts = stat()
    // Only a regular file is locked. A symbolic link is not followed.
    guard lstat(path, &facts) == 0, ![S_IFREG, S_IFDIR].contains(facts.st_mode & S_IFMT) else {
      return try open(name).remove()
    }
    guard unlink(path) == 0 else { throw Self.unwritable(path, "\(Errno(errno))") }
  }

  /// Whether the path of a state has a file of any kind, including a link that leads nowhere.
  func exists(_ name: String) -> Bool {
    var facts = stat()
    return lstat(path(of: name), &facts) == 0
  }

  private func directory(_ name: String) -> CommandError {
    CommandError(
      "the state \(name) is a directory. To remove it, run: \(ShellCommand.line(["rm", "-r", path(of: name)]))",
      .failed)
  }

  /// Removes what a run that was killed while it wrote a file has left.
  private func removeDrafts(of name: String) {
    let names = (try? FileAccess.system().list(folder)) ?? []
    for draft in names where draft.hasPrefix("\(name)\(Self.ending).") { unlink("\(folder)/\(draft)") }
  }

  fileprivate static func unwritable(_ path: String, _ reason: String) -> CommandError {
    CommandError(
      "cannot write the state \(path): \(reason). Make it writable, or set XDG_STATE_HOME to another directory",
      .output)
  }
}

/// The open and locked file of a state, until it is released or this value is destroyed.
final class StateFile: Sendable {
  let name: String
  let path: String
  private let descriptor: Descriptor

  fileprivate init(name: String, path: String, descriptor: Descriptor) {
    self.name = name
    self.path = path
    self.descriptor = descriptor
  }

  deinit {
    release()
    descriptor.close()
  }

  /// Lets other runs use the state. A file that is still empty is removed.
  func release() {
    if isCurrent, descriptor.regularSize == 0 { unlink(path) }
    descriptor.unlock()
  }

  /// Whether the path still refers to this file.
  fileprivate var isCurrent: Bool {
    var named = stat()
    guard let own = descriptor.facts, lstat(path, &named) == 0 else { return false }
    return own.st_ino == named.st_ino && own.st_dev == named.st_dev
  }

  /// See `StateFolderFiles.state`.
  func state() throws(CommandError) -> ListState? {
    try StateFolderFiles.read(descriptor, name) { bytes throws(ListState.Defect) in try ListState(bytes) }
  }

  /// Replaces the state. When it returns, the new file is on the disk under its name.
  func replace(with state: ListState) throws(CommandError) {
    do { try NewFile(path: path).write(state.bytes, isReplacing: true) } catch {
      throw StateFolderFiles.unwritable(path, error.reason)
    }
  }

  /// Removes the state.
  func remove() throws(CommandError) {
    guard unlink(path) == 0 else { throw StateFolderFiles.unwritable(path, "\(Errno(errno))") }
  }
}

extension ListState.Defect {
  /// The end of a sentence about the file.
  var words: String {
    switch self {
    case .damaged(let problem): "is damaged: \(problem)"
    case .newerVersion: "was written by a newer version of riffle"
    }
  }
}
