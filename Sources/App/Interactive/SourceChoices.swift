import Config
import Credentials
import Pager
import Search
import Text

extension Configuration {
  /// All saved searches and sources that can be shown, by name and title only.
  var sourceNames: [SourceChoice] {
    searches.map { SourceChoice(id: $0.word, title: $0.summary) }
      + catalog.all().entries.map { SourceChoice(id: $0.source.id, title: $0.source.title) }
  }

  /// The same, with what each requests, and whether its credential is there. No program is run, and no secret is read.
  var sourceChoices: [SourceChoice] {
    let doctor = SourceDoctor(catalog: catalog, dependencies: dependencies, files: .system())
    let entries = catalog.all().entries
    return searches.map { search in
      let entry = entries.first { $0.source.id == search.source || $0.source.aliases.contains(search.source) }
      return SourceChoice(
        id: search.word, title: search.summary,
        about: search.about + (entry.map { [""] + self.about($0, doctor) } ?? []))
    }
      + entries.map { entry in
        SourceChoice(id: entry.source.id, title: entry.source.title, about: about(entry, doctor))
      }
  }

  private func about(_ entry: CatalogEntry, _ doctor: SourceDoctor) -> [String] {
    let source = entry.source
    var lines = [source.title, source.origin(options: [:]).map { "\($0)" } ?? "the address is an option"]
    if let parent = source.parent { lines.append("one list for each \(parent.name)") }
    lines.append(source.usesQuery ? "full-text search" : "takes no query")
    lines += source.input.examples.prefix(2).map { "example: \($0)" }
    let options = source.options.map(\.name)
    if !options.isEmpty { lines.append("options: \(options.joined(separator: ", "))") }
    lines += source.credentialUses.map { "credential: \(doctor.words(for: $0, of: entry))" }
    if source.credentialUses.isEmpty { lines.append("no credential needed") }
    if let distrust = entry.distrust { lines.append("cannot use credentials: \(distrust)") }
    if entry.provenance != .builtIn { lines.append("\(entry.provenance)") }
    return lines
  }
}

extension SavedSearch {
  /// `github: language:swift`.
  fileprivate var summary: String { query.isEmpty ? source : "\(source): \(query)" }

  fileprivate var about: [String] {
    var lines = [summary]
    for option in options { lines.append("\(option.name): \(SourceOption.label(of: option.value))") }
    if !filter.isEmpty { lines.append("filter: \(filter)") }
    if !sort.isEmpty { lines.append("sort: \(sort.joined(separator: ", "))") }
    if !columns.isEmpty { lines.append("columns: \(columns.joined(separator: ", "))") }
    return lines
  }
}
