import App
import ArgumentParser

/// The help of a command as `--help` prints it: the usual options, and all with `--help-all` or `riffle help COMMAND`.
enum HelpText {
  private static let allOptions = "--help-all"

  /// A command with fewer entries shows all of them.
  private static let maxEntries = 14

  private static let usual: Set<Substring> = [
    "<source>", "<query>", "--set", "--limit", "--all", "--filter", "--format", "--columns", "--output",
    "--watch", "--shards", "--workers", "--json",
    "--help",
  ]

  /// The arguments for the parser, and whether help is cut to the usual options.
  static func request(in arguments: [String]) -> (arguments: [String], isShort: Bool) {
    let options = arguments.prefix { $0 != "--" }
    guard let place = options.firstIndex(of: allOptions) else {
      return (arguments, options.contains { $0 == "--help" || $0 == "-h" })
    }
    var arguments = arguments
    arguments[place] = "--help"
    return (arguments, false)
  }

  /// - Parameters:
  ///   - full: The parser's help of a command; any other text is returned as it is.
  ///   - isShort: Whether only the usual options are shown, under one heading.
  static func text(of full: String, isShort: Bool) -> String {
    guard full.hasPrefix("OVERVIEW: ") else { return full }
    let isRoot = full.hasPrefix("OVERVIEW: \(Riffle.configuration.abstract)")
    let isPlan = full.hasPrefix("OVERVIEW: \(PlanCommand.configuration.abstract)")
    let sections = full.split(separator: "\n\n", omittingEmptySubsequences: false).map { text in
      var section = Section(text)
      section.entries.removeAll { entry in
        !isRoot && entry.names.contains("--version")
          || isPlan && entry.names.contains { ShardPlan.refusedOptions.contains(String($0)) }
      }
      return section
    }
    let entries = sections.flatMap(\.entries)
    if isShort, entries.count > maxEntries {
      let prose = sections.prefix { $0.entries.isEmpty }.map(\.text)
      let examples = prose.first { $0.hasPrefix("  riffle") }
      let chosen = entries.filter { !usual.isDisjoint(with: $0.names) }.map(\.text).joined(separator: "\n")
      let count = entries.count { $0.names.isDisjoint(with: ["<source>", "<query>"]) }
      return [
        prose.first, examples, prose.last, "OPTIONS:\n\(chosen)",
        "To list all \(count) options, use \(allOptions).",
      ].compactMap(\.self).joined(separator: "\n\n")
    }
    return sections.map { section in
      section.entries.isEmpty
        ? section.text : ([section.heading] + section.entries.map(\.text)).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  /// Paragraphs without a blank line between them, or a heading with its options.
  private struct Section {
    let text: String
    let heading: String
    var entries: [Entry] = []

    init(_ text: Substring) {
      self.text = String(text)
      let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" }.map(String.init)
      heading = lines.first ?? ""
      guard heading.hasSuffix(":"), lines.dropFirst().first?.firstMatch(of: /^  [-<]/) != nil else { return }
      for line in lines.dropFirst() {
        if line.isEmpty { continue }
        if line.firstMatch(of: /^  [-<]/) != nil || entries.isEmpty {
          entries.append(Entry(text: line))
        } else {
          entries[entries.count - 1].text += "\n" + line
        }
      }
    }
  }

  /// An option or argument with its help.
  private struct Entry {
    var text: String

    /// `--limit`, `<source>`: the names in the first column.
    var names: Set<Substring> {
      let line = text.prefix { $0 != "\n" }
      return Set(line.matches(of: /(?:^  |, |\/)(<[^>]*>|--?[a-z-]+)/).map { $0.output.1 })
    }
  }
}
