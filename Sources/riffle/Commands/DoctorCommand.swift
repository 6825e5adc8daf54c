import ArgumentParser
import Config

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Look at everything riffle depends on, and say what is wrong and what to do.",
    discussion: """
      The terminal is asked what it can and how wide it draws text; it is as before afterwards. Then come the files \
      that are read, the sources, the credentials (by name: no secret is read and no program run), proxies, \
      certificates, and the programs that open links and take copies. Nothing is sent to any service.

        riffle doctor
        riffle doctor > report.txt

      Exit status: 0 nothing is wrong, 1 something is.
      """)

  @Option(help: ArgumentHelp("Read this file instead of the user's config.toml.", valueName: "file"))
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
