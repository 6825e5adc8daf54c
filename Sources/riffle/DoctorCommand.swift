import App
import ArgumentParser

struct DoctorCommand: RiffleCommand {
  static let configuration = CommandConfiguration(
    commandName: CommandName.doctor.rawValue,
    abstract: "Find problems with your setup, and show how to fix them.",
    discussion: """
      Checks the terminal (its features and text widths; it is left as it was), the files riffle reads, sources, \
      credentials (by name only: none is read, and no program is run), proxies, certificates, and the programs that \
      open links and copy text. Nothing is sent to any service.

        riffle doctor
        riffle doctor > report.txt

      Exit status: 0 no problems, 1 problems found.
      """)

  @OptionGroup var settings: ConfigOption

  func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
    try Doctor.run(dependencies, config: settings.config)
  }
}
