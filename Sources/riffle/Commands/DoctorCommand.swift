import ArgumentParser
import Config

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Find problems with your setup, and show how to fix them.",
    discussion: """
      Checks the terminal (its features and text widths; it is left as it was), the files riffle reads, sources, \
      credentials (by name only: none is read, and no program is run), proxies, certificates, and the programs that \
      open links and copy text. Nothing is sent to any service.

        riffle doctor
        riffle doctor > report.txt

      Exit status: 0 no problems, 1 problems found.
      """)

  @Option(help: ArgumentHelp("Read settings from this file instead of config.toml.", valueName: "file"))
  var config: String?

  func run() throws {
    let world = World.live()
    let examination = Doctor(world: world, files: .system(), config: config).examination()
    do throws(Complaint) {
      try Descriptor.print(examination.lines.map { "\($0)\n" }.joined())
    } catch {
      Message(world).failure(error.message)
      throw ExitCode(error.status.rawValue)
    }
    if examination.problemCount > 0 { throw ExitCode(ExitStatus.failed.rawValue) }
  }
}
