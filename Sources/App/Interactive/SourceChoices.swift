import Config
import Credentials
import Pager
import Search
import Text

extension Configuration {
  /// All saved searches and sources that can be shown, with what each requests, and whether its credential is there. No
  /// program is run, and no secret is read.
  var sourceChoices: [SourceChoice] {
    let doctor = SourceDoctor(catalog: catalog, dependencies: dependencies, files: .system())
    let entries = listedEntries
    return searches.map { search in
      let entry = entries.first { $0.source.id == search.source || $0.source.aliases.contains(search.source) }
      return SourceChoice(
        id: search.word, title: search.summary,
        about: search.about + (entry.map { [""] + self.about($0, doctor) } ?? []), group: Self.savedSearches)
    }
      + entries.map { $0.choice(about: about($0, doctor)) }
  }

  private static let savedSearches = "saved searches"

  /// The sources by subject. Of each subject, those that work without a credential come first.
  private var listedEntries: [CatalogEntry] {
    let entries = catalog.all().entries.bySubject
    return entries.filter { $0.source.subject == nil }
      + Subject.allCases.flatMap { subject in
        let entries = entries.filter { $0.source.subject == subject }
        return entries.filter { !$0.source.needsSecrets } + entries.filter { $0.source.needsSecrets }
      }
  }

  private func about(_ entry: CatalogEntry, _ doctor: SourceDoctor) -> [String] {
    let source = entry.source
    var lines = [source.title]
    if let origin = source.origin(options: [:]) {
      lines.append("\(origin)")
    } else {
      let server = source.openServer
      lines.append("no server set\(server.map { " (option \($0.name))" } ?? "")")
      if let setting = server?.setting {
        lines += ["to set it, write in config.toml:", setting.table, setting.line]
      }
    }
    if let parent = source.parent { lines.append("one list for each \(parent.name)") }
    lines.append(source.usesQuery ? "takes a query" : "takes no query")
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

extension CatalogEntry {
  fileprivate func choice(about: [String]) -> SourceChoice {
    SourceChoice(
      id: source.id, title: source.needsSecrets ? "\(source.title) (needs a credential)" : source.title,
      about: about, group: group,
      otherWords: (source.aliases + (source.needsSecrets ? [] : ["no token"])).joined(separator: " "))
  }

  /// The heading of the source in lists.
  var group: String { source.subject?.rawValue ?? "your own" }
}

extension [CatalogEntry] {
  /// In the order of their headings, and as they are below each.
  var bySubject: [CatalogEntry] {
    ([nil] + Subject.allCases).flatMap { subject in filter { $0.source.subject == subject } }
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
