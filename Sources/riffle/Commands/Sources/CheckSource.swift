import ArgumentParser
import Config
import Glibc
import Search

struct CheckSource: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a source, and explain what it reads from a saved reply.",
    discussion: """
      Without a name all sources are checked. Nothing is asked of any service.

        riffle sources check
        riffle sources check mine.toml
        curl -sD head.txt -o page.json 'https://api.example.org/search?q=tea'
        riffle sources check mine.toml --reply page.json --headers head.txt

      Exit status: 0 all is well, 1 the reply cannot be read or lacks what the source reads, 78 a source is
      wrong.
      """)

  @Argument(
    help: ArgumentHelp("A source: its name, an alias, or the path of a TOML file.", valueName: "name|file"),
    completion: Completions.sources)
  var name: String?

  @Option(help: ArgumentHelp("A saved reply: its body.", valueName: "file"), completion: .file())
  var reply: String?

  @Option(
    help: ArgumentHelp(
      "The head of the reply: a status line (else 200) and header lines.", valueName: "file"),
    completion: .file()
  )
  var headers: String?

  @Option(help: ArgumentHelp("Which page the reply is (1).", valueName: "number"))
  var page = 1

  @OptionGroup var options: SourcesOptions

  mutating func validate() throws {
    if name == nil, reply != nil { throw ValidationError("--reply needs the source that reads it") }
    if reply == nil, headers != nil {
      throw ValidationError("--headers needs --reply, the body of the reply")
    }
    if page < 1 { throw ValidationError("--page \(page): at least 1 is needed") }
  }

  func run() throws {
    try options.perform { (setup, world, message) throws(Complaint) in
      guard let name else { return try checkAll(setup, message) }
      let entry = try setup.entry(name)
      if let command = Riffle.commandNames.first(where: { $0 == entry.source.id }) {
        throw Complaint(
          "\(name): \(command) is a command of riffle; give the source another id", .configuration)
      }
      for note in entry.notes { message.note(note) }
      guard let reply else {
        try Descriptor.print("\(entry.source.id) is fine (\(entry.provenance))\n")
        return .done
      }
      let saved = try SavedReply(body: read(reply), head: headers.map(read), of: entry.source, page: page)
      let reading = saved.reading(world: world)
      try Descriptor.print(reading.lines.map { $0 + "\n" }.joined())
      return reading.isRead ? .done : .failed
    }
  }

  private func checkAll(_ setup: Setup, _ message: Message) throws(Complaint) -> ExitStatus {
    let (entries, problems) = setup.catalogue.all()
    for problem in problems { message.failure("\(problem)") }
    try Descriptor.print("\(entries.count) sources are fine\n")
    return problems.isEmpty ? .done : .configuration
  }

  private func read(_ path: String) throws(Complaint) -> [UInt8] {
    do { return try FileAccess.system(limit: 32 << 20).read(path).bytes } catch {
      throw Complaint("\(path): \(error)", .usage)
    }
  }
}
