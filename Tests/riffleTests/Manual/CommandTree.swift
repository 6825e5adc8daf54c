import ArgumentParser
import Foundation

@testable import App
@testable import riffle

/// The command definitions as ArgumentParser dumps them.
struct CommandTree: Decodable {
  let commandName: String
  let abstract: String?
  let discussion: String?
  let arguments: [Argument]?
  let subcommands: [CommandTree]?

  struct Argument: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String

      var written: String { kind == "short" ? "-\(name)" : "--\(name)" }
    }

    let kind: String
    let abstract: String?
    let sectionTitle: String?
    let names: [Name]?
    let valueName: String?
    let allValues: [String]?
    let isRepeating: Bool
    let isOptional: Bool

    /// Whether every command has this argument.
    var isGeneral: Bool { names?.contains { ["help", "version"].contains($0.name) } ?? false }

    /// Whether this is `--no-NAME` and the other argument is `--NAME`, with the same text.
    func isInversion(of other: Argument) -> Bool {
      guard kind == "flag", other.kind == "flag", abstract == other.abstract else { return false }
      let inverted = (other.names ?? []).map { "no-\($0.name)" }
      return (names ?? []).contains { inverted.contains($0.name) }
    }

    func isInversion(among others: [Argument]) -> Bool { others.contains { isInversion(of: $0) } }
  }

  static func riffle() throws -> CommandTree {
    struct Dump: Decodable { let command: CommandTree }
    return try JSONDecoder().decode(Dump.self, from: Data(Riffle._dumpHelp().utf8)).command
  }

  /// The arguments that the help of the command lists.
  var listedArguments: [Argument] {
    (arguments ?? []).filter { argument in
      commandName != PlanCommand.configuration.commandName
        || !(argument.names ?? []).contains { ShardPlan.refusedOptions.contains($0.written) }
    }
  }

  /// The subcommands except `help`.
  var commands: [CommandTree] { (subcommands ?? []).filter { $0.commandName != "help" } }

  /// The options of this command and of all its subcommands.
  var allOptions: Set<String> {
    Set((arguments ?? []).flatMap { $0.names ?? [] }.map(\.written)).union(commands.flatMap(\.allOptions))
  }
}
