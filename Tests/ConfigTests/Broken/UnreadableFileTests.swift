import ConfigTesting
import Glibc
import Testing

@testable import Config

/// Files that are not text, or do not exist.
@Suite struct UnreadableFileTests {
  private func problems(_ bytes: [UInt8]) -> String {
    do throws(ConfigError) {
      let document = try TOMLDocument(bytes, file: "config.toml")
      return try "\(SettingsLayers(schema: TestSchema.schema, file: document).settings.search.retries ?? -1)"
    } catch { return error.description }
  }

  @Test(
    arguments: [
      ([0x5B, 0xFF, 0xFE], "config.toml:1:2: not UTF-8 text"),
      (Array("[search]\nretries = 1\n".utf8) + [0xC3, 0x28], "config.toml:3:1: not UTF-8 text"),
      (Array("[search]\n\0".utf8), "config.toml:2:1: not UTF-8 text"),
      // UTF-16, as some editors write it.
      ([0xFF, 0xFE, 0x5B, 0x00], "config.toml:1:1: not UTF-8 text"),
      // The first bytes of an image, an archive and a program.
      (Array("\u{89}PNG\r\n".unicodeScalars.map { UInt8($0.value) }), "config.toml:1:1: not UTF-8 text"),
      ([0x1F, 0x8B, 0x08, 0x00], "config.toml:1:2: not UTF-8 text"),
      ([0x7F] + Array("ELF".utf8), "config.toml:1:1: expected a key, found a control character"),
      (
        Array(repeating: UInt8(ascii: "#"), count: TOMLDocument.largest + 1),
        "config.toml: is larger than the limit of 1048576 bytes"
      ),
    ] as [([UInt8], String)])
  func `Bytes that are not text are reported at the first invalid one.`(bytes: [UInt8], expected: String) {
    #expect(problems(bytes) == expected)
  }

  @Test func `A byte order mark and carriage returns are accepted and shift no position.`() {
    #expect(problems(Array("\u{FEFF}[search]\r\nretries = 7\r\n".utf8)) == "7")
    #expect(
      problems(Array("\u{FEFF}[search]\r\nretries = 700\r\nlimit = 0".utf8)) == """
        config.toml:2:11: [search] retries: expected an integer from 0 to 100, found 700
        config.toml:3:9: [search] limit: expected an integer from 1 to 10000000, found 0
        """)
  }

  @Test func `A named file that cannot be read is reported with a remedy.`() {
    var files = MemoryFiles(["config.toml": ""])
    files.folders["/home/ann/folder.toml"] = FileStatus(owner: 1000, permissions: 0o755)
    var locked = files.access
    locked.read = { _ throws(FileError) in throw .other("Permission denied") }
    #expect(
      BrokenFiles.problems(path: "none.toml", files: files.access)
        == "cannot read none.toml: no such file. To write an example, run: riffle config init --config none.toml"
    )
    #expect(
      BrokenFiles.problems(path: "folder.toml", files: files.access)
        == "cannot read folder.toml: not a regular file. Name a TOML file")
    #expect(
      BrokenFiles.problems(path: "config.toml", files: locked)
        == "cannot read config.toml: Permission denied. Check its permissions with ls -l")
    #expect(
      BrokenFiles.problems(path: nil, environment: ["RIFFLE_CONFIG": "none.toml"], files: files.access)
        == "cannot read none.toml: no such file. To write an example, run: riffle config init")
    // The default file may be missing, but if it exists it must be readable.
    #expect(BrokenFiles.problems(path: nil, environment: ["HOME": "/home/bob"], files: files.access) == "")
    #expect(
      BrokenFiles.problems(path: nil, environment: ["HOME": "/home/ann"], files: locked)
        == "cannot read /home/ann/.config/riffle/config.toml: Permission denied. Check its permissions with ls -l"
    )
  }

  @Test func `Real files and folders that cannot be read are reported in the same way.`() throws {
    try withTemporaryFolder { folder in
      mkdir("\(folder)/a.toml", 0o700)
      mkfifo("\(folder)/b.toml", 0o600)
      symlink("c.toml", "\(folder)/c.toml")
      for (name, expected) in [
        ("a.toml", "not a regular file. Name a TOML file"),
        ("b.toml", "not a regular file. Name a TOML file"),
        (
          "c.toml",
          "Too many levels of symbolic links. Check its permissions with ls -l"
        ),
        (
          "a.toml/d.toml",
          "no such file. To write an example, run: riffle config init --config \(folder)/a.toml/d.toml"
        ),
        (
          "b.toml/d.toml",
          "no such file. To write an example, run: riffle config init --config \(folder)/b.toml/d.toml"
        ),
      ] {
        #expect(
          BrokenFiles.problems(path: "\(folder)/\(name)", files: .system())
            == "cannot read \(folder)/\(name): \(expected)")
      }
    }
  }
}
