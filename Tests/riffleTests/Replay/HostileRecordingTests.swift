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
  private func replay(_ bytes: [UInt8]) async throws -> Result<
    (text: String, fault: RecordingFault?), RecordingFault
  > {
    try await withFile("s.riffle", "") { path in
      try Data(bytes).write(to: URL(filePath: path))
      do throws(RecordingFault) {
        var recording = try RecordingReader(path)
        let (text, fault) = recording.lastScreen()
        return .success((text, fault))
      } catch { return .failure(error) }
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

  @Test func `A recording that is cut off anywhere is played as far as it goes.`() async throws {
    let whole = try await recording("U+2192", keys: "")
    let header = try #require(whole.firstIndex(of: UInt8(ascii: "\n")))
    #expect(try await replay(whole).get().fault == nil)
    // Around each end of a line, where something changes, and at places that are anywhere in a value.
    let ends = whole.indices.filter { whole[$0] == UInt8(ascii: "\n") }
    let places = Seeds.every(6, of: Array(stride(from: 0, to: whole.count, by: 61)))
    let lengths = Set(places).union(ends.flatMap { $0 - 1...$0 + 2 })
    for length in lengths.sorted() where whole.indices.contains(length) {
      switch try await replay(Array(whole[..<length])) {
      case .failure(let fault): #expect(length <= header, "\(length): \(fault)")
      case .success(let (text, fault)):
        #expect(length > header)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count == 11)
        // The last line may be complete except for its line feed.
        let isBetweenLines = whole[length - 1] == UInt8(ascii: "\n") || whole[length] == UInt8(ascii: "\n")
        #expect(isBetweenLines ? fault == nil : fault?.isCut ?? false, "\(length)")
      }
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
    // The events are renumbered in their new order, so that as many as possible are played.
    lines = lines.enumerated().map { $1.replacing(/"sequence":[0-9]+/, with: "\"sequence\":\($0)") }
    _ = try await replay(Array((lines.joined(separator: "\n") + "\n").utf8))
  }

  @Test(arguments: [0, 1] as [UInt64]) func `Damage and numbers beyond all bounds never crash a replay.`(
    seed: UInt64
  )
    async throws
  {
    let whole = String(decoding: try await recording(), as: UTF8.self)
    var random = SeededGenerator(seed: seed)
    for _ in Seeds.first(20) { try await damage(whole, &random) }
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
    for _ in Seeds.first(20) { try await damage(whole, &random) }
  }

  @Test func `A file larger than any recording is not read.`() async throws {
    try await withFile("s.riffle", "{}") { path in
      #expect(truncate(path, 1 << 30 + 1) == 0)
      #expect(throws: RecordingFault(path, "larger than 1 GiB, the limit for a replay")) {
        var recording = try RecordingReader(path)
        _ = recording.lastScreen()
      }
    }
  }

  @Test func `The events before a fault are played, and the fault is reported by line.`() async throws {
    var lines = String(decoding: try await recording(), as: UTF8.self).split(separator: "\n").map(String.init)
    let deep = String(repeating: "[", count: 100_000)
    let faults = [
      (lines[3], "line 3: expected event 2, found event 3"),
      (
        String(repeating: " ", count: (64 << 20) + 1),
        "line 3: line longer than 64 MiB: not a recording"
      ),
      (deep, "line 3: invalid JSON at column 65: expected at most 64 levels of nesting, found \"[\""),
    ]
    for (line, problem) in faults {
      lines[2] = line
      let (text, fault) = try await replay(Array((lines.joined(separator: "\n") + "\n").utf8)).get()
      #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count == 11)
      #expect(fault?.description.hasSuffix(problem) ?? false, "\(fault?.description ?? "none")")
      #expect(fault?.isCut == false)
    }
  }
}
