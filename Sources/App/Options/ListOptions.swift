package import ArgumentParser
import Config
import Output
import Pager
import Search
import Text

/// Options for how the pager lists the loaded rows at the start.
package struct ListOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp("Sort the loaded rows by this column.", valueName: "name[:desc]"),
    completion: Completions.columns)
  package var sort: String?

  @Option(
    name: .customLong("filter"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Show only loaded rows that match all terms, such as 'swift stars>1000'.", valueName: "terms"),
    completion: Completions.columnNames)
  package var filters: [String] = []

  /// The terms of all filters.
  package var filter: String? {
    get { filters.isEmpty ? nil : filters.joined(separator: " ") }
    set { filters = newValue.map { [$0] } ?? [] }
  }

  package init() {}
}

extension ListOptions {
  /// The options as if they were given.
  init(sort: String?, filter: String?) throws(CommandError) {
    self = try .unset()
    (self.sort, self.filter) = (sort, filter)
  }
}

extension ListRules {
  /// What the command line says about the list, over what a saved search says.
  ///
  /// - Parameter columns: The value of `--columns`.
  /// - Throws: For mistakes that can be seen without rows.
  init?(
    _ list: ListOptions?, columns: String?, over search: SavedSearch?, of source: Source
  ) throws(CommandError) {
    guard search != nil || columns != nil || list?.sort != nil || list?.filter != nil else { return nil }
    self = search?.listRules ?? ListRules()
    if let filter = list?.filter {
      _ = try RowFilter(checking: filter, of: source)
      self.filter = filter
    }
    do throws(ColumnSelectionError) {
      if let sort = list?.sort {
        _ = try RowSort(parsing: [sort], of: source)
        self.sort = RowSort.first(of: [sort]).map { Sort(column: $0.column, isDescending: $0.isDescending) }
        otherSorts = Array(RowSort.names(of: [sort]).dropFirst())
      }
      guard let columns else { return }
      _ = try ColumnSelection(parsing: columns, of: source)
      self.columns = ColumnSelection.entries(of: columns)
    } catch { throw CommandError("\(error)", .usage) }
    if let other = self.columns.first(where: { $0 == "*" || $0.hasPrefix("@") }) {
      throw CommandError(
        "the pager has no column \"\(other)\". Name columns and fields, or choose them with C", .usage)
    }
  }
}

extension RowFilter {
  /// - Throws: If the text has a mistake that can be seen without rows.
  init(checking text: String, of source: Source) throws(CommandError) {
    if Self.hasOpenQuote(text) { throw CommandError("invalid filter: unclosed quote in \(text)", .usage) }
    self.init(text)
    if let mistake = mistake(in: source.columns, keys: nil) {
      let text = Sentences.joined(["invalid filter: \(mistake.text)", mistake.remedy])
      throw CommandError("\(text)\n\(mistake.excerpt)", .usage)
    }
  }
}
