import App
import ArgumentParser
import Demo

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

        /characters lists the characters whose names contain the words of q; its other parameters are page (from 1) \
        and per_page (30, at most 100).
        """)

    @Option(help: ArgumentHelp("Port to listen on; 0 for any free port.", valueName: "port"))
    var port = 0

    func perform(_ dependencies: Dependencies, _ message: Message) throws -> RunEnd {
      let port = port
      return try blocking { await Self.serve(port: port, dependencies) }.get()
    }

    /// Serves until a signal.
    private static func serve(
      port: Int, _ dependencies: Dependencies
    ) async -> Result<RunEnd, CommandError> {
      do {
        let server = try await DemoServer.start(port: port)
        let end = try dependencies.print("\(server.baseURL)\n")
        await Signals.each(of: dependencies.endingSignals) { _ in false }
        try await server.stop()
        return .success(end)
      } catch {
        return .failure(error as? CommandError ?? CommandError("\(error)", .failed))
      }
    }
  }
}
