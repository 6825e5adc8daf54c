extension OutputFormat {
  static let table = OutputFormat(
    name: "table", summary: "aligned columns (the default on a terminal)", fileEndings: ["txt"],
    style: AlignedTable.self)

  static let plain = OutputFormat(
    name: "plain", summary: "columns separated by one space", style: PlainTable.self)

  static let simple = OutputFormat(
    name: "simple", summary: "columns separated by one space, with underlined titles",
    style: SimpleTable.self)

  static let psql = OutputFormat(
    name: "psql", summary: "a table with column separators, as in psql", style: PsqlTable.self)

  static let grid = OutputFormat(
    name: "grid", summary: "a table with borders around every cell", style: GridTable.self)

  static let fancyGrid = OutputFormat(
    name: "fancy-grid", summary: "a table with borders of box-drawing characters around every cell",
    style: FancyGridTable.self)

  static let org = OutputFormat(
    name: "org", summary: "a table in Emacs Org mode", fileEndings: ["org"], style: OrgTable.self)

  init<Style: TableStyle>(name: String, summary: String, fileEndings: [String] = [], style: Style.Type) {
    self.init(
      name: name, summary: summary, fileEndings: fileEndings, options: [.header], defaultColumns: .shown
    ) { TableDocument<Style>(outputOptions: $0) }
  }
}

private enum AlignedTable: TableStyle {
  static let look = TableLook(left: "", gap: "  ", right: "", hasStyledTitles: true)
}

private enum PlainTable: TableStyle {
  static let look = TableLook(left: "", gap: " ", right: "")
}

private enum SimpleTable: TableStyle {
  static let look = TableLook(left: "", gap: " ", right: "", heading: .init("", "-", " "))
}

/// A frame as drawn by psql with `\pset border 2`.
private enum PsqlTable: TableStyle {
  private static let dashes = TableLook.Rule("+-", "-", "-+-", "-+")
  static let look = TableLook(top: dashes, heading: dashes, bottom: dashes)
}

/// A frame around every cell, in the format of reStructuredText and Pandoc.
private enum GridTable: TableStyle {
  private static let dashes = TableLook.Rule("+-", "-", "-+-", "-+")
  static let look = TableLook(top: dashes, heading: .init("+=", "=", "=+=", "=+"), below: dashes)
}

private enum FancyGridTable: TableStyle {
  static let look = TableLook(
    left: "│ ", gap: " │ ", right: " │", top: .init("╒═", "═", "═╤═", "═╕"),
    heading: .init("╞═", "═", "═╪═", "═╡"), between: .init("├─", "─", "─┼─", "─┤"),
    bottom: .init("╘═", "═", "═╧═", "═╛"))
}

/// An Org table, which is never truncated, because it is meant to be parsed.
private enum OrgTable: TableStyle {
  static let look = TableLook(heading: .init("|-", "-", "-+-", "-|"), isCut: false) { text in
    text.onOneLine(breaks: " ").replacingScalars { $0 == "|" ? "\\vert{}" : nil }
  }
}
