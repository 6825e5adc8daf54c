import Config
import Testing

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
  func `The settings file is where the environment says.`(environment: [String: String], path: String?) {
    #expect(ConfigFile.path(environment: environment) == path)
  }

  @Test func `The folder of sources does not move with the settings file.`() {
    let environment = ["HOME": "/home/ann", "RIFFLE_CONFIG": "my.toml"]
    #expect(ConfigFile.sourcesFolder(environment: environment) == "/home/ann/.config/riffle/sources")
  }

  /// The keys of the document that is read, or why none is.
  private func reading(path: String? = nil, _ environment: [String: String], _ files: [String: String])
    -> String
  {
    do {
      let document = try ConfigFile.document(
        path: path, environment: environment, files: MemoryFiles(files).access)
      return document.map { "\($0.file): \($0.root.entries.map(\.key))" } ?? "no file"
    } catch { return "\(error)" }
  }

  @Test func `A file that somebody names must be there; the usual one need not.`() {
    let files = ["/home/ann/.config/riffle/config.toml": "a = 1", "b.toml": "b = 1"]
    #expect(reading(["HOME": "/home/ann"], files) == "/home/ann/.config/riffle/config.toml: [\"a\"]")
    #expect(reading(["HOME": "/home/bob"], files) == "no file")
    #expect(reading(path: "b.toml", ["HOME": "/home/ann"], files) == "b.toml: [\"b\"]")
    #expect(
      reading(path: "c.toml", ["HOME": "/home/ann"], files)
        == "c.toml: does not exist; riffle config init writes an example")
    #expect(
      reading(["RIFFLE_CONFIG": "d.toml"], files)
        == "d.toml: does not exist; riffle config init writes an example")
    #expect(reading(path: "e.toml", [:], ["e.toml": "="]) == "e.toml:1:1: expected a key, found =")
  }
}
