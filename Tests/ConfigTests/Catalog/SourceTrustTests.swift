import ConfigTesting
import Search
import Testing

@testable import Config

/// Who could replace a document of the user.
@Suite struct SourceTrustTests {
  private static let text = "schema = 1\nid = \"mine\"\nrequest.url = \"https://a.example\""
  private static let folder = "/home/ann/.config/riffle/sources"

  /// Why `mine.toml` in the folder of sources is not trusted; nil if it is trusted.
  private func distrust(
    named name: String = "mine", in folder: String = folder, _ change: (inout MemoryFiles) -> Void = { _ in }
  ) throws -> String? {
    var files = MemoryFiles()
    for folder in ["/home/ann/.config", "/home/ann/.config/riffle", Self.folder] {
      files.folders[folder] = FileStatus(owner: 1000, permissions: 0o755)
    }
    files.files["\(Self.folder)/mine.toml"] = MemoryFiles.File(text: Self.text)
    change(&files)
    let catalog = Catalog(builtIns: [], folder: folder, files: files.access, user: 1000)
    if case .untrusted(let reason) = try catalog.entry(named: name).trust { return reason }
    return nil
  }

  @Test(
    arguments: [
      (1000, 0o644, nil), (1000, 0o600, nil),
      (0, 0o644, "belongs to another user"),
      (
        1000, 0o664,
        "is writable by others (mode 664). Run: chmod go-w \(folder)/mine.toml"
      ),
    ] as [(UInt32, UInt16, String?)])
  func `A file is trusted if only its owner, the user, can change it.`(
    owner: UInt32, permissions: UInt16, reason: String?
  ) throws {
    #expect(
      try distrust {
        $0.files["\(Self.folder)/mine.toml"] = MemoryFiles.File(
          text: Self.text, owner: owner, permissions: permissions)
      } == reason)
  }

  @Test(
    arguments: [
      ("", 1000, 0o777, nil),
      (
        "/riffle", 1000, 0o777,
        "/home/ann/.config/riffle is writable by others (mode 777). Run: chmod go-w /home/ann/.config/riffle"
      ),
      ("/riffle", 1001, 0o755, "/home/ann/.config/riffle belongs to another user"),
      (
        "/riffle/sources", 1000, 0o775,
        "/home/ann/.config/riffle/sources is writable by others (mode 775). Run: chmod go-w /home/ann/.config/riffle/sources"
      ),
      ("/riffle/sources", 1000, 0o1777, nil), ("/riffle/sources", 0, 0o755, nil),
    ] as [(String, UInt32, UInt16, String?)])
  func `Nobody else may have write access to a folder on the path, starting with riffle's own.`(
    folder: String, owner: UInt32, permissions: UInt16, reason: String?
  ) throws {
    #expect(
      try distrust {
        $0.folders["/home/ann/.config\(folder)"] = FileStatus(owner: owner, permissions: permissions)
      } == reason.map { "is not safe: \($0)" })
  }

  /// The file is a link to `target`, and the places on its path are safe except for the change.
  @Test(
    arguments: [
      ("/home/ann/dots/mine.toml", 1000, nil), ("../../../dots/mine.toml", 1000, nil),
      ("../../../../../../home/ann/dots/mine.toml", 1000, nil),
      ("/home/ann/dots/mine.toml", 0, nil),
      (
        "/home/ann/dots/mine.toml", 1001,
        "is not safe: the link /home/ann/.config/riffle/sources/mine.toml belongs to another user"
      ),
      (
        "/home/ann/open/mine.toml", 1000,
        "is not safe: /home/ann/open is writable by others (mode 777). Run: chmod go-w /home/ann/open"
      ),
      ("/tmp/mine.toml", 1000, nil),
      (
        "/tmp/theirs/mine.toml", 1000,
        "is not safe: the link /tmp/theirs belongs to another user"
      ),
    ] as [(String, UInt32, String?)])
  func `A link is trusted if every place it leads through is.`(
    target: String, owner: UInt32, reason: String?
  ) throws {
    #expect(
      try distrust {
        $0.files = [:]
        for folder in ["/home/ann/dots", "/home/ann/open", "/tmp"] {
          $0.files["\(folder)/mine.toml"] = MemoryFiles.File(text: Self.text)
        }
        $0.folders["/home/ann/dots"] = FileStatus(owner: 1000, permissions: 0o755)
        $0.folders["/home/ann/open"] = FileStatus(owner: 1000, permissions: 0o777)
        $0.links["\(Self.folder)/mine.toml"] = FileAccess.Link(target: target, owner: owner)
        $0.links["/tmp/theirs"] = FileAccess.Link(target: "/home/ann/dots", owner: 1001)
      } == reason)
  }

  @Test func `A directory of sources may be a symbolic link.`() throws {
    func distrust(owner: UInt32) throws -> String? {
      try self.distrust {
        $0.folders[Self.folder] = nil
        $0.folders["/home/ann/dots"] = FileStatus(owner: 1000, permissions: 0o755)
        $0.files = ["/home/ann/dots/mine.toml": MemoryFiles.File(text: Self.text)]
        $0.links[Self.folder] = FileAccess.Link(target: "../../dots", owner: owner)
      }
    }
    #expect(try distrust(owner: 1000) == nil)
    #expect(
      try distrust(owner: 1001)
        == "is not safe: the link /home/ann/.config/riffle/sources belongs to another user")
  }

  @Test(arguments: [
    "/home/ann/.config/riffle/sources/mine.toml", ".config/riffle/sources/mine.toml",
    "./.config/riffle/../riffle/sources/mine.toml",
  ])
  func `A file in the directory is the same source regardless of the spelling of its path.`(path: String)
    throws
  {
    #expect(try distrust(named: path) == nil)
  }

  @Test func `A file elsewhere is not trusted, and neither is a link to a trusted one.`() throws {
    let external = "is not in your sources directory"
    #expect(try distrust(named: "other.toml") { $0.files["other.toml"] = .init(text: Self.text) } == external)
    #expect(
      try distrust(named: "/tmp/link.toml") {
        $0.links["/tmp/link.toml"] = FileAccess.Link(target: "\(Self.folder)/mine.toml", owner: 1000)
      } == external)
  }

  @Test func `A file in the directory that changes a built-in source can also be named by its path.`() throws
  {
    var files = MemoryFiles()
    files.folders["/home/ann/sources"] = FileStatus(owner: 1000, permissions: 0o755)
    files.files["/home/ann/sources/mine.toml"] = MemoryFiles.File(
      text: "schema = 1\nid = \"mine\"\ntitle = \"My own\"")
    files.files["/home/ann/sources/bad.toml"] = MemoryFiles.File(text: "schema =")
    let catalog = Catalog(
      builtIns: [BuiltInDocument(name: "mine", bytes: Array(Self.text.utf8))], folder: "/home/ann/sources",
      files: files.access,
      user: 1000)
    let entry = try catalog.entry(named: "./sources/mine.toml")
    #expect(entry.source.title == "My own")
    #expect(entry.provenance == .user(path: "/home/ann/sources/mine.toml"))
    #expect {
      try catalog.entry(named: "sources/bad.toml")
    } throws: { error in
      "\(error)" == "/home/ann/sources/bad.toml:1:9: expected a value, found the end of the file"
    }
  }
}
