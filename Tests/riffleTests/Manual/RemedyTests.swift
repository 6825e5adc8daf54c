import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import App
@testable import Pager
@testable import riffle

/// What messages tell the user to run, to add, to set or to press exists. The messages are read from the string literals
/// of the sources.
@Suite struct RemedyTests {
  /// A string literal, with `…` for each interpolation, and where it is.
  private struct Literal {
    let text: String
    let place: String
  }

  /// The literals of all code that reports to the user. Comments have none.
  private static func literals() throws -> [Literal] {
    let modules = [
      "App", "Config", "Credentials", "HTTPTransport", "Output", "Pager", "Search", "Text", "riffle",
    ]
    return try modules.flatMap { module -> [Literal] in
      let folder = RepositoryFile.root.appending(path: "Sources/\(module)")
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
      let paths = (files?.allObjects ?? []).compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
      return try paths.flatMap { file in
        let lines = try String(contentsOf: file, encoding: .utf8).split(
          separator: "\n", omittingEmptySubsequences: false)
        return lines.enumerated().flatMap { index, line -> [Literal] in
          let line = line.replacing(/\\\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/, with: "…")
          if line.contains(/^ *\/\//) { return [] }
          return line.matches(of: /"((?:[^"\\]|\\.)+)"/).map {
            Literal(text: String($0.1), place: "\(file.lastPathComponent):\(index + 1)")
          }
        }
      }
    }
  }

  private static func commands(_ type: any ParsableCommand.Type) -> [[String]] {
    let subcommands = type.configuration.subcommands
    return subcommands.flatMap { command -> [[String]] in
      let name = command.configuration.commandName ?? ""
      return [[name]] + commands(command).map { [name] + $0 }
    }
  }

  @Test func `A command that a message tells to run exists.`() throws {
    let known = Set(Self.commands(Riffle.self).map { $0.joined(separator: " ") })
    let groups = Set(known.filter { $0.contains(" ") }.map { String($0.prefix { $0 != " " }) })
    var count = 0
    for literal in try Self.literals() {
      for match in literal.text.matches(
        of: /(?:run|again|list sources|in|with|see|see why)[:,]? `?riffle ([a-z]+)(?: ([a-z]+))?/)
      {
        count += 1
        let (first, second) = (String(match.1), match.2.map(String.init))
        let command =
          groups.contains(first) ? [first, second].compactMap(\.self).joined(separator: " ") : first
        #expect(known.contains(command), "\(literal.place): \(literal.text)")
      }
    }
    #expect(count > 5)
  }

  @Test func `An option that a message names exists.`() throws {
    let help = ([[]] + Self.commands(Riffle.self)).map { words in
      let type = words.reduce(Riffle.self as any ParsableCommand.Type) { type, word in
        type.configuration.subcommands.first { $0.configuration.commandName == word } ?? type
      }
      return type.helpMessage(includeHidden: true)
    }
    let known = Set(help.joined(separator: "\n").matches(of: /--[a-z][a-z-]+/).map { String($0.0) })
    // Of the shell, of curl, and of the parser.
    let others: Set = ["--help", "--help-all", "--version", "--generate-completion-script"]
    var count = 0
    for literal in try Self.literals() where !literal.place.hasPrefix("Curl") {
      for match in literal.text.matches(
        of: /(?:[Aa]dd|[Uu]se|[Oo]mit|with|[Ww]ithout|write|or) (--[a-z][a-z-]+)/)
      {
        count += 1
        #expect(known.union(others).contains(String(match.1)), "\(literal.place): \(literal.text)")
      }
    }
    #expect(count > 20)
  }

  @Test func `An action whose key a message names exists.`() throws {
    let known = Set(Actions.all.map(\.name))
    var count = 0
    for file in try FileManager.default.subpathsOfDirectory(
      atPath: RepositoryFile.root.appending(path: "Sources/Pager").path) where file.hasSuffix(".swift")
    {
      let text = try RepositoryFile(path: "Sources/Pager/\(file)").text()
      for match in text.matches(of: /(?:hint|keyLabel)\("([a-z-]+)"/) {
        count += 1
        #expect(known.contains(String(match.1)), "\(file): \(match.1)")
      }
    }
    #expect(count > 5)
  }
}
