import App
import ArgumentParser
import Demo
import Glibc

struct DemoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: CommandName.demo.rawValue, abstract: "Run the embedded API server.",
    subcommands: [Serve.self])

  struct Serve: RiffleCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve",
      abstract: "Serve the embedded API on 127.0.0.1, for trying out sources; Ctrl-C stops it.",
      discussion: """
          riffle demo serve --port 8000
          curl 'http://127.0.0.1:8000/characters?q=arrow&page=2'
          riffle unicode arrow --set server=http://127.0.0.1:8000
        """)

    @Option(help: ArgumentHelp("Port to listen on; 0 for any free port.", valueName: "port"))
    var port = 0

    func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
      let port = port
      if let failure = blocking({ await Self.serve(port: port) }) { throw CommandError(failure, .failed) }
      return .status(.done)
    }

    /// Serves until SIGINT, SIGTERM or SIGHUP; returns the reason if the server cannot start.
    private static func serve(port: Int) async -> String? {
      do {
        let server = try await DemoServer.start(port: port)
        print(server.baseURL)
        fflush(nil)
        await Signals.each(of: [SIGINT, SIGTERM, SIGHUP]) { _ in false }
        try await server.stop()
        return nil
      } catch {
        return "\(error)"
      }
    }
  }
}
