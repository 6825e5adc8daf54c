import ArgumentParser
import Config
import Glibc
import Search
import Text

/// `riffle sources check`.
struct CheckSource: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check sources for errors, or show what one reads from a saved reply.",
    discussion: """
      Without a name, all sources are checked. Nothing is sent to any service.

        riffle sources check
        riffle sources check mine.toml
        curl -sD head.txt -o page.json 'https://api.example.org/search?q=tea'
        riffle sources check mine.toml --reply page.json --headers head.txt

      Exit status: 0 no problems, 1 the reply cannot be read or lacks fields the source reads, 78 a source has \
      errors.
      """)

  @Argument(
    help: ArgumentHelp("Name or alias of a source, or path of its TOML file.", valueName: "name|file"),
    completion: Completions.sources)
  var name: String?

  @Option(help: ArgumentHelp("Body of a saved reply.", valueName: "file"), completion: .file())
  var reply: String?

  @Option(
    help: ArgumentHelp(
      "Headers of the reply; without a status line, the status is 200.", valueName: "file"),
    completion: .file()
  )
  var headers: String?

  @Option(help: ArgumentHelp("Page number of the reply.", valueName: "number"))
  var page = 1

  @OptionGroup var options: SourcesOptions

  mutating func validate() throws {
    if name == nil, reply != nil { throw ValidationError("--reply needs a source") }
    if reply == nil, headers != nil {
      throw ValidationError("--headers needs --reply")
    }
    if page < 1 { throw ValidationError("invalid value \"\(page)\" for --page: must be at least 1") }
  }

  func run() throws {
    try options.perform { (configuration, dependencies, message) throws(CommandError) in
      guard let name else { return try checkAll(configuration, message) }
      let entry = try configuration.entry(name)
      if let command = Riffle.commandNames.first(where: { $0 == entry.source.id }) {
        throw CommandError(
          "\(name): the id \"\(command)\" is a riffle command. Choose another id", .configuration)
      }
      for note in entry.notes { message.note(note) }
      guard let reply else {
        try Descriptor.print("\(entry.source.id): no problems (\(entry.provenance))\n")
        return .done
      }
      let saved = try SavedReply(body: read(reply), head: headers.map(read), of: entry.source, page: page)
      let reading = saved.reading(dependencies: dependencies)
      try Descriptor.print(reading.lines.map { $0 + "\n" }.joined())
      return reading.isRead ? .done : .failed
    }
  }

  private func checkAll(_ configuration: Configuration, _ message: Message) throws(CommandError) -> ExitStatus
  {
    let (entries, problems) = configuration.catalog.all()
    for problem in problems { message.failure("\(problem)") }
    try Descriptor.print("\(Digits.counted(entries.count, "source")) without problems\n")
    return problems.isEmpty ? .done : .configuration
  }

  private func read(_ path: String) throws(CommandError) -> [UInt8] {
    do { return try FileAccess.system(limit: 32 << 20).read(path).bytes } catch {
      throw CommandError("\(path) \(error)", .usage)
    }
  }
}
