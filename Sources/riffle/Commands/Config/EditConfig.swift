import ArgumentParser
import Config

/// `riffle config edit`.
struct EditConfig: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Edit the settings file in VISUAL, EDITOR or vi, then check it.",
    discussion: """
      If the file does not exist, the commented example is written first.
      """)

  @OptionGroup var options: ConfigOptions

  func run() throws {
    try options.perform { dependencies, files in
      let path = try options.path(dependencies)
      if (try? files.read(path)) == nil {
        _ = try ConfigFile.write(
          ExampleFile(.program), path: options.config, environment: dependencies.environment, files: files)
      }
      let words = ConfigFile.editor(environment: dependencies.environment) + [path]
      do throws(ChildProgram.Failure) { try ChildProgram.runOnTerminal(words) } catch {
        throw CommandError("\(words[0]) \(error). Set EDITOR to use another editor", .failed)
      }
      _ = try Configuration(dependencies, file: options.config)
    }
  }
}
