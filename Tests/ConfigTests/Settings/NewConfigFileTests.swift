import Config
import ConfigTesting
import Glibc
import Testing

/// `riffle config init` and `edit`.
@Suite struct NewConfigFileTests {
  private static let example = ExampleFile(TestSchema.schema)

  @Test func `The example file is owner-only and never overwrites a file.`() throws {
    try withTemporaryFolder { folder in
      let environment = ["HOME": folder]
      let files = FileAccess.system()
      let path = try ConfigFile.write(Self.example, environment: environment, files: files)
      #expect(path == "\(folder)/.config/riffle/config.toml")
      #expect(try files.read(path).bytes == Array(Self.example.text.utf8))
      #expect(try files.status(path).permissions == 0o600)
      #expect(try files.status("\(folder)/.config/riffle").permissions == 0o700)
      #expect(try files.status("\(folder)/.config").permissions == 0o700)
      #expect(try files.list("\(folder)/.config/riffle") == ["config.toml"])

      let own = try #require(fopen(path, "w"))
      fputs("[search]\n", own)
      fclose(own)
      #expect(
        refusal(environment)
          == "\(path): already exists and was not changed. To change it, run: riffle config edit")
      #expect(try files.read(path).bytes == Array("[search]\n".utf8))
    }
  }

  @Test func `A link or folder at its path is left alone, and so is the folder that contains it.`() throws {
    try withTemporaryFolder { folder in
      mkdir("\(folder)/wide", 0o755)
      chmod("\(folder)/wide", 0o755)
      symlink("/nowhere/at/all", "\(folder)/wide/link.toml")
      mkdir("\(folder)/wide/folder.toml", 0o700)
      for name in ["link.toml", "folder.toml"] {
        let path = "\(folder)/wide/\(name)"
        #expect(
          refusal(["RIFFLE_CONFIG": path])
            == "\(path): already exists and was not changed. To change it, run: riffle config edit")
      }
      #expect(try FileAccess.system().status("\(folder)/wide").permissions == 0o755)
      #expect(try FileAccess.system().list("\(folder)/wide").sorted() == ["folder.toml", "link.toml"])
      _ = try ConfigFile.write(
        Self.example, path: "\(folder)/wide/new.toml", environment: [:], files: .system())
      #expect(try FileAccess.system().status("\(folder)/wide/new.toml").permissions == 0o600)
    }
  }

  @Test func `A place that cannot be written is reported.`() throws {
    try withTemporaryFolder { folder in
      let file = try #require(fopen("\(folder)/file", "w"))
      fclose(file)
      #expect(
        refusal(["RIFFLE_CONFIG": "\(folder)/file/config.toml"])
          == "\(folder)/file/config.toml: cannot be written: Not a directory")
    }
    #expect(refusal([:]) == "HOME: is not set: cannot find the settings file. Set HOME, or use --config FILE")
  }

  private func refusal(_ environment: [String: String]) -> String {
    do { return try ConfigFile.write(Self.example, environment: environment, files: .system()) } catch {
      return "\(error)"
    }
  }

  @Test func `Files are edited with the program named in the environment.`() {
    let choices: [([String: String], words: [String], variable: String)] = [
      (["VISUAL": "code  --wait", "EDITOR": "ed"], ["code", "--wait"], "VISUAL"),
      (["VISUAL": " ", "EDITOR": "ed"], ["ed"], "EDITOR"), ([:], ["vi"], "EDITOR"),
    ]
    for (environment, words, variable) in choices {
      let editor = ConfigFile.editor(environment: environment)
      #expect(editor.words == words && editor.variable == variable)
    }
  }
}
