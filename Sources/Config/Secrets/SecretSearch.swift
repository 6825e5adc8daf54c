import Search

/// Searches for a secret in the locations listed by a source.
struct SecretSearch: Sendable {
  let environment: [String: String]
  let files: FileAccess
  let run: @Sendable ([String]) async throws -> String

  enum Outcome {
    case found(String, SecretOrigin)
    /// The reason for each location.
    case nothing(looked: [String])
  }

  /// The first secret found; environment variables are tried before other locations.
  func first(in places: [SecretOrigin]) async -> Outcome {
    var looked: [String] = []
    for place in places.filter(\.isInEnvironment) + places.filter({ !$0.isInEnvironment }) {
      switch await finding(in: place) {
      case .secret(let text): return .found(text, place)
      case .nothing(let reason): looked.append("\(place.inWords) \(reason)")
      }
    }
    return .nothing(looked: looked)
  }

  private enum SearchResult {
    case secret(String)
    /// The reason, as the end of a sentence.
    case nothing(String)
  }

  private func finding(in place: SecretOrigin) async -> SearchResult {
    switch place {
    case .environment(let name): return Self.firstLine(environment[name] ?? "", orElse: "is not set")
    case .file(let path):
      do {
        let bytes = try files.read(expanded(path)).bytes
        return Self.firstLine(String(decoding: bytes, as: UTF8.self), orElse: "starts with an empty line")
      } catch { return .nothing(error.description) }
    case .command(let words):
      do { return Self.firstLine(try await run(words), orElse: "printed nothing") } catch {
        return .nothing("failed: \(error)")
      }
    }
  }

  private static func firstLine(_ text: String, orElse reason: String) -> SearchResult {
    let line = text.prefix { !$0.isNewline }.drop { $0 == " " }
    let end = line.lastIndex { $0 != " " && $0 != "\t" }
    return end.map { .secret(String(line[...$0])) } ?? .nothing(reason)
  }

  private func expanded(_ path: String) -> String {
    guard path.hasPrefix("~/"), let home = environment["HOME"] else { return path }
    return home + path.dropFirst()
  }
}

extension SecretOrigin {
  fileprivate var isInEnvironment: Bool {
    if case .environment = self { true } else { false }
  }

  /// As the subject of a sentence.
  fileprivate var inWords: String {
    switch self {
    case .environment(let name): "environment variable \(name)"
    case .file(let path): "file \(path)"
    case .command(let words): "command \(words.joined(separator: " "))"
    }
  }
}

extension String {
  /// Whether every header and query can contain the text.
  var isVisibleASCII: Bool { utf8.allSatisfy { 0x20 <= $0 && $0 < 0x7F } }

  var isFreeOfControls: Bool { unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } }
}
