import Glibc
import Testing

@testable import Config

@Suite struct SystemFilesTests {
  @Test func `Files on disk are read with their owner, permissions and links.`() throws {
    var template = Array("/tmp/riffle-config-XXXXXX".utf8CString)
    let folder = String(cString: try #require(mkdtemp(&template)))
    defer {
      unlink("\(folder)/a.toml")
      unlink("\(folder)/pipe")
      unlink("\(folder)/link")
      rmdir(folder)
    }
    let file = try #require(fopen("\(folder)/a.toml", "w"))
    fputs("a = 1\n", file)
    fclose(file)
    chmod("\(folder)/a.toml", 0o660)
    symlink("./a.toml", "\(folder)/link")
    mkfifo("\(folder)/pipe", 0o600)

    let files = FileAccess.system()
    let read = try files.read("\(folder)/a.toml")
    #expect(read.bytes == Array("a = 1\n".utf8))
    #expect(read.status == FileStatus(owner: getuid(), permissions: 0o660))
    #expect(read.status.isWritableByOthers)
    #expect(try files.list(folder).sorted() == ["a.toml", "link", "pipe"])
    #expect(try files.status(folder) == FileStatus(owner: getuid(), permissions: 0o700))
    #expect(try files.link("\(folder)/link") == FileAccess.Link(target: "./a.toml", owner: getuid()))
    #expect(try files.link("\(folder)/a.toml") == nil)
    #expect(try files.canonical("\(folder)/../\(folder.dropFirst(5))/link") == "\(folder)/a.toml")
    #expect(throws: FileError.missing) { try files.link("\(folder)/none") }
    #expect(throws: FileError.missing) { try files.canonical("\(folder)/none") }
    #expect(throws: FileError.missing) { try files.read("\(folder)/none") }
    #expect(throws: FileError.missing) { try files.list("\(folder)/none") }
    #expect(throws: FileError.notAFile) { try files.read(folder) }
    #expect(throws: FileError.notAFile) { try files.read("\(folder)/pipe") }
    #expect(try FileAccess.system(limit: 3).read("\(folder)/a.toml").bytes == Array("a =".utf8))
  }

  @Test func `[U27] /dev/null is read as an empty file, and other devices are refused.`() throws {
    let files = FileAccess.system()
    #expect(try files.read("/dev/null").bytes.isEmpty)
    #expect(throws: FileError.notAFile) { try files.read("/dev/zero") }
    #expect(BrokenFiles.problems(path: nil, environment: ["RIFFLE_CONFIG": "/dev/null"], files: files) == "")
  }
}
