import ArgumentParser
import Pager
import Terminal

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Play a recorded session, without network.",
    discussion: """
      The session goes as it went, with at most a second between two events. Any key jumps to its end, where the \
      rows can be looked through; nothing is loaded, opened, copied or written. q or Ctrl-C leaves. Without a \
      terminal, or of a run of search, what it ended with is printed.

        riffle browse github swift --record session.riffle
        riffle replay session.riffle
        riffle replay session.riffle | less
      """)

  @Argument(
    help: ArgumentHelp("A file made by --record or save-recording.", valueName: "file"), completion: .file())
  var file: String

  func run() throws {
    let world = World.live()
    let message = Message(world)
    try message.telling {
      do {
        let recording = try RecordingReader(file)
        if recording.header.lostEvents > 0 {
          message.note("the first \(recording.header.lostEvents) events are not kept: the screen may differ")
        }
        if let options = TerminalOptions(environment: world.environment), world.isOutputTerminal,
          case .pager(let beginning) = recording.header.beginning
        {
          try ReplayScreen.run(recording, beginning, on: options, world).endProcess()
        } else {
          let (text, fault) = LastScreen.text(of: recording)
          try Descriptor.print(text)
          guard let fault else { return }
          if !fault.isCut { throw fault }
          message.note("\(fault)")
        }
      } catch let fault as RecordingFault {
        throw Complaint("\(fault)", .failed)
      }
    }
  }
}
