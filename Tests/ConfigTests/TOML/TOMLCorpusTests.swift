import Foundation
import Testing

@testable import Config

/// Reads the documents of toml-test (https://github.com/toml-lang/toml-test). They are not part of this project:
/// `RIFFLE_TOML_CORPUS` names the folder, and without it the test is skipped.
@Suite(.enabled(if: Corpus.folder != nil, "RIFFLE_TOML_CORPUS names no folder of TOML documents"))
struct TOMLCorpusTests {
  @Test func `Every valid document of TOML 1.0 has the values it should have.`() throws {
    let corpus = try Corpus()
    for name in corpus.names where name.hasPrefix("valid/") {
      let expected = try JSONSerialization.jsonObject(with: corpus.data("\(name.dropLast(5)).json"))
      var parser = TOMLParser(Array(try corpus.data(name)), file: name)
      do throws(TOMLSyntaxError) {
        #expect(tagged(.table(try parser.document())) == Self.normalized(expected), "\(name)")
      } catch { Issue.record("\(error.position): \(error.problem)") }
    }
  }

  @Test func `Every invalid document of TOML 1.0 is refused at a position inside it.`() throws {
    let corpus = try Corpus()
    for name in corpus.names where name.hasPrefix("invalid/") {
      let bytes = Array(try corpus.data(name))
      var parser = TOMLParser(bytes, file: name)
      do throws(TOMLSyntaxError) {
        _ = try parser.document()
        Issue.record("\(name) is accepted")
      } catch {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let (line, column) = (error.position.line, error.position.column)
        let isInside = (1...lines.count).contains(line) && (1...lines[line - 1].count + 1).contains(column)
        #expect(isInside && !error.problem.isEmpty, "\(error.position): \(error.problem)")
      }
    }
  }

  /// A value as one line: tables in the order of their keys, and scalars as `type value`.
  private func tagged(_ content: TOMLValue.Content) -> String {
    switch content {
    case .string(let text): Self.scalar("string", text)
    case .integer(let number): Self.scalar("integer", "\(number)")
    case .float(let number): Self.scalar("float", "\(number)")
    case .bool(let flag): Self.scalar("bool", "\(flag)")
    case .date(let date): Self.scalar(Self.types[date.kind] ?? "", date.text)
    case .array(let elements): "[\(elements.map { tagged($0.content) }.joined(separator: ", "))]"
    case .table(let table): Self.table(table.entries.map { ($0.key, tagged($0.value.content)) })
    }
  }

  /// The same of the corpus, whose scalars are `{"type": "integer", "value": "1"}`.
  private static func normalized(_ json: Any) -> String {
    if let elements = json as? [Any] { return "[\(elements.map(normalized).joined(separator: ", "))]" }
    guard let members = json as? [String: Any] else { return "\(json)" }
    if members.count == 2, let type = members["type"] as? String, let text = members["value"] as? String {
      return scalar(type, text)
    }
    return table(members.map { ($0.key, normalized($0.value)) })
  }

  private static let types: [TOMLDate.Kind: String] = [
    .offsetDateTime: "datetime", .localDateTime: "datetime-local", .localDate: "date-local",
    .localTime: "time-local",
  ]

  private static func table(_ members: [(String, String)]) -> String {
    let lines = members.map { "\($0.0.debugDescription): \($0.1)" }.sorted()
    return "{\(lines.joined(separator: ", "))}"
  }

  /// One of several ways to write a number or a date; the corpus uses all of them.
  private static func scalar(_ type: String, _ text: String) -> String {
    switch type {
    case "float": return "float \(Double(text).map { $0.isNaN ? "nan" : "\($0)" } ?? text)"
    case "datetime", "datetime-local", "time-local":
      let parts = text.uppercased().replacing(" ", with: "T").split(separator: ".")
      guard parts.count == 2 else { return "\(type) \(parts.joined())" }
      let digits = parts[1].prefix { $0.isNumber }
      let trimmed = String(digits.reversed().drop { $0 == "0" }.reversed())
      return "\(type) \(parts[0]).\(trimmed)\(parts[1][digits.endIndex...])"
    default: return "\(type) \(text.debugDescription)"
    }
  }
}

private struct Corpus {
  static let folder = ProcessInfo.processInfo.environment["RIFFLE_TOML_CORPUS"]

  private let folder: String
  /// The documents of TOML 1.0.
  let names: [String]

  init() throws {
    folder = try #require(Self.folder)
    names = try String(contentsOfFile: "\(folder)/files-toml-1.0.0", encoding: .utf8)
      .split(separator: "\n").map(String.init).filter { $0.hasSuffix(".toml") }
    try #require(!names.isEmpty)
  }

  func data(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")) }
}
