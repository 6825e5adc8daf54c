import Config
import Foundation
import Search
import Testing

/// Every recorded reply that can be guessed from gives documents that load.
@Suite struct RecordedGuessTests {
  static let folder = ProcessInfo.processInfo.environment["RIFFLE_RECORDINGS"]

  static var replies: [String] {
    guard let folder, let names = FileManager.default.enumerator(atPath: folder) else { return [] }
    return names.compactMap { $0 as? String }.filter { $0.hasSuffix(".json") }.sorted()
  }

  @Test(.enabled(if: folder != nil, "RIFFLE_RECORDINGS names no folder of recorded replies"))
  func `What is guessed from a recorded reply can be loaded.`() throws {
    for name in Self.replies {
      guard let guess = try? SourceGuess(try Self.reply(name)) else {
        print("--- \(name) no guess"); continue
      }
      for pagination in guess.paginations {
        let text = guess.document(id: "guessed", title: name, pagination: pagination)
        #expect(throws: Never.self) {
          try SourceDecoding.source(TOMLDocument(text, file: name))
        }
      }
      print("--- \(name)\n", guess.document(id: "guessed", title: name, pagination: guess.paginations[0]))
      for p in guess.paginations { print("   ", p.style, p.confidence, p.parameter ?? "", p.reason) }
    }
  }

  /// The reply with its headers and address, as far as they were recorded.
  private static func reply(_ name: String) throws -> HTTPReply {
    let path = "\(folder ?? "")/\(name.dropLast(5))"
    let body = try Data(contentsOf: URL(fileURLWithPath: path + ".json"))
    let head = (try? String(contentsOfFile: path + ".headers", encoding: .utf8)) ?? ""
    let asked = (try? String(contentsOfFile: path + ".request", encoding: .utf8)) ?? ""
    let line = asked.split(separator: "\n").first?.split(separator: " ").last.map(String.init) ?? ""
    let fields = head.split(separator: "\n").dropFirst().compactMap { line -> HTTPField? in
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { return nil }
      return HTTPField(received: String(parts[0]), value: parts[1].trimmingCharacters(in: .whitespaces))
    }
    let url = try (try? WebURL(line)) ?? WebURL("https://api.example.org/search?q=x")
    return HTTPReply(status: 200, headers: HTTPFields(fields), body: Array(body), url: url)
  }
}
