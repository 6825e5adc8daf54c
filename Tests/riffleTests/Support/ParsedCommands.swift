import ArgumentParser
import FeedbackLoop

@testable import riffle

/// Parses each kind of command line once. ArgumentParser validates all definitions for each parse in a debug build, which
/// takes 0.1 s, and most command lines of tests differ only in the file or the address they are about.
enum ParsedCommands {
  private static let placeholder = "PLACEHOLDER"
  private static let known = Lock<[[String]: any CommandAboutOne]>([:])

  static func command(_ arguments: [String]) throws -> any ParsableCommand {
    guard let index = arguments.firstIndex(where: { $0.contains("/") && !$0.hasPrefix("-") }) else {
      return try Riffle.parseAsRoot(arguments)
    }
    var kind = arguments
    kind[index] = placeholder
    var command = known.withLock { $0[kind] }
    if command == nil {
      command = (try? Riffle.parseAsRoot(kind)) as? any CommandAboutOne
      // The word may be the value of an option.
      guard command?.subject == placeholder else { return try Riffle.parseAsRoot(arguments) }
      known.withLock { [command] in $0[kind] = command }
    }
    command?.subject = arguments[index]
    return try command ?? Riffle.parseAsRoot(arguments)
  }
}

/// A command whose definition says nothing about the value of one of its arguments.
private protocol CommandAboutOne: RiffleCommand {
  var subject: String? { get set }
}

extension SearchCommand: CommandAboutOne {
  fileprivate var subject: String? {
    get { request.source }
    set { request.source = newValue }
  }
}

extension AddCommand: CommandAboutOne {
  fileprivate var subject: String? {
    get { url }
    set { url = newValue }
  }
}
