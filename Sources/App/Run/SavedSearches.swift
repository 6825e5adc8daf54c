import Config
import Output
import Pager
import Search
import Text

/// Saved searches, written `@NAME` in place of a source. What the command line says is added to them, or replaces what
/// they say.
extension SavedSearch {
  /// The name of the saved search that a word stands for; nil if it stands for a source.
  static func name(in word: String) -> String? { word.hasPrefix("@") ? String(word.dropFirst()) : nil }

  var word: String { "@\(name)" }

  /// How the pager lists its rows: it sorts by one column, and shows those that are no paths.
  var listRules: ListRules {
    let sort = RowSort.first(of: sort).map {
      ListRules.Sort(column: $0.column, isDescending: $0.isDescending)
    }
    var rules = ListRules(filter: filter, sort: sort, columns: columns.flatMap(ColumnSelection.entries))
    rules.otherSorts = Array(RowSort.names(of: self.sort).dropFirst())
    return rules
  }
}

extension Configuration {
  func savedSearch(_ name: String) throws(CommandError) -> SavedSearch {
    guard let search = searches.first(where: { $0.name == name }) else {
      let names = searches.map(\.name)
      let advice =
        NearestName.question(NearestName.nearest(to: name, among: names).prefix(1).map { "@\($0)" })
        ?? (names.isEmpty
          ? "To create it, add [searches.\(name)] to the settings: riffle config edit"
          : "Saved searches: \(names.map { "@\($0)" }.joined(separator: ", "))")
      throw CommandError("no saved search @\(name). \(advice)", .usage)
    }
    let problems = problems(of: search)
    if !problems.isEmpty { throw CommandError("\(ConfigError(problems))", .configuration) }
    return search
  }

  /// What is wrong with the names in a saved search.
  func problems(of search: SavedSearch) -> [ConfigDiagnostic] {
    let source: Source
    do throws(CatalogError) { source = try catalog.entry(named: search.source).source } catch {
      return [search.problem("\(error)", key: "source")]
    }
    var problems: [ConfigDiagnostic] = []
    let names = source.options.map(\.name)
    for option in search.options where !names.contains(option.name) {
      let advice =
        NearestName.question(option.name, among: names)
        ?? (names.isEmpty ? "It has none" : "Its options are \(names.joined(separator: ", "))")
      problems.append(
        search.problem("source \(source.id) has no option \"\(option.name)\". \(advice)", key: "set"))
    }
    for option in search.options {
      guard let known = source.options.first(where: { $0.name == option.name }),
        let refusal = known.refusal(of: option.value)
      else { continue }
      problems.append(search.problem("\(option.name) \(refusal.problem): \(refusal.remedy)", key: "set"))
    }
    if let mistake = RowFilter(search.filter).mistake(in: source.columns, keys: nil) {
      problems.append(search.problem(Sentences.joined([mistake.text, mistake.remedy]), key: "filter"))
    }
    do throws(ColumnSelectionError) { _ = try RowSort(parsing: search.sort, of: source) } catch {
      problems.append(search.problem("\(error)", key: "sort"))
    }
    let columns = search.columns.joined(separator: ",")
    do throws(ColumnSelectionError) {
      if !columns.isEmpty { _ = try ColumnSelection(parsing: columns, of: source) }
    } catch { problems.append(search.problem("\(error)", key: "columns")) }
    return problems
  }
}

extension RequestOptions {
  /// The names of saved searches at the start of the command line, which may not exist; empty if it names a source.
  var savedSearches: [String] {
    guard let first = source.flatMap(SavedSearch.name) else { return [] }
    return [first] + words.prefix { $0.hasPrefix("@") }.map { String($0.dropFirst()) }
  }

  /// Replaces the name of a saved search with what it says.
  ///
  /// - Parameter needsQuery: Whether a query is required if the source needs one.
  /// - Returns: Nil if a source is named.
  mutating func useSavedSearch(
    _ dependencies: Dependencies, needsQuery: Bool
  ) throws(CommandError) -> SavedSearch? {
    let names = savedSearches
    if names.isEmpty { return nil }
    let configuration = try Configuration(dependencies, file: config, commandLine: settingValues)
    var searches: [SavedSearch] = []
    for name in names { searches.append(try configuration.savedSearch(name)) }
    guard let search = searches.first, searches.count == 1 else {
      let words = searches.map(\.word).joined(separator: " and ")
      throw CommandError("riffle search takes one saved search, found \(words)", .usage)
    }
    use(search)
    // A parameter of the command line may replace that of the query.
    if needsQuery, words.isEmpty, param.isEmpty, let source = try? configuration.entry(search.source).source,
      source.needsQuery, source.usesQuery
    {
      throw CommandError(
        "saved search \(search.word) has no query, and source \(source.id) needs one: "
          + "riffle search \(search.word) QUERY. Or set query in [searches.\(search.name)]", .usage)
    }
    return search
  }

  /// - Parameter count: The number of leading words that name other saved searches.
  mutating func use(_ search: SavedSearch, besides count: Int = 0) {
    source = search.source
    words = [search.query].filter { !$0.isEmpty } + words.dropFirst(count)
    set = search.options.map { NameValue(name: $0.name, value: $0.value) } + set
  }
}

extension RowOptions {
  mutating func use(_ search: SavedSearch) {
    if sort.isEmpty { sort = search.sort }
    if filter == nil, !search.filter.isEmpty { filter = search.filter }
  }
}

extension FormatOptions {
  mutating func use(_ search: SavedSearch) {
    if columns == nil, template == nil, !search.columns.isEmpty {
      columns = search.columns.joined(separator: ",")
    }
  }
}
