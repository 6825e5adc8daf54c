import Glibc

/// A yes/no question on the terminal.
enum Question {
  /// Whether the user answered yes; nil if the session is not interactive.
  static func isAgreed(_ text: String, _ world: World, _ message: Message) -> Bool? {
    guard world.isInputTerminal, world.isErrorTerminal else { return nil }
    message.ask("\(text) [y/N]")
    let answer = readLine()?.lowercased() ?? ""
    return answer == "y" || answer == "yes"
  }
}
