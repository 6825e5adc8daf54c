package import ArgumentParser
import Config
import Output
import Search

/// Completions that depend on the user's configuration: sources, their columns, options and values. No
/// network request is made, and an invalid configuration yields no completions.
package enum Completions {
  /// Those of the run whose command line is parsed; the parser passes nothing on to these closures.
  @TaskLocal package static var dependencies: Dependencies?

  package static let sources = CompletionKind.custom { _, _, _ in names.filter(isSafeInShell) }
  package static let columns = CompletionKind.custom { words, _, word in
    columns(word, words).filter(isSafeInShell)
  }
  package static let settings = CompletionKind.custom { words, _, word in
    settings(word, words).filter(isSafeInShell)
  }
  /// The names of columns, for an option whose value begins with one.
  package static let columnNames = CompletionKind.custom { words, _, _ in
    (source(words)?.columns.map(\.name) ?? []).filter(isSafeInShell)
  }

  package static let states = CompletionKind.custom { _, _, _ in
    (dependencies.map { StateFolderFiles.names(in: $0) } ?? []).filter(isSafeInShell)
  }

  /// Shells expand the words of a completion, so words with shell metacharacters are not offered.
  private static func isSafeInShell(_ word: String) -> Bool {
    word.unicodeScalars.allSatisfy {
      !$0.isASCII || $0.properties.isAlphabetic || "0123456789_-.,:=/@+%".unicodeScalars.contains($0)
    }
  }

  private static var configuration: Configuration? { dependencies.flatMap { try? Configuration($0) } }

  private static var names: [String] {
    (configuration?.catalog.names ?? [])
      + (configuration?.searches ?? []).map { "@\($0.name)" }
  }

  /// The source named on the line, if it can be determined.
  private static func source(_ words: [String]) -> Source? {
    guard let configuration else { return nil }
    return words.dropFirst().lazy.filter { !$0.hasPrefix("-") }
      .map { word in configuration.searches.first { "@\($0.name)" == word }?.source ?? word }
      .compactMap { try? configuration.catalog.entry(named: $0).source }.first
  }

  /// Completes the last entry of `a,b,c`; each completion includes the text before that entry.
  private static func columns(_ prefix: String, _ words: [String]) -> [String] {
    let own = source(words)?.columns.map(\.name) ?? []
    let before = prefix.lastIndex(of: ",").map { prefix[...$0] } ?? ""
    return (own + ReservedColumn.allCases.map(\.rawValue)).map { before + $0 }
  }

  /// `name=` for each option of the source, or `name=value` if the option is already named.
  private static func settings(_ prefix: String, _ words: [String]) -> [String] {
    let options = source(words)?.options ?? []
    guard let equals = prefix.firstIndex(of: "=") else { return options.map { "\($0.name)=" } }
    let option = options.first { $0.name == prefix[..<equals] }
    return (option?.values ?? []).map { prefix[...equals] + $0 }
  }
}
