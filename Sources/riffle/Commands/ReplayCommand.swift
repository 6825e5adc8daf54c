import ArgumentParser
import Pager
import Terminal

/// `riffle replay`: plays a recording.
struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Replay a recorded session.",
    discussion: """
      Shows the session as it happened, waiting at most one second between events. Any key jumps to the end, where \
      you can look through the rows; nothing is loaded, opened, copied or written. q or Ctrl-C quits. Without a \
      terminal, or for a recording of riffle search, the final state is printed.

      A recording contains the rows and everything typed, including queries from the history, but no credentials.

        riffle browse github swift --record session.riffle
        riffle replay session.riffle
        riffle replay session.riffle | less
      """)

  @Argument(
    help: ArgumentHelp("Recording made by --record or save-recording.", valueName: "file"),
    completion: .file())
  var file: String

  func run() throws {
    let dependencies = Dependencies.live()
    let message = Message(dependencies)
    try message.reporting {
      do {
        let recording = try RecordingReader(file)
        if recording.header.lostEvents > 0 {
          message.note("the first \(recording.header.lostEvents) events were dropped: the screen may differ")
        }
        if let options = TerminalOptions(environment: dependencies.environment),
          dependencies.isOutputTerminal,
          case .pager(let initialState) = recording.header.initialState
        {
          try ReplayScreen.run(recording, initialState, on: options, dependencies).endProcess()
        } else {
          let (text, fault) = LastScreen.text(of: recording)
          try Descriptor.print(text)
          guard let fault else { return }
          if !fault.isCut { throw fault }
          message.note("\(fault)")
        }
      } catch let fault as RecordingFault {
        throw CommandError("\(fault)", .failed)
      }
    }
  }
}
