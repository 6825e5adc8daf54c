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

        Its routes; a list has the parameters q, page and per_page:

        \(routes)

        The user \(DemoAccount.user) has the password \(DemoAccount.password). The client \(DemoAccount.client) has the \
        secret \(DemoAccount.clientSecret), and may get tokens by refresh_token, client_credentials and device code. \
        The first refresh token is \(DemoAccount.refreshToken); each works once and is replaced.

        An access token is valid for `lifetime` seconds (3600) and any number of `requests`, which are parameters of \
        /login and /oauth/token. A device code has the parameters `lifetime` (300), `interval` (5) and `polls`: \
        after that many polls it is authorized without /device.
        """)

    /// A line for each route.
    private static let routes = Route.standard(TokenStore()).map { route in
      func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
      }
      return "  \(padded(route.methods[0], to: 5))\(padded(route.paths[0], to: 25))\(route.summary)"
    }.joined(separator: "\n")

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
