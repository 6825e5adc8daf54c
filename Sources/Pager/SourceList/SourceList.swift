import Search

/// A source or, as `@NAME`, a saved search that can be shown.
package struct SourceChoice: Sendable, Hashable, Codable {
  package let id: String
  package let title: String
  /// What it requests, its options, and whether its credential is there, in lines; nil if that was not looked up.
  package var about: [String]?
  /// The heading that it is listed under; nil for none.
  package var group: String?
  /// Other words that find it, which are not shown.
  package var otherWords: String?

  package init(
    id: String, title: String, about: [String]? = nil, group: String? = nil, otherWords: String? = nil
  ) {
    self.id = id
    self.title = title
    self.about = about
    self.group = group
    self.otherWords = otherWords
  }
}

/// How a list is filtered, sorted and arranged at the start.
package struct ListRules: Sendable, Hashable {
  package struct Sort: Sendable, Hashable {
    /// The name of a column.
    package let column: String
    package let isDescending: Bool

    package init(column: String, isDescending: Bool) {
      self.column = column
      self.isDescending = isDescending
    }
  }

  /// "" for all rows.
  package var filter: String
  package var sort: Sort?
  /// The names of further columns to sort by, which the pager does not.
  package var otherSorts: [String] = []
  /// The names of the columns, or the paths of the fields, to show, in order; empty for the usual ones.
  package var columns: [String]

  /// The columns that it names.
  package var names: [String] {
    let paths = RowFilter(filter).terms.compactMap { $0.named?.path == nil ? nil : $0.named?.column }
    return columns + [sort?.column].compactMap(\.self) + paths
  }

  package init(filter: String = "", sort: Sort? = nil, columns: [String] = []) {
    self.filter = filter
    self.sort = sort
    self.columns = columns
  }
}

extension PagerState {
  /// The rules by which a new session shows its list as this one does; the columns are empty if they are the usual ones.
  package var arrangement: ListRules {
    var rules = ListRules(filter: list.awaitedFilter ?? list.filter)
    rules.sort = list.sort.flatMap { sort in
      table.columns.indices.contains(sort.column)
        ? ListRules.Sort(column: table.columns[sort.column].name, isDescending: sort.isDescending) : nil
    }
    if table.shown != table.original.shown
      || table.shown.contains(where: { addedColumns.contains(table.columns[$0]) })
    {
      rules.columns = table.shown.map { table.columns[$0].name }
    }
    return rules
  }
}

/// The other sources that can be shown.
package struct SourceLists: Sendable {
  /// The sources and saved searches found for a list of them; nil before the first one is opened.
  var found: [SourceChoice]?
  /// Whether Enter was pressed before they were found.
  var isAcceptedEarly = false
  /// The sources whose rows hang under the rows of this one.
  package internal(set) var children: [SourceChoice] = []
  /// Those that have rows under the row for which the user is asked to choose one.
  var offeredChildren: [SourceChoice] = []
}

extension PagerState {
  /// What a list of sources offers.
  var offeredSources: [SourceChoice] { sources.found ?? [] }

  /// Shows the sources found, and opens the one that was typed before.
  mutating func show(_ found: [SourceChoice]) {
    sources.found = found
    let isAccepted = sources.isAcceptedEarly && overlays.prompt?.purpose == .source
    sources.isAcceptedEarly = false
    if isAccepted { acceptPrompt() }
  }

  /// Shows the whole list of sources again, on return from a session.
  mutating func showAllSources(selecting id: String) {
    guard overlays.prompt?.purpose == .source else { return }
    overlays.changeList(selecting: offeredSources.firstIndex { $0.id == id } ?? 0)
  }
}
