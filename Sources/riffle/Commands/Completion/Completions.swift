import ArgumentParser
import Config
import Search

/// Completions that depend on the user's configuration: sources, their columns, options and values. No
/// network request is made, and an invalid configuration yields no completions.
enum Completions {
  static let sources = CompletionKind.custom { _, _, _ in names.filter(isHarmless) }
  static let columns = CompletionKind.custom { words, _, prefix in
    columns(prefix, words).filter(isHarmless)
  }
  static let settings = CompletionKind.custom { words, _, prefix in
    settings(prefix, words).filter(isHarmless)
  }

  /// Shells expand the words of a completion, so words with shell metacharacters are not offered.
  private static func isHarmless(_ word: String) -> Bool {
    word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: true
      default: "_-.,:=/@+%".utf8.contains(byte)
      }
    }
  }

  private static var configuration: Configuration? { try? Configuration(Dependencies.live()) }

  private static var names: [String] {
    guard let entries = configuration?.catalog.all().entries else { return [] }
    return entries.flatMap { [$0.source.id] + $0.source.aliases }
  }

  /// The source named on the line, if it can be determined.
  private static func source(_ words: [String]) -> Source? {
    guard let configuration else { return nil }
    return words.dropFirst().lazy.filter { !$0.hasPrefix("-") }
      .compactMap { try? configuration.catalog.entry(named: $0).source }.first
  }

  /// Completes the last entry of `a,b,c`; each completion includes the text before that entry.
  private static func columns(_ prefix: String, _ words: [String]) -> [String] {
    let own = source(words)?.columns.map(\.name) ?? []
    let before = prefix.lastIndex(of: ",").map { prefix[...$0] } ?? ""
    return (own + ["@link", "@key", "@page", "@source", "@json"]).map { before + $0 }
  }

  /// `name=` for each option of the source, or `name=value` if the option is already named.
  private static func settings(_ prefix: String, _ words: [String]) -> [String] {
    let options = source(words)?.options ?? []
    guard let equals = prefix.firstIndex(of: "=") else { return options.map { "\($0.name)=" } }
    let option = options.first { $0.name == prefix[..<equals] }
    return (option?.values ?? []).map { prefix[...equals] + $0 }
  }
}
