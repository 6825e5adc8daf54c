import Config
import ConfigTesting
import Glibc
import HTTPValues
import Testing

@testable import Credentials
@testable import Search

/// Tests the files of stored credentials, in a real directory.
@Suite struct CredentialStoreTests {
  private func credential(_ key: String, of source: String = "mine") throws -> StoredCredential {
    let origin = try WebURL("https://api.example.org/").origin
    return StoredCredential(Secret(key), for: CredentialIdentity(source: source, origin: origin), at: 1_000)
  }

  private func store(_ folder: String, user: UInt32 = getuid()) -> CredentialStore {
    CredentialStore(environment: ["XDG_STATE_HOME": folder], user: user)
  }

  /// Keeps a credential; false if its file is locked.
  private func keep(_ credential: StoredCredential, in store: CredentialStore) throws -> Bool {
    guard let file = try store.lock(credential.identity) else { return false }
    try file.replace(with: credential)
    return true
  }

  private func mode(_ path: String) -> String {
    var facts = stat()
    return stat(path, &facts) == 0 ? String(facts.st_mode & 0o7777, radix: 8) : "missing"
  }

  @Test func `A credential is stored in a file that only its owner can read.`() throws {
    try withTemporaryFolder { folder in
      let (store, kept) = (store(folder), try credential("key-1"))
      #expect(try store.credential(for: kept.identity) == nil)
      #expect(try keep(kept, in: store))
      #expect(try store.credential(for: kept.identity) == kept)
      let path = try #require(store.path(of: kept.identity))
      #expect(mode(path) == "600" && mode("\(folder)/riffle/credentials") == "700")
      #expect(try keep(credential("key-2"), in: store))
      #expect(try store.credential(for: kept.identity)?.secret == Secret("key-2"))
      // Nothing else is left in the folder.
      #expect(try FileAccess.system().list("\(folder)/riffle/credentials").count == 1)
    }
  }

  @Test
  func `A file is locked for one process at a time, and a lock without a credential leaves no file.`()
    throws
  {
    try withTemporaryFolder { folder in
      let (store, kept) = (store(folder), try credential("key-1"))
      func hold() throws -> Bool {
        guard let file = try store.lock(kept.identity) else { return false }
        #expect(try file.credential() == nil)
        return try !keep(kept, in: store)
      }
      #expect(try hold())
      #expect(store.files().isEmpty)
      #expect(try keep(kept, in: store))
    }
  }

  @Test func `A file of another user, or one that others can access, is not used.`() throws {
    try withTemporaryFolder { folder in
      let (own, kept) = (store(folder), try credential("key-1"))
      #expect(try keep(kept, in: own))
      let path = try #require(own.path(of: kept.identity))
      func problem(_ store: CredentialStore) -> String {
        do { return "\(try store.credential(for: kept.identity)?.identity.source ?? "none")" } catch {
          return "\(error)"
        }
      }
      #expect(
        problem(store(folder, user: 4_711)) == "\(path) belongs to another user, so it is not used. Remove it"
      )
      chmod(path, 0o640)
      #expect(
        problem(own) == "others can access \(path) (mode 640), so it is not used. Run: chmod 600 \(path)")
      chmod(path, 0o600)
      chmod("\(folder)/riffle/credentials", 0o777)
      #expect(throws: CredentialStoreError.self) { try keep(kept, in: own) }
      unlink(path)
      symlink("/etc/passwd", path)
      #expect(problem(own).hasPrefix("\(path) cannot be read"))
    }
  }

  @Test func `A file that holds the credential of another identity is not used.`() throws {
    try withTemporaryFolder { folder in
      let (store, kept) = (store(folder), try credential("key-1"))
      let other = try credential("key-2", of: "yours")
      let path = try #require(store.path(of: kept.identity))
      try NewFile(path: path).write(other.bytes)
      #expect(try store.credential(in: path, of: "mine") == other)
      #expect(try store.credential(for: kept.identity) == nil)
      #expect(try keep(kept, in: store))
      #expect(try store.credential(for: kept.identity) == kept)
    }
  }

  @Test func `Only the credentials of one source are removed.`() throws {
    try withTemporaryFolder { folder in
      let store = CredentialStore(environment: ["XDG_STATE_HOME": folder], user: getuid())
      let isStored = try [
        keep(credential("key-1"), in: store), keep(credential("key-2", of: "mine-too"), in: store),
      ]
      #expect(isStored == [true, true])
      let removed = try (first: store.removeAll(of: "mine"), second: store.removeAll(of: "mine"))
      #expect(removed == (1, 0))
      #expect(store.files().map(\.source) == ["mine-too"])
    }
  }
}
