import Pager
import Search

/// Shows an address to the user, by a program of theirs.
struct Opener: Sendable {
  /// The program and its arguments; `{url}` stands for the address.
  let command: [String]

  func open(_ address: String) async -> ErrandOutcome {
    // A program could take anything else for an option.
    guard let url = WebURL.link(address) else {
      return .failed("only http and https addresses are opened, not \(address)")
    }
    let words = command.map { $0.replacing("{url}", with: url) }
    do {
      try await ChildProgram.start(words)
      return .done("opened \(url)")
    } catch {
      return .failed(
        "\(words.first ?? "") \(error); opener.command in config.toml names another program, and copy-link copies the address"
      )
    }
  }
}
