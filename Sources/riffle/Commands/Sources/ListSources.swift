import ArgumentParser
import Config
import Search

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
    try options.perform { (setup, _, message) throws(Complaint) in
      let (entries, problems) = setup.catalogue.all()
      let rows = entries.map { [$0.source.id, $0.source.title, $0.provenanceAndTrust] }
      try Descriptor.print(Columns.lines(rows).map { $0 + "\n" }.joined())
      for problem in problems { message.failure("\(problem)") }
      return problems.isEmpty ? .done : .configuration
    }
  }
}

extension CatalogueEntry {
  /// Where the source comes from, and whether it is not trusted to use its credentials.
  fileprivate var provenanceAndTrust: String {
    guard case .untrusted(let reason) = trust, !source.credentialUses.isEmpty else { return "\(provenance)" }
    return "\(provenance) (no credentials: it \(reason))"
  }
}
