import App
import ArgumentParser
import Output

struct BrowseCommand: RecordedCommand {
  static let configuration = CommandConfiguration(
    commandName: CommandName.browse.rawValue, abstract: "Search interactively.",
    discussion: """
      This is the default command. Results appear in a table, and the next page loads as you near the end. Press \
      ? for all keys. Without a source, you choose one from a list. Without a terminal, riffle writes one page of rows, \
      as riffle search does. --plain takes no screen: it prints each row as a line of names and values, and reads \
      commands; ? lists them.

        riffle unicode arrow
        riffle github language:swift topic:cli --set sort=stars
        riffle @bugs @news                   saved searches, one tab each
        riffle hn --watch 60s

      --watch refreshes the visible rows at this interval, but not while you type. New rows are marked +, changed rows \
      ~, until the next change. A turns it on and off.

      --restore reopens the tabs of the last session. riffle stores their sources, queries, columns, filters and sort \
      order, but no rows. If history.enabled is false, it stores nothing.
      """)

  @OptionGroup(title: "Request") var request: RequestOptions
  @OptionGroup(title: "List") var start: StartOptions
  @OptionGroup(title: "Screen") var screen: ScreenOptions

  /// What a session shows at the start.
  struct StartOptions: ParsableArguments, Sendable {
    @OptionGroup var list: ListOptions
    @Option(
      name: [.customShort("c", allowingJoined: true), .long],
      help: ArgumentHelp("Columns to show, in order: names or paths of fields.", valueName: "a,b,c"),
      completion: Completions.columns)
    var columns: String?
    @Flag(help: "Reopen the tabs of the last session, with their queries, columns, filters and sort order.")
    var restore = false
  }

  mutating func validate() throws {
    if start.restore, request.source != nil { throw ValidationError("--restore takes no source") }
    try request.checkRecording(screen)
  }

  var messageStyle: MessageStyle { request.messageStyle }

  func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
    try Interactive.browse(
      request, start.list, columns: start.columns, screen, restores: start.restore, dependencies, message)
  }
}

struct PickCommand: RecordedCommand {
  static let configuration = CommandConfiguration(
    commandName: CommandName.pick.rawValue, abstract: "Select rows interactively and print them.",
    discussion: """
      The pager runs on the terminal, even in a pipe. Enter prints the marked rows, or else the selected row, to \
      stdout, in the order of the table and as tsv by default. --height draws below the prompt, on lines that are \
      erased afterwards.

        riffle pick github swift tui -c @link | xargs -n 1 xdg-open
        riffle pick unicode arrow --template '{character}' | wl-copy
        riffle pick github swift --height 40%

      Exit status: 0 rows printed, 130 canceled, 64 no terminal; otherwise the same as search.
      """)

  @OptionGroup(title: "Request") var request: RequestOptions
  @OptionGroup(title: "List") var list: ListOptions
  @OptionGroup(title: "Output") var form: FormatOptions
  @OptionGroup(title: "Screen") var screen: ScreenOptions

  mutating func validate() throws {
    try request.checkRecording(screen)
    // Reported before the user chooses rows, not after.
    guard form.namedFormat == nil else { return }
    if let problem = form.problem(with: .standard(isTerminal: false)) { throw ValidationError(problem) }
  }

  var messageStyle: MessageStyle { request.messageStyle }

  func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
    try Interactive.pick(request, list, form, screen, dependencies, message)
  }
}

/// A command that can be recorded.
protocol RecordedCommand: RiffleCommand {}

struct ReplayCommand: RiffleCommand {
  static let configuration = CommandConfiguration(
    commandName: CommandName.replay.rawValue, abstract: "Replay a recorded session.",
    discussion: """
      Runs the recorded command again with the recorded keys and responses, waiting at most one second between them. \
      Any key jumps to the end, where you can browse the rows. Nothing is loaded, opened, copied or written. q or \
      Ctrl-C quits. Without a terminal, riffle prints the last screen or, for a recording of riffle search, its report.

      A recording contains the responses, everything typed, the source, the settings file and queries from the \
      history, but no credentials.

        riffle browse github swift --record github.riffle-session
        riffle replay github.riffle-session
        riffle replay github.riffle-session | less
      """)

  @Argument(
    help: ArgumentHelp("Recording made by --record.", valueName: "file"),
    completion: .file())
  var file: String

  func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
    try Replay.run(file, dependencies, message) { arguments, dependencies in
      let command = try? Riffle.parseAsRoot(arguments)
      guard let command = command as? any RecordedCommand else {
        throw CommandError(
          "\(file), line 1: the recorded command line is not one of browse, search and pick", .failed)
      }
      return try command.perform(dependencies, Message(dependencies))
    }
  }
}
