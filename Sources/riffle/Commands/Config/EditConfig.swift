import ArgumentParser
import Config

struct EditConfig: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Edit the settings file in VISUAL, EDITOR or vi, then check it.",
    discussion: """
      If the file does not exist, the commented example is written first.
      """)

  @OptionGroup var options: ConfigOptions

  func run() throws {
    try options.perform { world, files in
      let path = try options.path(world)
      if (try? files.read(path)) == nil {
        _ = try ConfigFile.write(
          ExampleFile(.program), path: options.config, environment: world.environment, files: files)
      }
      let words = ConfigFile.editor(environment: world.environment) + [path]
      do throws(ChildProgram.Failure) { try ChildProgram.runOnTerminal(words) } catch {
        throw Complaint("\(words[0]) \(error). Set EDITOR to use another editor", .failed)
      }
      _ = try Setup(world, file: options.config)
    }
  }
}
