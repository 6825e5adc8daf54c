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
        riffle doctor --report

      --report writes what a maintainer needs for an issue: version, system, terminal, the settings you changed, \
      pagination and authorization of your sources, and the number of problems and notes in each group. It contains no \
      credentials and no text from your files, and shows your home directory as ~.

      Exit status: 0 no problems, 1 problems found.
      """)

  @Argument(
    help: ArgumentHelp("Check only this source: its document, credentials and network.", valueName: "source"),
    completion: Completions.sources)
  var source: String?

  @Flag(help: "Write a report for an issue, without secrets.")
  var report = false

  @OptionGroup var settings: ConfigOption

  func validate() throws {
    if report, source != nil { throw ValidationError("--report covers all sources. Omit the source") }
  }

  func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
    try Doctor.run(dependencies, config: settings.config, source: source, isForIssue: report)
  }
}
