import ArgumentParser
import Config
import Search

/// `riffle sources list`.
struct ListSources: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List all sources: name, title and origin.",
    discussion: """
        riffle sources list

      Files that cannot be used are reported on stderr, and the exit status is 78.
      """)

  @OptionGroup var options: SourcesOptions

  func run() throws {
    try options.perform { (configuration, _, message) throws(CommandError) in
      let (entries, problems) = configuration.catalog.all()
      let rows = entries.map { [$0.source.id, $0.source.title, $0.provenanceAndTrust] }
      try Descriptor.print(ColumnList.lines(rows).map { $0 + "\n" }.joined())
      for problem in problems { message.failure("\(problem)") }
      return problems.isEmpty ? .done : .configuration
    }
  }
}

extension CatalogEntry {
  /// Where the source comes from, and whether it is not trusted to use its credentials.
  fileprivate var provenanceAndTrust: String {
    guard case .untrusted(let reason) = trust, !source.credentialUses.isEmpty else { return "\(provenance)" }
    return "\(provenance) (no credentials: it \(reason))"
  }
}
