import Glibc

/// A yes/no question on the terminal.
enum Question {
  /// Whether the user answered yes; nil if the session is not interactive.
  static func isAgreed(_ text: String, _ dependencies: Dependencies, _ message: Message) -> Bool? {
    guard dependencies.isInputTerminal, dependencies.isErrorTerminal else { return nil }
    message.ask("\(text) [y/N]")
    let answer = readLine()?.lowercased() ?? ""
    return answer == "y" || answer == "yes"
  }
}
