import ConfigTesting
import Testing

@testable import Config

@Suite struct ConfigFileTests {
  @Test(
    arguments: [
      (["HOME": "/home/ann"], "/home/ann/.config/riffle/config.toml"),
      (["HOME": "/home/ann", "XDG_CONFIG_HOME": "/x"], "/x/riffle/config.toml"),
      (["HOME": "/home/ann", "XDG_CONFIG_HOME": "relative"], "/home/ann/.config/riffle/config.toml"),
      (["HOME": "/home/ann", "XDG_CONFIG_HOME": ""], "/home/ann/.config/riffle/config.toml"),
      (["HOME": "/home/ann", "XDG_CONFIG_HOME": "/x", "RIFFLE_CONFIG": "my.toml"], "my.toml"),
      ([:], nil),
    ] as [([String: String], String?)])
  func `The environment determines the path of the settings file.`(
    environment: [String: String], path: String?
  ) {
    #expect(ConfigFile.path(environment: environment) == path)
  }

  @Test func `The folder of sources does not move with the settings file.`() {
    let environment = ["HOME": "/home/ann", "RIFFLE_CONFIG": "my.toml"]
    #expect(ConfigFile.sourcesFolder(environment: environment) == "/home/ann/.config/riffle/sources")
  }

  /// The keys of the document, or the reason it cannot be read.
  private func reading(path: String? = nil, _ environment: [String: String], _ files: [String: String])
    -> String
  {
    do {
      let document = try ConfigFile.document(
        path: path, environment: environment, files: MemoryFiles(files).access)
      return document.map { "\($0.file): \($0.root.entries.map(\.key))" } ?? "no file"
    } catch { return "\(error)" }
  }

  @Test func `A named file must exist, and the default one may be missing.`() {
    let files = ["/home/ann/.config/riffle/config.toml": "a = 1", "b.toml": "b = 1"]
    #expect(reading(["HOME": "/home/ann"], files) == "/home/ann/.config/riffle/config.toml: [\"a\"]")
    #expect(reading(["HOME": "/home/bob"], files) == "no file")
    #expect(reading(path: "b.toml", ["HOME": "/home/ann"], files) == "b.toml: [\"b\"]")
    #expect(
      reading(path: "c.toml", ["HOME": "/home/ann"], files)
        == "cannot read c.toml: no such file. To write an example, run: riffle config init --config c.toml")
    #expect(
      reading(["RIFFLE_CONFIG": "d.toml"], files)
        == "cannot read d.toml: no such file. To write an example, run: riffle config init")
    #expect(reading(path: "e.toml", [:], ["e.toml": "="]) == "e.toml:1:1: expected a key, found =")
  }

  private static let file = "/home/ann/.config/riffle/config.toml"
  private static let opener = "[opener]\ncommand = [\"x\", \"{url}\"]"
  private static let roots = "[tls]\nca_file = \"/r.pem\""

  /// The contents and permissions of the settings file, and the resulting problem.
  @Test(
    arguments: [
      (opener, 1000, 0o644, 0o755, nil), (roots, 1000, 0o600, 0o700, nil),
      ("search.limit = 3\nkeys.table.quit = [\"x\"]", 1001, 0o666, 0o777, nil),
      (
        opener, 1000, 0o664, 0o755,
        "2:11: [opener] command: cannot be set, because this file is writable by others (mode 664). Run: chmod go-w \(file)"
      ),
      (
        roots, 1000, 0o606, 0o755,
        "2:11: [tls] ca_file: cannot be set, because this file is writable by others (mode 606). Run: chmod go-w \(file)"
      ),
      (
        roots, 1001, 0o644, 0o755,
        "2:11: [tls] ca_file: cannot be set, because this file belongs to another user"
      ),
      (
        opener, 1000, 0o644, 0o777,
        "2:11: [opener] command: cannot be set, because this file is not safe: /home/ann/.config/riffle is writable by others"
          + " (mode 777). Run: chmod go-w /home/ann/.config/riffle"
      ),
    ] as [(String, UInt32, UInt16, UInt16, String?)])
  func `[D51] A file that others may write cannot name a program to run or certificates to trust.`(
    text: String, owner: UInt32, permissions: UInt16, folder: UInt16, problem: String?
  ) {
    var files = MemoryFiles()
    files.folders["/home/ann/.config"] = FileStatus(owner: 1000, permissions: 0o755)
    files.folders["/home/ann/.config/riffle"] = FileStatus(owner: 1000, permissions: folder)
    files.files[Self.file] = MemoryFiles.File(text: text, owner: owner, permissions: permissions)
    func problems(_ environment: [String: String] = [:]) -> String? {
      do throws(ConfigError) {
        _ = try SettingsLayers(
          schema: TestSchema.schema, environment: environment.merging(["HOME": "/home/ann"]) { $1 },
          path: nil,
          files: files.access, user: 1000)
        return nil
      } catch { return error.description }
    }
    #expect(problems() == problem.map { "\(Self.file):\($0)" })
    // A value from the environment replaces it and is the user's own.
    if text == Self.roots { #expect(problems(["RIFFLE_TLS_CA_FILE": "/mine.pem"]) == nil) }
  }
}
