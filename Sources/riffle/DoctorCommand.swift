import App
import ArgumentParser

struct DoctorCommand: RiffleCommand {
  static let configuration = CommandConfiguration(
    commandName: CommandName.doctor.rawValue,
    abstract: "Find problems with your setup, and show how to fix them.",
    discussion: """
      Checks the terminal's features and text widths, the files riffle reads, sources, credentials, proxies, \
      certificates, and the programs that open links and copy text. Credentials are checked by name only: riffle reads \
      none of them, runs no program and sends nothing to any service.

        riffle doctor
        riffle doctor github
        riffle doctor > report.txt

      Exit status: 0 no problems, 1 problems found.
      """)

  @Argument(
    help: ArgumentHelp("Check only this source: its document, credentials and network.", valueName: "source"),
    completion: Completions.sources)
  var source: String?

  @OptionGroup var settings: ConfigOption

  func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
    try Doctor.run(dependencies, config: settings.config, source: source)
  }
}
