import JSON
import TestSupport
import Testing

@testable import Search

/// The arguments of a program that an action runs for rows, or why it is not run.
@Suite struct RowCommandTests {
  private func values(_ row: Int, _ texts: [String: String]) throws -> RowCommand.Values {
    let pairs = try texts.map { (try JSONPath($0), $1) }
    return RowCommand.Values(
      row: row, values: Dictionary(uniqueKeysWithValues: pairs), options: ["host": "h.example", "odd": "-v"])
  }

  private func program(_ words: [String], rows: RowCommand.Rows = .each) throws -> RowCommand {
    RowCommand(try words.map { try ValueTemplate($0, options: ["host", "odd"]) }, rows: rows)
  }

  /// The arguments in brackets, or the refusal.
  private func picture(_ program: RowCommand, _ rows: [[String: String]]) throws -> String {
    let rows = try rows.enumerated().map { try values($0.offset + 3, $0.element) }
    do throws(RowCommand.ArgumentError) {
      return try program.arguments(for: rows).map { "[\($0)]" }.joined()
    } catch { return "\(error)" }
  }

  @Test(arguments: [
    (["gh", "repo", "clone", "{name}"], "a b", "[gh][repo][clone][a b]"),
    (["echo", "$({name})", "`{name}`"], ";rm", "[echo][$(;rm)][`;rm`]"),
    (["echo", "{{{name}}}"], "x", "[echo][{x}]"),
    (["git", "--repo={name}"], "-x", "[git][--repo=-x]"),
    (
      ["git", "{name}"], "-x",
      "name of row 3 begins with -, so it would be an option. Put \"--\" before it in run"
    ),
    (
      ["git", "{name}"], "-\u{301}",
      "name of row 3 begins with -, so it would be an option. Put \"--\" before it in run"
    ),
    (["git", "--", "{name}"], "-x", "[git][--][-x]"),
    (
      ["git", "{name}", "--"], "-x",
      "name of row 3 begins with -, so it would be an option. Put \"--\" before it in run"
    ),
    (
      ["git", "{name}", "{name}"], "--",
      "name of row 3 begins with -, so it would be an option. Put \"--\" before it in run"
    ),
    (
      ["git", "{odd}"], "x",
      "odd of row 3 begins with -, so it would be an option. Put \"--\" before it in run"
    ),
    (["git", "{name}"], "", "row 3 has no value at name"),
    (["git", "{other.id}"], "x", "row 3 has no value at other.id"),
    (["git", "{name}"], "a\nb", "name of row 3 has a control character"),
    (["git", "{name}"], "a\r\n", "name of row 3 has a control character"),
    (["git", "{name}"], "a\0b", "name of row 3 has a control character"),
    (["git", "{name}"], "\u{1B}[2J", "name of row 3 has a control character"),
    (["git", "{name}"], "\u{9B}2J", "name of row 3 has a control character"),
    (["git", "{name}"], "a\u{2028}b", "name of row 3 has a control character"),
    (["open", "https://h.example/{name}?a"], "b c/d?e", "[open][https://h.example/b%20c%2Fd%3Fe?a]"),
    (["open", "https://{host}/{name}"], "..", "host and name of row 3 would lead to another address"),
    (["ls"], "x", "[ls]"),
  ])
  func `A value is a part of its argument, or the program is not run.`(
    words: [String], value: String, picture: String
  ) throws {
    #expect(try self.picture(try program(words), [["name": value]]) == picture)
  }

  @Test func `A program that runs once for all rows gets an argument for each row.`() throws {
    let program = try program(["tar", "-c", "{name}", "--", "{id}"], rows: .together)
    #expect(
      try picture(program, [["name": "a", "id": "1"], ["name": "b", "id": "-2"]])
        == "[tar][-c][a][b][--][1][-2]")
    #expect(try picture(program, [["name": "a", "id": "1"], ["name": "b"]]) == "row 4 has no value at id")
    #expect(
      try picture(program, [["name": "a", "id": "1"], ["name": "-b", "id": "2"]])
        == "name of row 4 begins with -, so it would be an option. Put \"--\" before it in run")
  }

  /// 10,000 values of pieces that shells, option parsers and terminals give a meaning.
  @Test func `No hostile value becomes syntax, an option or another argument.`() throws {
    let pieces = [
      "-", "--", "-rf", "--upload-pack=x", " ", "\t", "\n", "\r\n", "\0", "'", "\"", "`", "$", "$(", ")",
      "${", "}", "{",
      "{name}", "{{", "|", "||", "&", ";", "<", ">", "*", "?", "~", "#", "!", "\\", "%00", "..", "/", "a",
      "日本", "\u{301}",
      "\u{200B}", "\u{202E}", "\u{1B}]0;x\u{7}", "\u{9C}", "\u{2028}", "=", "@", "+",
    ]
    var random = SeededGenerator(seed: 5)
    let literals = [("", ""), ("--name=", ""), ("a", "b"), ("", "/x")]
    var (runs, refusals) = (0, 0)
    for number in 0..<10_000 {
      let value = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }
      .joined()
      let (before, after) = literals[number % literals.count]
      let hasDashes = number % 3 == 0
      let words = ["tool", "-v"] + (hasDashes ? ["--"] : []) + ["\(before){name}\(after)", "last"]
      let program = try program(words)
      guard let arguments = try? program.arguments(for: [try values(1, ["name": value])]) else {
        refusals += 1
        let isControl = value.unicodeScalars.contains {
          $0.properties.generalCategory == .control || "\u{2028}\u{2029}".unicodeScalars.contains($0)
        }
        let isOption = before.isEmpty && !hasDashes && value.utf8.first == UInt8(ascii: "-")
        #expect(value.isEmpty || isControl || isOption, "\(value.debugDescription)")
        continue
      }
      runs += 1
      let place = words.count - 2
      try #require(arguments.count == words.count)
      // Equal bytes: texts that are only canonically equivalent are other arguments.
      #expect(Array(arguments[place].utf8) == Array((before + value + after).utf8))
      #expect(arguments[..<place] == words[..<place] && arguments.last == "last")
      #expect(!arguments[place].utf8.contains { $0 < 0x20 || $0 == 0x7F })
      let isOption = arguments[place].utf8.first == UInt8(ascii: "-")
      #expect(!isOption || hasDashes || before == "--name=", "\(arguments)")
    }
    #expect(runs > 3_000 && refusals > 3_000)
  }
}
