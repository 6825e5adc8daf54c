import Foundation
import Pager
import Search
import Terminal
import TestSupport
import Testing

@testable import App
@testable import riffle

/// Tests recordings that are cut off, damaged or made up.
@Suite(.takesTurns) struct HostileRecordingTests {
  /// The result of replaying a recording with these bytes.
  private func replay(_ bytes: [UInt8]) async throws -> Program.Result {
    try await withFile("s.riffle", "") { path in
      try Data(bytes).write(to: URL(filePath: path))
      return try await Program.run(["replay", path])
    }
  }

  private func recording(_ query: String = "U+219", keys: String = "xyyM") async throws -> [UInt8] {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("riffle-\(UUID().uuidString)")
      .path
    defer { try? FileManager.default.removeItem(atPath: file) }
    let terminal = try Program.onTerminal(
      ["unicode", query, "--page-size", "3", "--record", file], columns: 60, rows: 10,
      environment: ["HOME=/dev/null"])
    #expect(terminal.shows("CODE POINT"))
    terminal.type("&a\r]v")
    #expect(terminal.shows("row 1 of"))
    terminal.type("v\(keys)q")
    #expect(terminal.ending() == .exit(0))
    return Array(try Data(contentsOf: URL(filePath: file)))
  }

  @Test func `A truncated recording is replayed as far as possible.`() async throws {
    let whole = try await recording("U+2192", keys: "")
    let header = try #require(whole.firstIndex(of: UInt8(ascii: "\n")))
    #expect(try await replay(whole).errors == "")
    // Around each end of a line, where something changes, and at places that are anywhere in a value.
    let ends = whole.indices.filter { whole[$0] == UInt8(ascii: "\n") }
    let places = Seeds.every(20, of: Array(stride(from: 0, to: whole.count, by: 601)))
    let lengths = Set(places).union(ends.flatMap { $0...$0 + 1 })
    for length in lengths.sorted() where whole.indices.contains(length) {
      let result = try await replay(Array(whole[..<length]))
      guard length > header else {
        #expect(result.status == 1 && result.output == "", "\(length): \(result)")
        continue
      }
      #expect(result.status == 0, "\(length): \(result)")
      // The last line may be complete except for its line feed.
      let isBetweenLines = whole[length - 1] == UInt8(ascii: "\n") || whole[length] == UInt8(ascii: "\n")
      #expect(result.errors.contains("the recording is truncated here") != isBetweenLines, "\(length)")
    }
  }

  @Test func `A search recording that ends before its first request gets only a note about that.`()
    async throws
  {
    let whole = try await withFile("x", "") { path in
      let file = path + ".riffle"
      #expect(try await Program.run(["search", "unicode", "U+219", "--record", file]).status == 0)
      return try String(contentsOfFile: file, encoding: .utf8)
    }
    let lines = whole.split(separator: "\n").map(String.init)
    let response = try #require(lines.firstIndex { $0.contains(#""response":"#) })
    for count in 2...response {
      let kept = lines.prefix(count).joined(separator: "\n") + "\n"
      let isServerKept = kept.contains(#""name":"server""#)
      let result = try await replay(Array(kept.utf8) + Array("{\"at\":1".utf8))
      if !isServerKept { #expect(result.output.isEmpty, "\(result.output)") }
      #expect(!result.errors.contains("invalid URL") && !result.output.contains("invalid URL"))
      #expect(
        result.errors.hasSuffix("line \(count + 1): the recording is truncated here\n"), "\(result.errors)")
    }
  }

  private static let numbers = [
    "-1", "0", "2147483647", "2147483648", "9223372036854775807", "-9223372036854775808",
    "18446744073709551615", "1e308", "-1e308", "1e999", "0.5", "null", "\"\"", "[]", "{}", "true",
    "\"\\u0000\\ud800\"",
  ]

  /// Plays a recording in which some values are replaced and some lines are duplicated or moved.
  private func damage(_ whole: String, _ random: inout SeededGenerator) async throws {
    var lines = whole.split(separator: "\n").map(String.init)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let line = Int.random(in: 0..<lines.count, using: &random)
      let places = lines[line].ranges(of: /[0-9]+(\.[0-9]+)?|"[a-zA-Z]+"|true|false/)
      guard let place = places.randomElement(using: &random),
        let number = Self.numbers.randomElement(using: &random)
      else { continue }
      switch Int.random(in: 0..<6, using: &random) {
      case 0: lines.swapAt(line, Int.random(in: 0..<lines.count, using: &random))
      case 1: lines.insert(lines[line], at: line)
      default: lines[line].replaceSubrange(place, with: number)
      }
    }
    let result = try await replay(Array((lines.joined(separator: "\n") + "\n").utf8))
    #expect([0, 1, 64, 78].contains(result.status), "\(result)")
  }

  @Test(arguments: [0, 1] as [UInt64]) func `Damage and numbers beyond all bounds never crash a replay.`(
    seed: UInt64
  )
    async throws
  {
    let whole = String(decoding: try await recording(), as: UTF8.self)
    var random = SeededGenerator(seed: seed)
    for _ in Seeds.first(8) { try await damage(whole, &random) }
  }

  @Test func `Damage and numbers beyond all bounds never crash the replay of a search.`() async throws {
    let whole = try await withFile("x", "") { path in
      let file = path + ".riffle"
      let run = try await Program.run([
        "search", "unicode", "U+219", "--all", "--page-size", "5", "--record", file,
      ])
      #expect(run.status == 0)
      return try String(contentsOfFile: file, encoding: .utf8)
    }
    var random = SeededGenerator(seed: 8)
    for _ in Seeds.first(8) { try await damage(whole, &random) }
  }

  @Test func `A file larger than any recording is not read.`() async throws {
    try await withFile("s.riffle", "{}") { path in
      #expect(truncate(path, 256 << 20 + 1) == 0)
      let result = try await Program.run(["replay", path])
      #expect(result.errors == "riffle: \(path): larger than 256 MiB, the limit for a replay\n")
    }
  }

  @Test func `The inputs before a fault are played, and the fault is reported by line.`() async throws {
    var lines = String(decoding: try await recording(), as: UTF8.self).split(separator: "\n").map(String.init)
    let response = try #require(lines.firstIndex { $0.contains(#""response""#) })
    let faults = [
      (
        String(repeating: " ", count: (64 << 20) + 1),
        "line longer than 64 MiB: not a recording"
      ),
      (
        String(repeating: "[", count: 100_000),
        "invalid JSON at column 65: expected at most 64 levels of nesting, found \"[\""
      ),
      (#"{"at":1,"key":"hyper-j"}"#, #""hyper-j" is not a key"#),
      (#"{"at":1e300}"#, "at: 1e+300 is out of range"),
      (
        #"{"at":1,"size":{"size":{"columns":80,"rows":99999},"widthModel":{"measure":"clusters","ambiguousIsWide":false}}}"#,
        "rows: 99999 is out of range"
      ),
      (
        #"{"at":1,"mouse":{"action":{"wheelUp":{}},"column":-1,"row":4}}"#,
        "column: -1 is out of range"
      ),
      (#"{"at":1,"response":{"request":"GET http://h.org/"}}"#, ##"response: "headers" is missing"##),
      (#"{"at":1,"written":[1]}"#, "expected two numbers, found 1"),
    ]
    for (line, problem) in faults {
      lines[response + 1] = line
      let result = try await replay(Array((lines.joined(separator: "\n") + "\n").utf8))
      #expect(result.output.contains("U+219"), "\(result)")
      #expect(result.errors.hasSuffix("line \(response + 2): \(problem)\n"), "\(result.errors)")
      #expect(result.status == 1)
    }
  }

  @Test(arguments: ["config show", "sources add x.toml", "auth logout github", "search", "browse --nothing"])
  func `A recording of another command is not replayed.`(command: String) async throws {
    let words = command.split(separator: " ").map { "\"\($0)\"" }.joined(separator: ",")
    let header =
      #"{"riffle_recording":6,"arguments":[\#(words)],"environment":{},"jitter":0,"riffle":"0","#
      + #""time":0,"utcOffset":0}"#
    let result = try await replay(Array("\(header)\n".utf8))
    #expect(result.status != 0 && result.output == "" && result.errors.hasPrefix("riffle: "), "\(result)")
  }
}
