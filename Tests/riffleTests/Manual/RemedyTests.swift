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

  /// The literals of all code that reports to the user.
  private static let literals: [Literal] = {
    let modules = [
      "App", "Config", "Credentials", "HTTPTransport", "Output", "Pager", "Search", "Text", "riffle",
    ]
    return modules.flatMap { module -> [Literal] in
      let folder = RepositoryFile.root.appending(path: "Sources/\(module)")
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
      let paths = (files?.allObjects ?? []).compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
      return paths.flatMap { file in
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap {
          index, line in
          literals(in: Array(line.utf8)).map {
            Literal(text: $0, place: "\(file.lastPathComponent):\(index + 1)")
          }
        }
      }
    }
  }()

  /// The literals of a line of code. Comments have none.
  private static func literals(in line: [UInt8]) -> [String] {
    if line.trimmingPrefix(while: { $0 == 0x20 }).starts(with: Array("//".utf8)) { return [] }
    var literals: [String] = []
    var open: [UInt8]?
    var depth = 0
    var isEscaped = false
    for byte in line {
      let character = UnicodeScalar(byte)
      if depth > 0 {
        // Within an interpolation.
        depth += character == "(" ? 1 : character == ")" ? -1 : 0
      } else if isEscaped {
        isEscaped = false
        if character == "(" { depth = 1 }
        open? += character == "(" ? Array("…".utf8) : [0x5C, byte]
      } else if character == "\\", open != nil {
        isEscaped = true
      } else if character == "\"" {
        if let text = open, !text.isEmpty { literals.append(String(decoding: text, as: UTF8.self)) }
        open = open == nil ? [] : nil
      } else {
        open?.append(byte)
      }
    }
    return literals
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
    for literal in Self.literals where literal.text.contains("riffle ") {
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
    for literal in Self.literals where literal.text.contains("--") && !literal.place.hasPrefix("Curl") {
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
