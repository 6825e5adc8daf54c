import ArgumentParser
import Locking

@testable import App
@testable import riffle

/// Parses command lines. In a debug build, ArgumentParser validates the definitions of all commands several times for
/// each parse, which takes 0.1 s. So a valid command line is parsed by its own command alone, and only once for those
/// that differ in nothing but paths and addresses.
enum ParsedCommands {
  private static let known = Lock<[[String]: any RiffleCommand]>([:])

  static func command(_ arguments: [String]) throws -> any ParsableCommand {
    let (form, places) = form(of: arguments)
    if let command = known.withLock({ $0[form] }) ?? parsed(form) {
      known.withLock { $0[form] = command }
      if places.isEmpty { return command }
      if let filled = (command as? any CommandWithPlaces)?.filled(places) { return filled }
    }
    return try parsed(arguments) ?? Riffle.parseAsRoot(arguments)
  }

  /// Nil for what is no valid command line of a command, such as a request for help, which is reported as for the
  /// program.
  private static func parsed(_ arguments: [String]) -> (any RiffleCommand)? {
    guard !arguments.contains("help") else { return nil }
    var words = arguments[...]
    var type: any ParsableCommand.Type = Riffle.self
    while !type.configuration.subcommands.isEmpty {
      let named = type.configuration.subcommands.first {
        ([$0.configuration.commandName] + $0.configuration.aliases).contains(words.first)
      }
      if named != nil { words.removeFirst() }
      guard let next = named ?? type.configuration.defaultSubcommand else { break }
      type = next
    }
    return try? type.parseAsRoot(Array(words)) as? any RiffleCommand
  }

  /// A command line with names in place of paths and URLs, and the values of the names.
  private static func form(of arguments: [String]) -> (form: [String], places: [String: String]) {
    var form = arguments
    var places: [String: String] = [:]
    for index in arguments.indices {
      let before = index > 0 ? arguments[index - 1] : ""
      // The file for statistics is compared with that for rows.
      guard arguments[index].contains("/"), !arguments[index].hasPrefix("-"), before != "--stats" else {
        continue
      }
      let isPair = ["-s", "--set", "--param"].contains(before)
      let parts = arguments[index].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = String(isPair ? parts.last ?? "" : arguments[index][...])
      // The extension chooses a format.
      let ending = value.split(separator: "/").last?.firstMatch(of: /\.[a-z]+$/).map { String($0.0) }
      let name = "PLACE\(index)\(ending ?? "")"
      places[name] = value
      form[index] = isPair && parts.count == 2 ? "\(parts[0])=\(name)" : name
    }
    return (form, places)
  }
}

/// A command whose definition says nothing about the paths and addresses in its arguments.
private protocol CommandWithPlaces: RiffleCommand {
  static var texts: [WritableKeyPath<Self, String?>] { get }
  static var words: [WritableKeyPath<Self, String>] { get }
  static var pairs: [WritableKeyPath<Self, [NameValue]>] { get }
}

extension CommandWithPlaces {
  fileprivate static var words: [WritableKeyPath<Self, String>] { [] }
  fileprivate static var pairs: [WritableKeyPath<Self, [NameValue]>] { [] }

  /// The command with the names replaced by their values; nil if one of them is elsewhere.
  fileprivate func filled(_ places: [String: String]) -> Self? {
    var command = self
    var left = places
    for path in Self.texts {
      guard let value = command[keyPath: path].flatMap({ left.removeValue(forKey: $0) }) else { continue }
      command[keyPath: path] = value
    }
    for path in Self.words {
      command[keyPath: path] = left.removeValue(forKey: command[keyPath: path]) ?? command[keyPath: path]
    }
    for path in Self.pairs where !left.isEmpty {
      command[keyPath: path] = command[keyPath: path].map { pair in
        left.removeValue(forKey: pair.value).map { NameValue(name: pair.name, value: $0) } ?? pair
      }
    }
    return left.isEmpty ? command : nil
  }
}

extension BrowseCommand: CommandWithPlaces {
  fileprivate static var texts: [WritableKeyPath<Self, String?>] {
    [\.request.source, \.request.settings.config, \.request.record]
  }
  fileprivate static var pairs: [WritableKeyPath<Self, [NameValue]>] { [\.request.set, \.request.param] }
}

extension SearchCommand: CommandWithPlaces {
  fileprivate static var texts: [WritableKeyPath<Self, String?>] {
    [\.request.source, \.request.settings.config, \.request.record, \.form.outputName]
  }
  fileprivate static var pairs: [WritableKeyPath<Self, [NameValue]>] { [\.request.set, \.request.param] }
}

extension PickCommand: CommandWithPlaces {
  fileprivate static var texts: [WritableKeyPath<Self, String?>] {
    [\.request.source, \.request.settings.config, \.request.record, \.form.outputName]
  }
  fileprivate static var pairs: [WritableKeyPath<Self, [NameValue]>] { [\.request.set, \.request.param] }
}

extension AddCommand: CommandWithPlaces {
  fileprivate static var texts: [WritableKeyPath<Self, String?>] {
    [\.url, \.curl, \.endpoint, \.settings.config]
  }
}

extension AddSource: CommandWithPlaces {
  fileprivate static var texts: [WritableKeyPath<Self, String?>] { [\.settings.config] }
  fileprivate static var words: [WritableKeyPath<Self, String>] { [\.file] }
}

extension CheckSource: CommandWithPlaces {
  fileprivate static var texts: [WritableKeyPath<Self, String?>] {
    [\.name, \.response, \.headers, \.settings.config]
  }
}

extension CheckConfig: CommandWithPlaces {
  fileprivate static var texts: [WritableKeyPath<Self, String?>] { [\.file, \.settings.config] }
}

extension ReplayCommand: CommandWithPlaces {
  fileprivate static var texts: [WritableKeyPath<Self, String?>] { [] }
  fileprivate static var words: [WritableKeyPath<Self, String>] { [\.file] }
}
